import { describe, expect, test } from "vitest";
import { UnknownRefError } from "../../state/tool.ts";
import { createRefBook } from "../../registry/ref-book.ts";
import { toId } from "../support/arbitraries.ts";
import {
  curated,
  drafted,
  fold,
  linked,
  readRecipes,
  recipeRow,
  written,
} from "../support/registry-events.ts";

const registry = fold([
  readRecipes(1, ["Miso Cod", "French Toast", "Wings"]),
  drafted(1, null, { name: "Shakshuka" }),
  linked(1, "item", [{ id: toId("item", 0), rowVersion: 1, values: { name: "eggs" } }]),
  written(2, { row: recipeRow(1, { name: "French Toast" }), action: "deleted" }),
  curated(2, { demote: [{ ref: "recipe_3", reason: "" }] }),
]);
const refs = createRefBook(registry);

describe("createRefBook().resolve()", () => {
  test.each([
    ["recipe_1", { type: "recipe", id: toId("recipe", 0), label: "Miso Cod", draft: null }],
    ["recipe_3", { type: "recipe", id: toId("recipe", 2), label: "Wings", draft: null }],
    [
      "gen_recipe_1",
      { type: "recipe", id: null, label: "Shakshuka", draft: { name: "Shakshuka" } },
    ],
    ["inv_1", { type: "item", id: toId("item", 0), label: "eggs", draft: null }],
  ])("says what %s stands for", (ref, resolved) => {
    expect(refs.resolve(ref)).toEqual(resolved);
  });

  test("names an unknown ref and its neighbours", () => {
    expect(() => refs.resolve("recipe_4")).toThrow(UnknownRefError);
    expect(() => refs.resolve("recipe_4")).toThrow(
      'Cannot use ref "recipe_4": it does not exist in this conversation; known refs near it: recipe_3, recipe_1, gen_recipe_1',
    );
  });

  test("says that an entity was deleted", () => {
    expect(() => refs.resolve("recipe_2")).toThrow(UnknownRefError);
    expect(() => refs.resolve("recipe_2")).toThrow(
      'Cannot use ref "recipe_2": it was deleted ("French Toast"); known refs near it: recipe_1, recipe_3, gen_recipe_1',
    );
  });
});

describe("createRefBook().held()", () => {
  test.each([
    ["recipe", 0, { ref: "recipe_1", rowVersion: 1, detail: "summary" }],
    ["recipe", 1, null],
    ["recipe", 2, { ref: "recipe_3", rowVersion: 1, detail: "summary" }],
    ["recipe", 7, null],
    ["item", 0, null],
  ] as const)("knows whether row %s %i is held, excluded ones too", (type, index, held) => {
    expect(refs.held(type, toId(type, index))).toEqual(held);
  });
});
