import { fc, test as property } from "@fast-check/vitest";
import { describe, expect, test } from "vitest";
import {
  renderChoices,
  renderDrafts,
  renderListed,
  type WorkingSetDetail,
} from "../../registry/render-working-set.ts";
import { computeWorkingSet, type WorkingSet } from "../../registry/working-set.ts";
import type { Registry, RegistryEvent } from "../../state/registry.ts";
import { anyRegistry, countRoughly } from "../support/arbitraries.ts";
import { curated, drafted, fold, readItems, readRecipes } from "../support/registry-events.ts";

const LIMITS = { choiceLines: 24, choiceTokens: 500, excludedTokens: 250 };
const FOR_MODELS: WorkingSetDetail = {
  refs: true,
  facts: false,
  limits: LIMITS,
  countTokens: countRoughly,
};

const judged = (turn: number, type: string, title: string, refs: string[]): RegistryEvent => ({
  kind: "judged",
  turn,
  type,
  refs,
  of: null,
  title,
  conclusion: "",
  topic: null,
});

const REGISTRY = fold([
  readItems(1, 4),
  judged(1, "item", "what to use up", ["inv_1", "inv_2", "inv_3"]),
  readRecipes(2, ["Curry", "Toast", "Wings", "Soup", "Soup"]),
  judged(2, "recipe", "dinners this week", [
    "recipe_1",
    "recipe_2",
    "recipe_3",
    "recipe_4",
    "recipe_5",
  ]),
  { kind: "listed", turn: 2, refs: ["recipe_1", "recipe_3"] },
  curated(3, {
    demote: [
      { ref: "recipe_3", reason: "not in the mood" },
      { ref: "recipe_2", reason: "not wanted" },
      { ref: "inv_4", reason: "not wanted" },
    ],
  }),
  curated(5, { restore: [{ ref: "recipe_2", reason: "welcome again" }] }),
  drafted(5, null, { name: "Shakshuka" }),
]);

function view(registry: Registry): WorkingSet {
  return computeWorkingSet({ registry, events: [], turn: 6, understanding: null });
}

describe("renderChoices()", () => {
  test("shows what is left of the choice in focus, the others on a line, and why things are out", () => {
    expect(renderChoices(view(REGISTRY), FOR_MODELS)).toBe(
      [
        "dinners this week (choice_2, recipe): 4 left of 5",
        "1. recipe_1 Curry",
        "2. recipe_2 Toast (brought back in turn 5)",
        "3. recipe_4 Soup",
        "4. recipe_5 Soup",
        "Also open: what to use up (choice_1, item): 3 left of 4: item 1, item 2, item 3; last touched in turn 1",
        "Left out: not in the mood (turn 3): recipe_3 Wings",
        "Left out elsewhere: not wanted (turn 3): inv_4 item 4",
      ].join("\n"),
    );
  });

  test("shows the node that speaks no ref, and tells equal labels apart by their facts", () => {
    const registry = fold([
      readRecipes(1, ["Soup", "Soup"]),
      judged(1, "recipe", "soups", ["recipe_1", "recipe_2"]),
    ]);
    const facts = registry.entries.map((entry, index) => ({ ...entry, facts: `${index + 1} h` }));
    const set = view({ ...registry, entries: facts });
    expect(renderChoices(set, { ...FOR_MODELS, refs: false })).toBe(
      ["soups: 2 left of 2", "1. Soup: 1 h", "2. Soup: 2 h"].join("\n"),
    );
  });

  test("counts what has no room", () => {
    const limits = { choiceLines: 2, choiceTokens: 60, excludedTokens: 20 };
    expect(renderChoices(view(REGISTRY), { ...FOR_MODELS, limits })).toBe(
      [
        "dinners this week (choice_2, recipe): 4 left of 5",
        "1. recipe_1 Curry",
        "2. recipe_2 Toast (brought back in turn 5)",
        "and 2 more: recipe_4, recipe_5",
        "Also open: what to use up (choice_1, item): 3 left of 4; last touched in turn 1",
        "Left out: not in the mood (turn 3): recipe_3 Wings",
        "and 1 more left out earlier",
      ].join("\n"),
    );
  });

  test("is empty where nothing is chosen from", () => {
    expect(renderChoices(view(fold([readRecipes(1, ["Curry"])])), FOR_MODELS)).toBe("");
  });
});

test("renderListed() keeps the numbers of what was left out since", () => {
  expect(renderListed(view(REGISTRY), FOR_MODELS)).toBe(
    "1. recipe_1 Curry\n2. recipe_3 Wings (left out)",
  );
});

test("renderDrafts() names what is not saved", () => {
  expect(renderDrafts(view(REGISTRY), { refs: false })).toBe("- Shakshuka, not saved");
});

property.prop([anyRegistry, fc.integer({ min: 1, max: 6 }), fc.boolean()])(
  "every ref that is left stands in the choice in focus, as a line or among the rest",
  (registry, choiceLines, facts) => {
    const set = view(registry);
    const limits = { ...LIMITS, choiceLines, choiceTokens: 10_000 };
    const text = renderChoices(set, { ...FOR_MODELS, facts, limits });
    const [focus] = set.choices;
    const shown = focus?.left.slice(0, choiceLines).filter(({ ref }) => !text.includes(ref)) ?? [];
    expect(shown).toEqual([]);
  },
);
