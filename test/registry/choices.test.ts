import { fc, test as property } from "@fast-check/vitest";
import { describe, expect, test } from "vitest";
import { listChoiceEntries } from "../../registry/choices.ts";
import { computeWorkingSet } from "../../registry/working-set.ts";
import type { Registry, RegistryEvent } from "../../state/registry.ts";
import { anyEvents } from "../support/arbitraries.ts";
import {
  curated,
  fold,
  readItems,
  readRecipes,
  recipeRow,
  written,
} from "../support/registry-events.ts";

const NAMES = ["Curry", "Toast", "Wings", "Soup"];

const listed = (turn: number, refs: readonly string[]): RegistryEvent => ({
  kind: "listed",
  turn,
  refs: [...refs],
});

const judged = (
  turn: number,
  refs: readonly string[],
  topic: string | null = null,
): Extract<RegistryEvent, { kind: "judged" }> => ({
  kind: "judged",
  turn,
  type: "recipe",
  refs: [...refs],
  of: null,
  title: "dinners this week",
  conclusion: `${refs.length} fit`,
  topic,
});

const exclude = (turn: number, ref: string): RegistryEvent =>
  curated(turn, { demote: [{ ref, reason: "not wanted" }] });

const restore = (turn: number, ref: string): RegistryEvent =>
  curated(turn, { restore: [{ ref, reason: "welcome again" }] });

const RECIPES = ["recipe_1", "recipe_2", "recipe_3", "recipe_4"];
const SHOWN = [readRecipes(1, NAMES), listed(1, RECIPES)];

function describeChoices({ choices }: Registry): string[] {
  return choices.map(({ id, title, refs, of }) => `${id} ${title}: ${refs.join(" ")} of ${of}`);
}

test("touchChoices() opens no choice from a list of which one thing is left", () => {
  const gone = { kind: "written", turn: 2, type: "recipe", action: "deleted" } as const;
  const [row] = readRecipes(1, NAMES.slice(0, 1)).rows;
  if (row === undefined) throw new Error("The read has no row");
  const registry = fold([
    readRecipes(1, NAMES),
    listed(1, RECIPES.slice(0, 2)),
    { ...gone, row, draft: null, byUser: false },
    { kind: "referenced", turn: 3, refs: ["recipe_2"] },
  ]);
  expect(registry.choices).toEqual([]);
});

test("judgeChoice() counts what was judged, not all that is known", () => {
  const [read] = SHOWN;
  const registry = fold([
    ...(read === undefined ? [] : [read]),
    { ...judged(2, ["recipe_2"]), of: 2 },
    { ...judged(3, ["recipe_3"]), of: null },
  ]);
  expect(describeChoices(registry)).toEqual([
    "choice_1 dinners this week: recipe_2 of 2",
    "choice_2 dinners this week: recipe_3 of 4",
  ]);
});

describe("a list", () => {
  test("is no choice by itself", () => {
    expect(fold(SHOWN).choices).toEqual([]);
  });

  test("becomes one when something in it is left out", () => {
    const registry = fold([...SHOWN, exclude(2, "recipe_3")]);
    expect(registry.choices).toEqual([
      {
        id: "choice_1",
        type: "recipe",
        title: "recipes",
        refs: RECIPES,
        of: 4,
        basis: "list",
        conclusion: "",
        openedTurn: 2,
        touchedTurn: 2,
      },
    ]);
  });

  test("of two types becomes a choice of the type that is named", () => {
    const mixed = [
      readRecipes(1, NAMES),
      readItems(1, 2),
      listed(1, ["inv_1", ...RECIPES, "inv_2"]),
    ];
    const registry = fold([...mixed, { kind: "referenced", turn: 2, refs: ["inv_2"] }]);
    expect(describeChoices(registry)).toEqual(["choice_1 inventory items: inv_1 inv_2 of 2"]);
  });

  test("of one is none", () => {
    const one = [readRecipes(1, ["Curry"]), listed(1, ["recipe_1"])];
    expect(fold([...one, exclude(2, "recipe_1")]).choices).toEqual([]);
  });
});

