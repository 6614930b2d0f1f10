import { test as property } from "@fast-check/vitest";
import { describe, expect, test } from "vitest";
import { checkCuration, decidesSomething } from "../../registry/curation.ts";
import { findEntry } from "../../registry/entries.ts";
import { anyCuration, anyRegistry } from "../support/arbitraries.ts";
import {
  curated,
  fold,
  NO_CURATION,
  readRecipes,
  recipeRow,
  written,
} from "../support/registry-events.ts";

const registry = fold([
  readRecipes(1, ["Miso Cod", "Toast", "Wings", "Soup"]),
  curated(2, { demote: [{ ref: "recipe_3", reason: "" }] }),
  written(2, { row: recipeRow(3, { name: "Soup" }), action: "deleted" }),
]);
const decide = (ref: string, reason = "said so"): { ref: string; reason: string } => ({
  ref,
  reason,
});

describe("checkCuration()", () => {
  test("lets possible decisions through, repeated ones once", () => {
    const curation = {
      ...NO_CURATION,
      demote: [decide("recipe_1", "cod"), decide("recipe_1", "again")],
      restore: [decide("recipe_3")],
      retain: [decide("recipe_2")],
      // It was deleted.
      drop: ["recipe_4"],
      summary: "No cod",
    };
    expect(checkCuration(registry, curation)).toEqual({
      curation: { ...curation, demote: [decide("recipe_1", "cod")] },
      problems: [],
    });
  });

  test.each([
    [
      { demote: [decide("recipe_9")] },
      'Cannot demote "recipe_9": it does not exist in this conversation; known refs near it: recipe_3, recipe_2, recipe_1',
    ],
    [
      { drop: ["inv_1"] },
      'Cannot drop "inv_1": it does not exist in this conversation; no such ref is known',
    ],
    [{ restore: [decide("recipe_4")] }, 'Cannot restore "recipe_4": it was deleted ("Soup")'],
    [
      { clearAll: true, retain: [decide("recipe_1")] },
      'Cannot retain "recipe_1": everything is forgotten in the same turn',
    ],
  ])("takes out what cannot be done and says why: %j", (given, problem) => {
    const curation = { ...NO_CURATION, ...given };
    expect(checkCuration(registry, curation)).toEqual({
      curation: { ...NO_CURATION, clearAll: curation.clearAll },
      problems: [problem],
    });
  });

  test.each([
    ["what is out comes back", "recipe_3", "restore"],
    ["what is in goes out", "recipe_1", "demote"],
  ] as const)("of demote and restore, %s", (_, ref, stands) => {
    const both = { ...NO_CURATION, demote: [decide(ref)], restore: [decide(ref)] };
    const loses = stands === "demote" ? "restore" : "demote";
    expect(checkCuration(registry, both)).toEqual({
      curation: { ...NO_CURATION, [stands]: [decide(ref)] },
      problems: [`Cannot ${loses} "${ref}": the same turn asks to ${stands} it, which stands`],
    });
  });

  test("demote stands before retain, drop before all, and retain goes with restore", () => {
    const all = {
      ...NO_CURATION,
      drop: ["recipe_2"],
      demote: [decide("recipe_1"), decide("recipe_2")],
      retain: [decide("recipe_1"), decide("recipe_3")],
      restore: [decide("recipe_3")],
    };
    expect(checkCuration(registry, all)).toEqual({
      curation: {
        ...NO_CURATION,
        drop: ["recipe_2"],
        demote: [decide("recipe_1")],
        retain: [decide("recipe_3")],
        restore: [decide("recipe_3")],
      },
      problems: [
        'Cannot demote "recipe_2": the same turn asks to drop it, which stands',
        'Cannot retain "recipe_1": the same turn asks to demote it, which stands',
      ],
    });
  });

  property.prop([anyRegistry, anyCuration])(
    "leaves only decisions on existing refs, at most one way each, and is settled by one check",
    (known, curation) => {
      const checked = checkCuration(known, curation).curation;
      const decided = [...checked.retain, ...checked.demote, ...checked.restore].map(
        ({ ref }) => ref,
      );
      for (const ref of [...decided, ...checked.drop]) {
        expect(findEntry(known, ref)).toBeDefined();
      }
      for (const { ref } of checked.demote) {
        expect([...checked.retain, ...checked.restore].map((one) => one.ref)).not.toContain(ref);
      }
      for (const ref of checked.drop) expect(decided).not.toContain(ref);
      expect(checkCuration(known, checked)).toEqual({ curation: checked, problems: [] });
    },
  );
});

test("decidesSomething() tells an empty curation from one that acts", () => {
  expect(decidesSomething({ ...NO_CURATION, summary: "Nothing" })).toBe(false);
  expect(decidesSomething({ ...NO_CURATION, clearAll: true })).toBe(true);
  expect(decidesSomething({ ...NO_CURATION, drop: ["recipe_1"] })).toBe(true);
});
