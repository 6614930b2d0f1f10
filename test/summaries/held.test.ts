import { expect, test } from "vitest";
import { describeHeld } from "../../summaries/held.ts";
import { testTypes } from "../support/entity-types.ts";
import {
  curated,
  fold,
  linked,
  readItems,
  readRecipes,
  recipeRow,
} from "../support/registry-events.ts";

test("describeHeld() names what need not be read again, by kind", () => {
  const registry = fold([
    readRecipes(1, ["Miso Cod", "Toast", "Wings", "Soup"]),
    readItems(1, 3),
    linked(1, "recipe", [recipeRow(7, { name: "Broth" })]),
    curated(2, { demote: [{ ref: "recipe_1", reason: "" }] }),
  ]);
  expect(describeHeld(registry, testTypes)).toBe(
    "3 recipes (recipe_2 through recipe_4), 3 inventory items (inv_1 through inv_3)",
  );
  expect(describeHeld(fold([]), testTypes)).toBe("");
});
