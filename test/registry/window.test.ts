import { fc, test as property } from "@fast-check/vitest";
import { describe, expect, test } from "vitest";
import type { Registry, RegistryEntry } from "../../state/registry.ts";
import { applyEvent } from "../../registry/apply-event.ts";
import { EMPTY_REGISTRY, findEntry, isUnsavedDraft } from "../../registry/entries.ts";
import { compareRefs } from "../../registry/refs.ts";
import { activeEntries, closeTurn, hiddenRefs, isActive } from "../../registry/window.ts";
import { testTypes } from "../support/entity-types.ts";
import { anyEvents, anyRegistry, toId } from "../support/arbitraries.ts";
import {
  curated,
  drafted,
  fold,
  readItems,
  readRecipes,
  recipeRow,
  written,
} from "../support/registry-events.ts";

const roomy = { openChoices: 4, rowsHeld: 150, registryRefs: 400, deletedRefTurns: 20 };

describe("isActive()", () => {
  const registry = fold([readRecipes(1, ["Curry"])]);

  test.each([
    [1, true],
    [3, true],
    [4, false],
  ])("counts this turn and the last two: turn %i", (turn, active) => {
    expect(registry.entries.map((entry) => isActive(entry, { turn, window: 2 }))).toEqual([active]);
  });

  test("keeps what is retained and drafts, not what is out or deleted", () => {
    const later = fold([
      readRecipes(1, ["Curry", "Toast", "Wings", "Soup"]),
      drafted(1, null, { name: "Shakshuka" }),
      curated(1, {
        retain: [{ ref: "recipe_1", reason: "for sunday" }],
        demote: [{ ref: "recipe_3", reason: "" }],
      }),
      written(1, { row: recipeRow(3, { name: "Soup" }), action: "deleted" }),
    ]);
    const refs = (turn: number): string[] =>
      activeEntries(later, { turn, window: 2 }).map((entry) => entry.ref);
    expect(refs(2)).toEqual(["recipe_1", "recipe_2", "gen_recipe_1"]);
    expect(refs(9)).toEqual(["recipe_1", "gen_recipe_1"]);
    expect(hiddenRefs(later)).toEqual(["recipe_3"]);
  });
});

