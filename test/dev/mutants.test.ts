import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { stripTypeScriptTypes } from "node:module";
import { expect, test } from "vitest";
import { nameChange, readEquivalents } from "../../dev/mutants/equivalents.ts";
import { makeMutants } from "../../dev/mutants/make-mutants.ts";
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

test("makeMutants() writes code that can be read, with a switch for each mistake", () => {
  const source = "export const read = (day: Day) => day.toString().slice(1) || [];";
  const { text, mutants } = makeMutants("read.ts", source, 7);

  expect(mutants.map(({ rule, replacement }) => [rule, replacement])).toEqual([
    ["empty body", "undefined"],
    ["operator", "(day.toString().slice(1)) && ([])"],
    ["no slice", "day.toString()"],
    ["off by one", "2"],
  ]);
  expect(() => stripTypeScriptTypes(text)).not.toThrow();
});

test("readEquivalents() lists mistakes that are made", async () => {
  const equivalents = await readEquivalents();
  const made = await Promise.all(
    [...new Set(equivalents.map(({ file }) => file))].map(async (file) =>
      makeMutants(file, await readFile(join(ROOT, file), "utf8"), 0).mutants.map(nameChange),
    ),
  );

  expect(made.flat()).toEqual(expect.arrayContaining(equivalents.map(nameChange)));
});
