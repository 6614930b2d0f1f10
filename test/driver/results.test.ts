import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { RESULTS, type Consequences } from "../../driver/results.ts";

test("RESULTS is the table that docs/driver.md prints", async () => {
  const page = await readFile(new URL("../../docs/driver.md", import.meta.url), "utf8");

  const printed = page.split("\n").filter((line) => line.startsWith("| `"));

  expect(printed).toEqual(Object.entries(RESULTS).map(([result, row]) => renderRow(result, row)));
});

function renderRow(result: string, { message, counts, run, job, lease }: Consequences): string {
  const cells = [message, counts ? "yes" : "no", run, job, lease].map((cell) => cell ?? "–");
  return `| \`${result}\` | ${cells.join(" | ")} |`;
}
