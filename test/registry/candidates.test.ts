import { fc, test as property } from "@fast-check/vitest";
import { describe, expect, test } from "vitest";
import type { Candidates } from "../../state/registry.ts";
import { applyEvent } from "../../registry/apply-event.ts";
import { setCandidates, viableByType, viableRefs } from "../../registry/candidates.ts";
import { findEntry } from "../../registry/entries.ts";
import { testTypes } from "../support/entity-types.ts";
import { anyRef, anyRegistry } from "../support/arbitraries.ts";
import {
  curated,
  drafted,
  fold,
  readItems,
  readRecipes,
  recipeRow,
  written,
} from "../support/registry-events.ts";

const nine = ["Cod 1", "Cod 2", "Curry", "Omelette", "Toast", "Wings", "Cod 7", "Soup", "Rice"];
const demote = (turn: number, refs: readonly string[]): ReturnType<typeof curated> =>
  curated(turn, { demote: refs.map((ref) => ({ ref, reason: "" })) });
const restore = (turn: number, ref: string): ReturnType<typeof curated> =>
  curated(turn, { restore: [{ ref, reason: "" }] });
const judged = (turn: number, refs: string[]): Candidates => ({
  type: "recipe",
  refs,
  conclusion: "fit the pantry",
  turn,
});

describe("viableRefs()", () => {
  const read = fold([readRecipes(1, nine), readItems(1, 3)]);
  const six = ["recipe_3", "recipe_4", "recipe_5", "recipe_6", "recipe_8", "recipe_9"];

  test("narrows as the seed's conversation does", () => {
    const noCod = applyEvent(read, demote(2, ["recipe_1", "recipe_2", "recipe_7"]), testTypes);
    expect(viableRefs(noCod, [], "recipe")).toEqual(six);
    const candidates = [judged(2, six)];
    const later = applyEvent(noCod, demote(3, ["recipe_5", "recipe_6"]), testTypes);
    expect(viableRefs(later, candidates, "recipe")).toEqual([
      "recipe_3",
      "recipe_4",
      "recipe_8",
      "recipe_9",
    ]);
    const back = applyEvent(later, restore(4, "recipe_6"), testTypes);
    expect(viableRefs(back, candidates, "recipe")).toEqual([
      "recipe_3",
      "recipe_4",
      "recipe_6",
      "recipe_8",
      "recipe_9",
    ]);
  });

  test("takes in what was restored since the analysis, not what was restored before it", () => {
    const restored = fold([demote(2, ["recipe_1"]), restore(3, "recipe_1")], read);
    expect(viableRefs(restored, [judged(3, ["recipe_4"])], "recipe")).toEqual([
      "recipe_4",
      "recipe_1",
    ]);
    expect(viableRefs(restored, [judged(4, ["recipe_4"])], "recipe")).toEqual(["recipe_4"]);
  });

  test("leaves out deleted and forgotten candidates", () => {
    const gone = fold(
      [
        written(2, { row: recipeRow(2, { name: "Curry" }), action: "deleted" }),
        curated(2, { drop: ["recipe_4"] }),
      ],
      read,
    );
    expect(viableRefs(gone, [judged(1, ["recipe_3", "recipe_4", "recipe_5"])], "recipe")).toEqual([
      "recipe_5",
    ]);
  });

  test("without an analysis, counts what is saved and held", () => {
    const registry = fold([readRecipes(1, ["Curry"]), drafted(1, null, { name: "Idea" })]);
    expect(viableRefs(registry, [], "recipe")).toEqual(["recipe_1"]);
  });

  property.prop([anyRegistry, fc.array(anyRef, { maxLength: 5 }), fc.integer({ min: 1, max: 6 })])(
    "is a subset of what exists, and nothing demoted is in it until it is restored",
    (registry, refs, turn) => {
      const candidates = [judged(turn, refs)];
      for (const viable of [
        viableRefs(registry, candidates, "recipe"),
        viableRefs(registry, [], "slot"),
      ]) {
        expect(new Set(viable).size).toBe(viable.length);
        for (const ref of viable) {
          expect(findEntry(registry, ref)).toMatchObject({ demotion: null });
          expect(findEntry(registry, ref)?.action).not.toBe("deleted");
        }
      }
      for (const ref of viableRefs(registry, candidates, "recipe")) {
        const out = applyEvent(registry, demote(9, [ref]), testTypes);
        expect(viableRefs(out, candidates, "recipe")).not.toContain(ref);
        const back = applyEvent(out, restore(10, ref), testTypes);
        expect(viableRefs(back, candidates, "recipe")).toContain(ref);
      }
    },
  );
});

describe("setCandidates()", () => {
  test("replaces the types that were judged and keeps the others", () => {
    const items: Candidates = { type: "item", refs: ["inv_1"], conclusion: "fresh", turn: 1 };
    const before = [judged(1, ["recipe_1"]), items];
    expect(setCandidates(before, [judged(2, ["recipe_2"])])).toEqual([
      judged(2, ["recipe_2"]),
      items,
    ]);
    expect(setCandidates([items], [judged(2, [])])).toEqual([items, judged(2, [])]);
  });
});

describe("viableByType()", () => {
  test("names the types that were judged or narrowed, in order of appearance", () => {
    const registry = fold([readItems(1, 2), readRecipes(1, ["Curry", "Wings"])]);
    expect(viableByType(registry, [])).toEqual([]);
    expect(viableByType(registry, [judged(1, ["recipe_2"])])).toEqual([
      { type: "recipe", refs: ["recipe_2"] },
    ]);
    const narrowed = fold([demote(2, ["inv_1"])], registry);
    expect(viableByType(narrowed, [judged(1, ["recipe_2"])])).toEqual([
      { type: "item", refs: ["inv_2"] },
      { type: "recipe", refs: ["recipe_2"] },
    ]);
  });

  test("says that nothing is left", () => {
    const registry = fold([readRecipes(1, ["Curry"]), demote(2, ["recipe_1"])]);
    expect(viableByType(registry, [judged(1, ["recipe_1"])])).toEqual([
      { type: "recipe", refs: [] },
    ]);
  });
});
