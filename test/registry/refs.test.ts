import { fc, test as property } from "@fast-check/vitest";
import { describe, expect, test } from "vitest";
import {
  compareRefs,
  describeRefs,
  nearRefs,
  parseRef,
  parseRefs,
  refPrefix,
} from "../../registry/refs.ts";
import { itemType, recipeType } from "../support/entity-types.ts";
import { fold, readRecipes, recipeRow, written } from "../support/registry-events.ts";

const run = (prefix: string, from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => `${prefix}_${from + index}`);

describe("describeRefs()", () => {
  test.each([
    [[], ""],
    [["recipe_1"], "recipe_1"],
    [["recipe_1", "recipe_2"], "recipe_1, recipe_2"],
    [run("recipe", 1, 3), "recipe_1 through recipe_3"],
    [run("inv", 1, 59), "inv_1 through inv_59"],
    [["recipe_1", "recipe_2", "recipe_7"], "recipe_1, recipe_2, recipe_7"],
    [
      ["recipe_3", "recipe_4", "recipe_5", "recipe_6", "recipe_8", "recipe_9"],
      "recipe_3, recipe_4, recipe_5, recipe_6, recipe_8, recipe_9",
    ],
    [[...run("inv", 1, 40), ...run("inv", 42, 59)], "inv_1 through inv_40, inv_42 through inv_59"],
    [
      [...run("recipe", 1, 9), ...run("inv", 1, 59)],
      "recipe_1 through recipe_9, inv_1 through inv_59",
    ],
    [["recipe_3", "recipe_2", "recipe_1"], "recipe_3, recipe_2, recipe_1"],
    [run("gen_recipe", 1, 3), "gen_recipe_1 through gen_recipe_3"],
  ])("folds runs as the turn formats do: %j", (refs, text) => {
    expect(describeRefs(refs)).toBe(text);
  });

  const refs = fc.array(
    fc.tuple(
      fc.constantFrom("recipe", "inv", "gen_recipe"),
      fc.integer({ min: 1, max: 30 }),
      fc.integer({ min: 0, max: 9 }),
    ),
    { maxLength: 6 },
  );
  property.prop([refs])("is read back by parseRefs()", (runs) => {
    const list = runs.flatMap(([prefix, from, more]) => run(prefix, from, from + more));
    expect(parseRefs(describeRefs(list))).toEqual(list);
  });
});

describe("parseRef()", () => {
  test.each([
    ["recipe_3", { prefix: "recipe", number: 3 }],
    ["gen_meal_plan_12", { prefix: "gen_meal_plan", number: 12 }],
    ["recipe_0", null],
    ["recipe", null],
    ["recipe_03", null],
    ["recipe_3 ", null],
    ["3", null],
    ["", null],
  ])("reads %j", (text, parsed) => {
    expect(parseRef(text)).toEqual(parsed);
  });
});

test("refPrefix() marks drafts", () => {
  expect(refPrefix(itemType, { draft: false })).toBe("inv");
  expect(refPrefix(recipeType, { draft: true })).toBe("gen_recipe");
});

test("compareRefs() orders by prefix, then by number", () => {
  const sorted = ["recipe_10", "recipe_2", "inv_3", "gen_recipe_1"].toSorted(compareRefs);
  expect(sorted).toEqual(["gen_recipe_1", "inv_3", "recipe_2", "recipe_10"]);
});

describe("nearRefs()", () => {
  const registry = fold([
    readRecipes(1, ["Miso Cod", "French Toast", "Chicken Wings", "Lentil Soup"]),
  ]);

  test.each([
    ["recipe_5", ["recipe_4", "recipe_3"]],
    ["recipe_99", ["recipe_4", "recipe_3"]],
    ["french_toast", ["recipe_2"]],
    ["wings", ["recipe_3"]],
    ["recipes_2", ["recipe_2", "recipe_1"]],
    ["inv_1", []],
    ["", []],
  ])("offers for %j", (ref, near) => {
    expect(nearRefs(registry, ref, 2)).toEqual(near);
  });

  test("does not offer what was deleted", () => {
    const row = recipeRow(3, { name: "Lentil Soup" });
    const after = fold([written(2, { row, action: "deleted" })], registry);
    expect(nearRefs(after, "recipe_5", 2)).toEqual(["recipe_3", "recipe_2"]);
  });
});