describe("an analysis", () => {
  test("opens a choice, from all that were there", () => {
    const registry = fold([readRecipes(1, NAMES), judged(1, ["recipe_1", "recipe_2"])]);
    expect(describeChoices(registry)).toEqual([
      "choice_1 dinners this week: recipe_1 recipe_2 of 4",
    ]);
  });

  test("replaces what is left of the choice it is about, and keeps what was left out", () => {
    const registry = fold([...SHOWN, exclude(2, "recipe_3"), judged(3, ["recipe_4", "recipe_1"])]);
    expect(describeChoices(registry)).toEqual([
      "choice_1 dinners this week: recipe_4 recipe_1 recipe_3 of 4",
    ]);
  });

  test("opens another choice of the same type where the message asks for one", () => {
    const registry = fold([
      readRecipes(1, NAMES),
      judged(1, ["recipe_1", "recipe_2"]),
      judged(2, ["recipe_2", "recipe_3"], "new"),
      judged(3, ["recipe_4"], "choice_1"),
    ]);
    expect(describeChoices(registry)).toEqual([
      "choice_2 dinners this week: recipe_2 recipe_3 of 4",
      "choice_1 dinners this week: recipe_4 of 4",
    ]);
  });
});

describe("an open choice", () => {
  const open = fold([readRecipes(1, NAMES), judged(1, ["recipe_1", "recipe_2"])]);

  test("takes in what is brought back", () => {
    const registry = fold([exclude(1, "recipe_3"), restore(4, "recipe_3")], open);
    expect(describeChoices(registry)).toEqual([
      "choice_1 dinners this week: recipe_1 recipe_2 recipe_3 of 4",
    ]);
    const [choice] = computeWorkingSet({
      registry,
      events: [],
      turn: 4,
      understanding: null,
    }).choices;
    expect(choice?.left.map(({ ref, restoredTurn }) => [ref, restoredTurn])).toEqual([
      ["recipe_1", null],
      ["recipe_2", null],
      ["recipe_3", 4],
    ]);
  });

  test("comes into focus when a row of it is named, or its id", () => {
    const both = fold([readItems(2, 3), { ...judged(2, ["inv_1", "inv_2"]), type: "item" }], open);
    const named = fold([{ kind: "referenced", turn: 3, refs: ["recipe_2"] }], both);
    const asked = fold([{ kind: "focused", turn: 4, choice: "choice_2" }], named);
    expect([both, named, asked].map(({ choices }) => choices.at(-1)?.id)).toEqual([
      "choice_2",
      "choice_1",
      "choice_2",
    ]);
  });

  test("closes when nothing of it exists any more", () => {
    const rows = [0, 1].map((index) => recipeRow(index, { name: NAMES[index] ?? "" }));
    const gone = rows.map((row) => written(5, { row, action: "deleted" }));
    expect(fold(gone, open).choices).toEqual([]);
  });

  test("closes with everything else, and its number is not used again", () => {
    const registry = fold(
      [curated(2, { clearAll: true }), readRecipes(3, NAMES), judged(3, ["recipe_5"])],
      open,
    );
    expect(registry.choices.map(({ id }) => id)).toEqual(["choice_2"]);
  });
});

property.prop([anyEvents])(
  "a choice never mixes types, and offers nothing that was left out or is gone",
  (events) => {
    const registry = fold(events);
    const set = computeWorkingSet({ registry, events: [], turn: 9, understanding: null });
    const entries = new Map(registry.entries.map((entry) => [entry.ref, entry]));
    for (const choice of registry.choices) {
      const types = listChoiceEntries(registry, choice).map(({ type }) => type);
      expect(new Set(types).size).toBeLessThanOrEqual(1);
    }
    const left = set.choices.flatMap((choice) => choice.left);
    expect(
      left.filter(({ ref }) => {
        const entry = entries.get(ref);
        return entry === undefined || entry.demotion !== null || entry.action === "deleted";
      }),
    ).toEqual([]);
    const out = registry.entries.filter(
      ({ demotion, action }) => demotion !== null && action !== "deleted",
    );
    const named = [...set.choices.flatMap(({ excluded }) => excluded), ...set.excludedElsewhere];
    expect(new Set(named.map(({ ref }) => ref))).toEqual(new Set(out.map(({ ref }) => ref)));
  },
);

property.prop([anyEvents, fc.nat()])(
  "the same events in two halves give the same choices",
  (events, at) => {
    const middle = events.length === 0 ? 0 : at % events.length;
    const halves = fold(events.slice(middle), fold(events.slice(0, middle)));
    expect(halves.choices).toEqual(fold(events).choices);
  },
);
