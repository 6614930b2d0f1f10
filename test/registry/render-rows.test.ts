import { fc, test as property } from "@fast-check/vitest";
import { describe, expect, test } from "vitest";
import type { EntityRow } from "../../state/entity.ts";
import type { Registry } from "../../state/registry.ts";
import { renderRows, type RenderedRows } from "../../registry/render-rows.ts";
import { testTypes } from "../support/entity-types.ts";
import { ALL_IDS, anyRegistry, countRoughly, toId } from "../support/arbitraries.ts";
import {
  drafted,
  fold,
  linked,
  readItems,
  readRecipes,
  recipeRow,
} from "../support/registry-events.ts";

function render(registry: Registry, refs: readonly string[], budget = 10_000): RenderedRows {
  return renderRows(registry, { refs, types: testTypes, budget, countTokens: countRoughly });
}

function slot(index: number, recipe: number, notes: string | null): EntityRow {
  const values = { date: `2026-01-1${index}`, recipe_id: toId("recipe", recipe), notes };
  return { id: toId("slot", index), rowVersion: 1, values };
}

/** Tokens in which a ref and a line about the rest of each type have room. */
const MOST_ENDING = 30;

describe("renderRows()", () => {
  test("writes small rows of a type as a table, empty columns left out, shared values in the head", () => {
    const row = recipeRow(0, {
      name: "Curry",
      minutes: 30,
      instructions: null,
      tags: ["quick", "vegan"],
      ingredients: [{ name: "chickpeas" }, { name: "rice" }],
    });
    const registry = fold([
      {
        ...readRecipes(1, ["", "Toast"]),
        rows: [row, recipeRow(1, { name: "Toast | Brie", minutes: null })],
      },
      readItems(1, 3),
    ]);
    const refs = ["recipe_1", "recipe_2", "inv_1", "inv_2", "inv_3", "recipe_9"];
    expect(render(registry, refs)).toEqual({
      text: [
        "recipes: name | minutes | tags | ingredients",
        "recipe_1 | Curry | 30 | quick, vegan | chickpeas, rice",
        "recipe_2 | Toast / Brie",
        "inventory: name | quantity (all: location = pantry)",
        "inv_1 | item 1 | 1",
        "inv_2 | item 2 | 2",
        "inv_3 | item 3 | 3",
      ].join("\n"),
      shown: refs.slice(0, 5),
      more: 0,
    });
  });

  test("shortens the first row of the last type where the line about the rest has no room beside it", () => {
    const recipes = readRecipes(1, [""]);
    const registry = fold([
      {
        ...recipes,
        rows: [recipeRow(0, { name: "Soup", instructions: "stir it well ".repeat(35) })],
      },
      {
        kind: "read",
        turn: 1,
        type: "slot",
        ids: [],
        rows: [slot(0, 0, "stir it well ".repeat(14)), slot(1, 0, "stir it well ".repeat(16))],
        detail: "full",
      },
    ]);
    const refs = registry.entries.map(({ ref }) => ref);
    const [, firstSlot = ""] = refs;
    const budgets = Array.from({ length: 70 }, (_, more) => 150 + more);
    const lacking = budgets.filter(
      (budget) => !render(registry, refs, budget).shown.includes(firstSlot),
    );

    expect(lacking).toEqual([]);
  });

  test("writes drafts and long rows field by field, every line indented", () => {
    const registry = fold([
      linked(1, "item", [{ id: toId("item", 0), rowVersion: 1, values: { name: "eggs" } }]),
      drafted(1, null, {
        name: "Shakshuka",
        minutes: 25,
        instructions: "Simmer the sauce.\nrecipe_1 | crack in the eggs.",
        ingredients: [
          { quantity: 4, unit: "pc", name: "eggs", item_id: "inv_1", optional: false },
          { quantity: null, unit: null, name: "salt", item_id: null, optional: true },
        ],
      }),
    ]);
    expect(render(registry, ["gen_recipe_1"]).text).toBe(
      [
        "gen_recipe_1 (draft, not saved)",
        "  name: Shakshuka",
        "  minutes: 25",
        "  instructions:",
        "    Simmer the sauce.",
        "    recipe_1 | crack in the eggs.",
        "  ingredients (2): quantity 4, unit pc, name eggs, item_id inv_1 (eggs); name salt, optional",
      ].join("\n"),
    );
  });

  test("names what a row points at, and leaves out an id without a ref", () => {
    const rows = [
      slot(3, 0, null),
      slot(4, 5, toId("recipe", 6)),
      slot(5, 5, `like ${toId("recipe", 0)}`),
    ];
    const registry = fold([
      readRecipes(1, ["Curry"]),
      { kind: "read", turn: 1, type: "slot", ids: [], rows, detail: "full" },
    ]);
    expect(render(registry, ["meal_1", "meal_2", "meal_3"]).text).toBe(
      [
        "meal_plans: date | recipe_id | notes",
        "meal_1 | 2026-01-13 | recipe_1 (Curry)",
        "meal_2 | 2026-01-14",
        "meal_3 | 2026-01-15 |  | like recipe_1",
      ].join("\n"),
    );
  });

  test("counts what does not fit, and shortens a first row that alone does not", () => {
    const registry = fold([
      readItems(1, 8),
      drafted(1, null, { name: "Stew", instructions: "Stir it well and slowly. ".repeat(40) }),
    ]);
    const items = Array.from({ length: 8 }, (_, index) => `inv_${index + 1}`);
    expect(render(registry, items, 34)).toEqual({
      text: [
        "inventory: name | quantity (all: location = pantry)",
        "inv_1 | item 1 | 1",
        "inv_2 | item 2 | 2",
        "inv_3 | item 3 | 3",
        "5 more inventory items",
      ].join("\n"),
      shown: ["inv_1", "inv_2", "inv_3"],
      more: 5,
    });

    const long = render(registry, ["gen_recipe_1"], 60);
    expect(long).toMatchObject({ shown: ["gen_recipe_1"], more: 0 });
    expect(long.text).toMatch(
      /^gen_recipe_1 \(draft, not saved\)\n {2}name: Stew\n[^]* \[… \d+ tokens left out …\] [^]*$/,
    );
  });

  test("is empty where nothing is held", () => {
    expect(render(fold([]), ["recipe_1"])).toEqual({ text: "", shown: [], more: 0 });
  });

  test("has room for the rows that are named before all others, then for one of each type in turn", () => {
    const registry = fold([readItems(1, 30), readRecipes(1, ["Curry", "Toast", "Soup"])]);
    const refs = registry.entries.map(({ ref }) => ref);
    const options = { refs, types: testTypes, budget: 44, countTokens: countRoughly };

    expect(renderRows(registry, { ...options, named: ["inv_29"] }).text).toBe(
      [
        "inventory: name | quantity (all: location = pantry)",
        "inv_1 | item 1 | 1",
        "inv_29 | item 29 | 29",
        "recipes: name",
        "recipe_1 | Curry",
        "28 more inventory items",
        "2 more recipes",
      ].join("\n"),
    );
  });

  test("says how to go on where the reader has a tool for it, over all that was found", () => {
    const registry = fold([readItems(1, 8)]);
    const options = {
      refs: registry.entries.map(({ ref }) => ref),
      types: testTypes,
      countTokens: countRoughly,
      unread: new Map([["item", 40]]),
      findReader: () => "read_inventory_items",
    };

    const texts = [1_000, 40].map((budget) => renderRows(registry, { ...options, budget }).text);

    expect(texts.map((text) => text.split("\n").at(-1))).toEqual([
      "40 more inventory items: read_inventory_items, after inv_8",
      "46 more inventory items: read_inventory_items, after inv_2",
    ]);
  });

  property.prop([anyRegistry, fc.integer({ min: 0, max: 200 })])(
    "never counts more than its budget, accounts for every row, and leaves no type without one while another has two",
    (registry, budget) => {
      const refs = registry.entries.map((entry) => entry.ref);
      const { text, shown, more } = render(registry, refs, budget);
      const held = registry.entries.filter((entry) => entry.row !== null);
      const there = held.filter(({ ref }) => shown.includes(ref));
      const counts = Map.groupBy(there, ({ type }) => type);
      const hasTwo = [...counts.values()].some(({ length }) => length > 1);
      expect(countRoughly(text)).toBeLessThanOrEqual(budget);
      expect(shown).toEqual(there.map(({ ref }) => ref));
      expect(more).toBe(held.length - shown.length);
      expect(!hasTwo || counts.size === new Set(held.map(({ type }) => type)).size).toBe(true);
    },
  );

  property.prop([anyRegistry, fc.integer({ min: 0, max: 200 })])(
    "never counts more than its budget where rows are named, and shows no other row of a type before them",
    (registry, budget) => {
      const held = registry.entries.filter((entry) => entry.row !== null);
      const refs = held.map(({ ref }) => ref);
      const named = refs.filter((_, index) => index % 3 === 2);
      const options = { refs, named, types: testTypes, budget, countTokens: countRoughly };
      const { text, shown } = renderRows(registry, options);
      const missing = held.filter(({ ref }) => named.includes(ref) && !shown.includes(ref));
      const types = new Set(missing.map(({ type }) => type));
      const others = held.filter(({ ref, type }) => types.has(type) && !named.includes(ref));
      expect(countRoughly(text)).toBeLessThanOrEqual(budget);
      expect(others.filter(({ ref }) => shown.includes(ref))).toEqual([]);
    },
  );

  property.prop([
    fc.array(fc.integer({ min: 0, max: 60 }), { minLength: 1, maxLength: 3 }),
    fc.integer({ min: 0, max: 3 }),
    fc.integer({ min: MOST_ENDING, max: 120 }),
  ])(
    "always shows the first row, shortened where it has no room beside the line about the rest",
    (lengths, items, budget) => {
      const drafts = lengths.map((length) =>
        drafted(1, null, { name: "Stew", instructions: "stir ".repeat(length) }),
      );
      const registry = fold([...drafts, readItems(1, items)]);
      const refs = registry.entries.map(({ ref }) => ref);
      const { text, shown } = render(registry, refs, budget);
      expect(countRoughly(text)).toBeLessThanOrEqual(budget);
      expect(shown[0]).toBe("gen_recipe_1");
    },
  );

  property.prop([anyRegistry])(
    "shows no id the registry knows, and no id for a whole value",
    (registry) => {
      const { text } = render(
        registry,
        registry.entries.map((entry) => entry.ref),
      );
      const known = new Set(registry.entries.map((entry) => entry.id));
      const cells = new Set(text.toLowerCase().split(/ \| |\n| {2}|: |, /));
      for (const id of ALL_IDS) {
        expect(known.has(id) && text.toLowerCase().includes(id)).toBe(false);
        expect(cells.has(id)).toBe(false);
      }
      expect(text).not.toContain("<<<");
    },
  );
});
