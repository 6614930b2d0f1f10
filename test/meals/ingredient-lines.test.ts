import { test as lawTest, fc } from "@fast-check/vitest";
import { expect, test } from "vitest";
import { z } from "zod";
import { readIngredientLine } from "../../meals/import/ingredient-lines.ts";
import { readYaml } from "../support/read-yaml.ts";

const CASES = readYaml(
  new URL("ingredient-lines.yaml", import.meta.url),
  z.array(z.object({ line: z.string(), expected: z.string() })),
);

test.each(CASES)("$line", ({ line, expected }) => {
  const read = readIngredientLine(line);
  const amount = [read?.quantity ?? "", read?.unit ?? ""].join(" ").trimEnd();
  const notes = [read?.note, read?.optional === true ? "optional" : null];
  const text = [amount, read?.name, ...notes.filter((note) => note !== null)].join(" | ");

  expect(text).toBe(expected);
});

test.each(["", "   ", "For the sauce:", "---"])("%j names no ingredient", (line) => {
  expect(readIngredientLine(line)).toBeNull();
});

lawTest.prop([fc.string({ unit: "grapheme" })])("any text is read or passed over", (line) => {
  const read = readIngredientLine(line);

  expect(read === null || read.name.trim() !== "").toBe(true);
  expect(read?.quantity ?? 0).toBeGreaterThanOrEqual(0);
});
