import { fc, test } from "@fast-check/vitest";
import { expect } from "vitest";
import { refsInJson, refsInText } from "../../nodes/reply/refs-in-text.ts";
import { describeRefs } from "../../registry/refs.ts";
import { anyRef } from "../support/arbitraries.ts";

test.each([
  ["created meal_7 (Soup: recipe_3), dropped gen_recipe_2", ["meal_7", "recipe_3", "gen_recipe_2"]],
  [
    "recipe_9 through recipe_12; inv_1",
    ["recipe_9", "recipe_10", "recipe_11", "recipe_12", "inv_1"],
  ],
  [
    "meal_1 through recipe_3, recipe_4 through recipe_2",
    ["meal_1", "recipe_3", "recipe_4", "recipe_2"],
  ],
  ['{"refs":["recipe_1"],"value":"recipe_1"}', ["recipe_1"]],
  ["recipe_0, recipe_, my_recipe_1x, 2_3, Recipe_4", []],
  ["recipe_1 through recipe_999999999", ["recipe_1", "recipe_999999999"]],
])("refsInText() finds the refs of %s", (text, refs) => {
  expect(refsInText(text)).toEqual(refs);
});

test("refsInJson() looks into every text and no key", () => {
  const value = { meal_1: [{ note: "first\nrecipe_1" }, null, 3], refs: ["inv_2", "inv_4"] };
  expect(refsInJson(value)).toEqual(["recipe_1", "inv_2", "inv_4"]);
});

test.prop([fc.uniqueArray(anyRef.filter((ref) => /_[1-9]$/u.test(ref)))])(
  "refsInText() reads back what describeRefs() folds",
  (refs) => {
    expect(refsInText(`Touched ${describeRefs(refs)}.`)).toEqual(refs);
  },
);
