import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { applyMutant, readMutants } from "../../dev/mutants/mutant.ts";

const ROOT = join(import.meta.dirname, "../..");
const files = Map.groupBy(readMutants(), ({ file }) => file);

test.each([...files.keys()])("readMutants() lists mistakes that fit %s", async (file) => {
  const text = await readFile(join(ROOT, file), "utf8");
  const mutants = files.get(file) ?? [];

  expect(mutants.filter((mutant) => applyMutant(text, mutant) === text)).toEqual([]);
  const tests = mutants.flatMap((mutant) => mutant.tests);
  expect(tests.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});
