import { readFile } from "node:fs/promises";
import { parse } from "yaml";
import { z } from "zod";
import type { MadeMutant } from "./make-mutants.ts";

const EquivalentsSchema = z.array(
  z.strictObject({
    file: z.string(),
    /** The line on which it begins, without the space before it. */
    lineText: z.string(),
    /** The text that was changed, and what took its place. */
    original: z.string(),
    replacement: z.string(),
    /** The reason why no conversation can tell. */
    because: z.string(),
  }),
);

type MadeChange = Pick<MadeMutant, "file" | "lineText" | "original" | "replacement">;

/** Reads the mutants that do not change what the code does. */
export async function readEquivalents(): Promise<readonly MadeChange[]> {
  const text = await readFile(new URL("equivalent.yaml", import.meta.url), "utf8");
  return EquivalentsSchema.parse(parse(text));
}

/** Returns one text for each change of a line. */
export function nameChange({ file, lineText, original, replacement }: MadeChange): string {
  return JSON.stringify([file, lineText, original, replacement]);
}
