import { test as property } from "@fast-check/vitest";
import { describe, expect, test } from "vitest";
import { toolOutcome } from "../support/tool-outcome.ts";
import type { Registry } from "../../state/registry.ts";
import type { ToolOutcome } from "../../state/tool.ts";
import { toRegistryEvents } from "../../registry/outcome-events.ts";
import { renderOutcome, summariseOutcome } from "../../registry/render-outcome.ts";
import { testTypes } from "../support/entity-types.ts";
import { ALL_IDS, anyRegistry, countRoughly, toId, nastyText } from "../support/arbitraries.ts";
import {
  curated,
  drafted,
  fold,
  readRecipes,
  recipeRow,
  toolRead,
} from "../support/registry-events.ts";

function render(outcome: ToolOutcome, registry: Registry): string {
  return renderOutcome(outcome, {
    registry,
    types: testTypes,
    budget: 1_000,
    countTokens: countRoughly,
  });
}

function run(outcome: ToolOutcome, before: Registry = fold([])): string {
  return render(outcome, fold(toRegistryEvents(outcome, { turn: 3 }), before));
}

const three = [
  recipeRow(0, { name: "Curry" }),
  recipeRow(1, { name: "Toast" }),
  recipeRow(2, { name: "Wings" }),
];

describe("renderOutcome()", () => {
  test("says what was found, with refs and rows", () => {
    expect(run(toolOutcome({ reads: [toolRead("recipe", three)] }))).toBe(
      [
        "Found 3 recipes: recipe_1 through recipe_3",
        "recipes: name",
        "recipe_1 | Curry",
        "recipe_2 | Toast",
        "recipe_3 | Wings",
      ].join("\n"),
    );
  });

  test("says since when a read from memory is known, how many there are in all, and what is excluded", () => {
    const before = fold([
      readRecipes(1, ["Curry", "Toast", "Wings"]),
      curated(2, { demote: [{ ref: "recipe_3", reason: "" }] }),
    ]);
    const read = { ...toolRead("recipe", three), rows: [], suppressed: true, total: 7 };
    expect(run(toolOutcome({ reads: [read] }), before)).toBe(
      [
        "Found 3 recipes of 7 (unchanged since turn 1, from memory; 1 excluded earlier, not shown): recipe_1, recipe_2",
        "recipes: name",
        "recipe_1 | Curry",
        "recipe_2 | Toast",
        "4 more recipes",
      ].join("\n"),
    );
  });

  test("shows what was excluded when it was asked for alone", () => {
    const before = fold([
      readRecipes(1, ["Curry", "Toast"]),
      curated(2, { demote: [{ ref: "recipe_2", reason: "" }] }),
    ]);
    expect(run(toolOutcome({ reads: [toolRead("recipe", three.slice(1, 2))] }), before)).toBe(
      "Found 1 recipe: recipe_2\nrecipes: name\nrecipe_2 | Toast",
    );
  });

  test("says that nothing was found", () => {
    expect(run(toolOutcome({ reads: [toolRead("recipe", [])] }))).toBe("Found no recipes");
  });

  test("says row by row what was written and what was not", () => {
    const before = fold([drafted(1, null, { name: "Pesto" }), drafted(1, null, { name: "Ragù" })]);
    const outcome = toolOutcome({
      writes: [
        {
          action: "created",
          type: "recipe",
          row: recipeRow(4, { name: "Pesto", minutes: 15 }),
          draft: "gen_recipe_1",
          follows: false,
          change: null,
        },
      ],
      failures: [
        { ref: "gen_recipe_2", label: "Ragù", reason: `the name is taken by ${toId("recipe", 4)}` },
      ],
      text: `Row ${toId("recipe", 4)}; ${toId("recipe", 7)}`,
    });
    expect(run(outcome, before)).toBe(
      [
        "Created gen_recipe_1 Pesto: 15 min",
        "Not done: gen_recipe_2 Ragù (the name is taken by gen_recipe_1)",
        "Row gen_recipe_1; [id]",
      ].join("\n"),
    );
  });

  test("counts many writes instead of naming each", () => {
    const writes = Array.from({ length: 12 }, (_, index) => ({
      action: "deleted" as const,
      type: "recipe",
      row: recipeRow(index, { name: `Dish ${index}` }),
      draft: null,
      change: null,
      follows: false,
    }));
    expect(run(toolOutcome({ writes }))).toBe("Deleted 12 recipes: recipe_1 through recipe_12");
  });

  property.prop([anyRegistry, nastyText, nastyText])(
    "lets no database id through, whatever rows, reasons and texts hold",
    (registry, one, other) => {
      const outcome = toolOutcome({
        reads: [
          toolRead("recipe", [
            recipeRow(0, { name: one, instructions: other, parent_id: toId("recipe", 5) }),
          ]),
        ],
        failures: [{ ref: null, label: other, reason: one }],
        text: `${one} ${other}`,
      });
      const text = run(outcome, registry);
      const known = new Set(
        fold(toRegistryEvents(outcome, { turn: 3 }), registry).entries.map((entry) => entry.id),
      );
      for (const id of ALL_IDS.filter((each) => known.has(each))) {
        expect(text.toLowerCase()).not.toContain(id);
      }
      expect(text).not.toContain("<<<");
    },
  );
});

describe("summariseOutcome()", () => {
  test.each([
    [{ reads: [toolRead("recipe", three)] }, "Found 3 recipes"],
    [{ reads: [toolRead("recipe", [])] }, "Found no recipes"],
    [{ reads: [{ ...toolRead("recipe", three), total: 9 }] }, "Found 3 recipes of 9"],
    [{ text: "The page has no recipe" }, "The page has no recipe"],
    [
      {
        writes: three.slice(0, 2).map((row) => ({
          action: "created" as const,
          type: "recipe",
          row,
          draft: null,
          follows: false,
          change: null,
        })),
        failures: [{ ref: null, label: "Wings", reason: "no name" }],
      },
      "Created 2 recipes; 1 not done: Wings (no name)",
    ],
  ])("says it in one line: %#", (given, line) => {
    expect(summariseOutcome(toolOutcome(given), testTypes)).toBe(line);
  });
});