describe("closeTurn()", () => {
  test("lets rows go with the window, and keeps drafts and what is retained", () => {
    const registry = fold([
      readRecipes(1, ["Curry", "Toast"]),
      drafted(1, null, { name: "Shakshuka" }),
      curated(1, { retain: [{ ref: "recipe_1", reason: "for sunday" }] }),
    ]);
    expect(heldAfter(registry, 2)).toEqual(["recipe_1", "recipe_2", "gen_recipe_1"]);
    expect(heldAfter(registry, 3)).toEqual(["recipe_1", "gen_recipe_1"]);
    expect(findEntry(closeTurn(registry, at(3)).registry, "recipe_2")).toMatchObject({
      row: null,
      rowVersion: null,
      detail: "none",
      label: "Toast",
    });
  });

  test("keeps a demoted row, hidden, for the window after its demotion", () => {
    const registry = fold([
      readRecipes(1, ["Curry", "Wings"]),
      curated(3, { demote: [{ ref: "recipe_2", reason: "" }] }),
    ]);
    expect(heldAfter(registry, 3)).toEqual(["recipe_2"]);
    expect(heldAfter(registry, 4)).toEqual(["recipe_2"]);
    expect(heldAfter(registry, 5)).toEqual([]);
  });

  test("over the cap, a long list leaves other types of its turn their rows", () => {
    const registry = fold([readItems(2, 6), readRecipes(2, ["Curry", "Toast"])]);
    const limits = { ...roomy, rowsHeld: 4 };
    expect(held(closeTurn(registry, { ...at(2), limits }).registry)).toEqual([
      "inv_1",
      "inv_2",
      "recipe_1",
      "recipe_2",
    ]);
  });

  test("over the cap, the longest unreferenced rows go, of a list its end", () => {
    const registry = fold([
      readRecipes(1, ["Curry", "Toast"]),
      drafted(1, null, { name: "Shakshuka" }),
      readItems(2, 3),
    ]);
    const limits = { ...roomy, rowsHeld: 4 };
    const closed = closeTurn(registry, { ...at(2), limits });
    expect(held(closed.registry)).toEqual(["recipe_1", "gen_recipe_1", "inv_1", "inv_2", "inv_3"]);
    expect(closed.left).toEqual([]);
  });

  test("over the cap of refs, the longest unreferenced entries leave", () => {
    const registry = fold([
      readRecipes(1, ["Curry", "Toast"]),
      drafted(1, null, { name: "Shakshuka" }),
      curated(1, { retain: [{ ref: "recipe_1", reason: "for sunday" }] }),
      readItems(2, 2),
      { kind: "referenced", turn: 3, refs: ["inv_1"] },
      readItems(8, 1),
    ]);
    const limits = { ...roomy, registryRefs: 3 };
    const { registry: after, left } = closeTurn(registry, { ...at(8), limits });
    expect(left.map((entry) => [entry.ref, entry.row])).toEqual([
      ["recipe_2", null],
      ["inv_2", null],
    ]);
    expect(after.entries.map((entry) => entry.ref)).toEqual(["recipe_1", "gen_recipe_1", "inv_1"]);
    expect(after.counters).toEqual(registry.counters);
  });

  test("a deleted entity leaves some turns later, and nothing else with it", () => {
    const registry = fold([
      readRecipes(1, ["Curry", "Toast", "Soup"]),
      written(2, { row: recipeRow(1, { name: "Toast" }), action: "deleted" }),
    ]);
    const limits = { ...roomy, deletedRefTurns: 5 };
    const leftAt = (turn: number): string[] =>
      closeTurn(registry, { ...at(turn), limits }).left.map(({ ref }) => ref);
    expect(leftAt(6)).toEqual([]);
    expect(leftAt(7)).toEqual(["recipe_2"]);
  });

  test("an entity that a held row points at does not leave", () => {
    const registry = fold([
      readRecipes(1, ["Broth"]),
      {
        ...readRecipes(6, []),
        rows: [recipeRow(1, { name: "Stew", parent_id: toId("recipe", 0) })],
      },
    ]);
    const limits = { ...roomy, registryRefs: 1 };
    expect(closeTurn(registry, { ...at(6), limits }).left).toEqual([]);
    expect(closeTurn(registry, { ...at(9), limits }).left.map((entry) => entry.ref)).toEqual([
      "recipe_1",
    ]);
  });

  const caps = fc.record({
    rowsHeld: fc.integer({ min: 1, max: 5 }),
    registryRefs: fc.integer({ min: 1, max: 8 }),
    openChoices: fc.integer({ min: 1, max: 3 }),
    deletedRefTurns: fc.integer({ min: 1, max: 5 }),
  });
  const turns = fc.integer({ min: 1, max: 8 });

  property.prop([anyRegistry, turns, fc.integer({ min: 1, max: 3 }), caps])(
    "never lets go of a draft, what is retained, or what is active",
    (registry, turn, window, limits) => {
      const { registry: after, left } = closeTurn(registry, { turn, window, limits });
      for (const entry of left) {
        expect(isUnsavedDraft(entry)).toBe(false);
        expect(entry.retention).toBeNull();
        expect(isActive(entry, { turn: turn + 1, window })).toBe(false);
      }
      for (const draft of registry.entries.filter(isUnsavedDraft)) {
        expect(findEntry(after, draft.ref)).toEqual(draft);
      }
    },
  );

  property.prop([anyRegistry, turns, caps])(
    "changes only what is held, loses no entry, and keeps the order",
    (registry, turn, limits) => {
      const { registry: after, left } = closeTurn(registry, { turn, window: 2, limits });
      const all = [...after.entries, ...left].map(withoutContent);
      expect(all.toSorted(byRef)).toEqual(registry.entries.map(withoutContent).toSorted(byRef));
      const kept = new Set(after.entries.map((entry) => entry.ref));
      expect(after.entries.map((entry) => entry.ref)).toEqual(
        registry.entries.map((entry) => entry.ref).filter((ref) => kept.has(ref)),
      );
      expect([after.counters, after.listed]).toEqual([registry.counters, registry.listed]);
      for (const entry of after.entries) {
        if (entry.row !== null) expect(entry).toEqual(findEntry(registry, entry.ref));
      }
    },
  );

  property.prop([anyRegistry, turns, caps])(
    "holds no more rows than the cap, drafts apart",
    (registry, turn, limits) => {
      const { registry: after } = closeTurn(registry, { turn, window: 2, limits });
      const rows = after.entries.filter((entry) => entry.row !== null && !isUnsavedDraft(entry));
      expect(rows.length).toBeLessThanOrEqual(limits.rowsHeld);
    },
  );

  property.prop([anyEvents, anyEvents, caps])(
    "a ref keeps its entity over turns that end, and what left comes back as it was, unless its row has another ref by now",
    (first, second, limits) => {
      const ids = new Map<string, string | null>();
      let registry: Registry = EMPTY_REGISTRY;
      const away = new Map<string, RegistryEntry>();
      for (const [index, event] of [...first, ...second].entries()) {
        registry = applyEvent(registry, event, testTypes);
        const closed = closeTurn(registry, { turn: event.turn + index, window: 1, limits });
        registry = closed.registry;
        for (const entry of closed.left) away.set(entry.ref, entry);
        for (const { ref, id } of registry.entries) {
          expect(ids.get(ref) ?? id).toBe(id);
          ids.set(ref, id);
        }
      }
      for (const entry of away.values()) {
        const back = applyEvent(registry, { kind: "recalled", turn: 20, entry }, testTypes);
        const isMet = registry.entries.some(
          ({ id, type }) => id === entry.id && type === entry.type,
        );
        if (isMet) {
          expect(back).toBe(registry);
          continue;
        }
        expect(findEntry(back, entry.ref)).toMatchObject({
          ref: entry.ref,
          id: entry.id,
          label: entry.label,
        });
        expect(back.counters).toEqual(registry.counters);
      }
    },
  );
});

function at(turn: number): Parameters<typeof closeTurn>[1] {
  return { turn, window: 2, limits: roomy };
}

function held(registry: Registry): string[] {
  return registry.entries.filter((entry) => entry.row !== null).map((entry) => entry.ref);
}

function heldAfter(registry: Registry, turn: number): string[] {
  return held(closeTurn(registry, at(turn)).registry);
}

function byRef(a: { readonly ref: string }, b: { readonly ref: string }): number {
  return compareRefs(a.ref, b.ref);
}

function withoutContent(
  entry: RegistryEntry,
): Omit<RegistryEntry, "row" | "rowVersion" | "detail"> {
  const { row: _row, rowVersion: _rowVersion, detail: _detail, ...rest } = entry;
  return rest;
}
