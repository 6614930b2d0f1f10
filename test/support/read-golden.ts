import { readFile } from "node:fs/promises";

/** The text of a golden file, without the line end that closes it. */
export async function readGolden(name: string): Promise<string> {
  const text = await readFile(new URL(`../golden/${name}.md`, import.meta.url), "utf8");
  return text.replace(/\n$/, "");
}
