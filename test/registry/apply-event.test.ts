import { fc, test as property } from "@fast-check/vitest";
import { describe, expect, test } from "vitest";
import type { Registry, RegistryEntry, RegistryEvent } from "../../state/registry.ts";
import { applyEvent, foldRegistry } from "../../registry/apply-event.ts";
import { EMPTY_REGISTRY, findEntry } from "../../registry/entries.ts";
import { parseRef } from "../../registry/refs.ts";
import { mentions } from "../../registry/translate.ts";
import { testTypes } from "../support/entity-types.ts";
import { ALL_IDS, anyEvents, toId } from "../support/arbitraries.ts";
import {
  curated,
  drafted,
  fold,
  linked,
  readRecipes,
  recipeRow,
  refsAndLabels,
  written,
} from "../support/registry-events.ts";

describe("applyEvent() with read", () => {
  test("gives refs in reading order and keeps what was read", () => {
    const registry = fold([readRecipes(1, ["Miso Cod", "French Toast"])]);

    expect(registry).toEqual({
      entries: [
        entry({
          ref: "recipe_1",
          id: toId("recipe", 0),
          label: "Miso Cod",
          row: { name: "Miso Cod" },
        }),
        entry({
          ref: "recipe_2",
          id: toId("recipe", 1),
          label: "French Toast",
          row: { name: "French Toast" },
        }),
      ],
      counters: [{ prefix: "recipe", last: 2 }],
      listed: [],
      choices: [],
      journalSeen: null,
    });
  });

  test("gives a known id its old ref and a new one the next", () => {
    const registry = fold([
      readRecipes(1, ["Miso Cod", "French Toast"]),
      { ...readRecipes(2, ["Miso Cod", "French Toast", "Wings"]), ids: [toId("recipe", 2)] },
    ]);
    expect(refsAndLabels(registry)).toEqual([
      "recipe_1 Miso Cod",
      "recipe_2 French Toast",
      "recipe_3 Wings",
    ]);
  });

  test("lets a row point at a later one of the same read", () => {
    const rows = [
      recipeRow(0, { name: "Stew", parent_id: toId("recipe", 1) }),
      recipeRow(1, { name: "Broth" }),
    ];
    const registry = fold([{ ...readRecipes(1, []), ids: rows.map((row) => row.id), rows }]);
    expect(registry.entries.map((one) => [one.ref, one.row])).toEqual([
      ["recipe_1", { name: "Stew", parent_id: "recipe_2" }],
      ["recipe_2", { name: "Broth" }],
    ]);
  });

  test("leaves out ids without a ref, columns that are not declared, and ids of children", () => {
    const row = recipeRow(0, {
      name: "Stew",
      user_id: "demo",
      parent_id: toId("recipe", 7),
      ingredients: [
        { id: toId("recipe", 6), name: "salt", item_id: toId("item", 0) },
        { name: "oil", item_id: null },
      ],
    });
    const registry = fold([
      linked(1, "item", [{ id: toId("item", 0), rowVersion: 1, values: { name: "salt" } }]),
      { ...readRecipes(1, []), ids: [row.id], rows: [row] },
    ]);
    expect(findEntry(registry, "recipe_1")?.row).toEqual({
      name: "Stew",
      ingredients: [
        { name: "salt", item_id: "inv_1" },
        { name: "oil", item_id: null },
      ],
    });
  });

  test("keeps the richer row of the same version, and takes the newer version", () => {
    const full: RegistryEvent = {
      ...readRecipes(1, []),
      rows: [recipeRow(0, { name: "Stew", instructions: "Boil." })],
      detail: "full",
    };
    const same = fold([full, readRecipes(2, ["Stew"])]);
    expect(findEntry(same, "recipe_1")).toMatchObject({
      row: { name: "Stew", instructions: "Boil." },
      detail: "full",
      readTurn: 2,
    });

    const newer = {
      ...readRecipes(2, []),
      rows: [{ ...recipeRow(0, { name: "Goulash" }), rowVersion: 2 }],
    };
    expect(findEntry(fold([full, newer]), "recipe_1")).toMatchObject({
      row: { name: "Goulash" },
      label: "Goulash",
      detail: "summary",
      rowVersion: 2,
    });
  });

  test("found unchanged, counts as referenced and not as read", () => {
    const registry = fold([
      readRecipes(1, ["Stew"]),
      { ...readRecipes(3, []), ids: [toId("recipe", 0)] },
    ]);
    expect(findEntry(registry, "recipe_1")).toMatchObject({ referencedTurn: 3, readTurn: 1 });
  });
});

describe("applyEvent() with linked", () => {
  test("knows the label of what a row points at, and leaves known ones as they are", () => {
    const registry = fold([
      readRecipes(1, ["Stew"]),
      linked(2, "recipe", [recipeRow(0, { name: "Old stew" }), recipeRow(1, { name: "Broth" })]),
    ]);
    expect(registry.entries).toMatchObject([
      { ref: "recipe_1", label: "Old stew", row: { name: "Stew" } },
      { ref: "recipe_2", label: "Broth", action: "linked", detail: "none", readTurn: null },
    ]);
  });
});

test("applyEvent() with linked fills in facts, and does not replace what a read said", () => {
  const slow = [recipeRow(0, { name: "Stew", minutes: 90 })];
  const registry = fold([
    linked(1, "recipe", [recipeRow(0, { name: "Stew" })]),
    linked(2, "recipe", slow),
    linked(3, "recipe", [recipeRow(0, { name: "Stew", minutes: 5 })]),
  ]);
  expect(registry.entries.map((one) => one.facts)).toEqual(["90 min"]);
});

describe("applyEvent() with drafted and written", () => {
  const shakshuka = { name: "Shakshuka", minutes: 20 };

  test("holds a draft under a gen_ ref, changes it in place and keeps the ref when it is saved", () => {
    const feta = { name: "Shakshuka with feta", minutes: 20 };
    const draft = fold([drafted(1, null, shakshuka), drafted(2, "gen_recipe_1", feta)]);
    expect(draft.entries).toMatchObject([
      { ref: "gen_recipe_1", id: null, facts: "20 min", action: "generated", row: feta },
    ]);

    const saved = fold([written(3, { row: recipeRow(4, feta), draft: "gen_recipe_1" })], draft);
    expect(saved.entries).toMatchObject([
      { ref: "gen_recipe_1", id: toId("recipe", 4), action: "created", detail: "full", row: feta },
    ]);
  });

  test("makes a draft of its own when something saved is edited", () => {
    const saved = [
      drafted(1, null, shakshuka),
      written(2, { row: recipeRow(4, shakshuka), draft: "gen_recipe_1" }),
    ];
    const registry = fold([...saved, drafted(3, "gen_recipe_1", { name: "Green shakshuka" })]);
    expect(refsAndLabels(registry)).toEqual([
      "gen_recipe_1 Shakshuka",
      "gen_recipe_2 Green shakshuka",
    ]);
  });

  test("saving the same draft twice gives the second row a ref of its own", () => {
    const registry = fold([
      drafted(1, null, shakshuka),
      written(2, { row: recipeRow(4, shakshuka), draft: "gen_recipe_1" }),
      written(3, { row: recipeRow(5, shakshuka), draft: "gen_recipe_1" }),
    ]);
    expect(registry.entries.map((one) => [one.ref, one.id])).toEqual([
      ["gen_recipe_1", toId("recipe", 4)],
      ["recipe_1", toId("recipe", 5)],
    ]);
  });

  test("a row that the thread knows keeps its own ref, and the draft stays one", () => {
    const registry = fold([
      readRecipes(1, ["Shakshuka"]),
      drafted(1, null, shakshuka),
      written(2, { row: recipeRow(0, shakshuka), draft: "gen_recipe_1" }),
    ]);
    expect(registry.entries.map((one) => [one.ref, one.id, one.action])).toEqual([
      ["recipe_1", toId("recipe", 0), "created"],
      ["gen_recipe_1", null, "generated"],
    ]);
  });

  test("a row of another type never becomes the draft", () => {
    const registry = fold([
      drafted(1, null, shakshuka),
      {
        ...written(2, { row: { ...recipeRow(0, {}), id: toId("item", 0) }, draft: "gen_recipe_1" }),
        type: "item",
      },
    ]);
    expect(registry.entries.map((one) => [one.ref, one.id])).toEqual([
      ["gen_recipe_1", null],
      ["inv_1", toId("item", 0)],
    ]);
  });

  test("a deleted entity keeps its ref, without content", () => {
    const registry = fold([
      readRecipes(1, ["Stew"]),
      written(2, { row: recipeRow(0, { name: "Stew" }), action: "deleted" }),
    ]);
    expect(registry.entries).toMatchObject([
      { ref: "recipe_1", label: "Stew", action: "deleted", detail: "none", row: null },
    ]);
  });
});

describe("applyEvent() with curated", () => {
  const three = readRecipes(1, ["Miso Cod", "Toast", "Wings"]);

  test("demotes with the row kept, without counting as a reference, and restores", () => {
    const out = fold([
      three,
      curated(2, { demote: [{ ref: "recipe_3", reason: "not in the mood" }] }),
    ]);
    expect(findEntry(out, "recipe_3")).toMatchObject({
      demotion: { turn: 2, reason: "not in the mood" },
      referencedTurn: 1,
      row: { name: "Wings" },
    });

    const back = fold(
      [curated(4, { restore: [{ ref: "recipe_3", reason: "fine after all" }] })],
      out,
    );
    expect(findEntry(back, "recipe_3")).toMatchObject({
      demotion: null,
      restoredTurn: 4,
      referencedTurn: 4,
    });
  });

  test("naming what the same turn excludes does not count as a reference", () => {
    const registry = fold([
      three,
      curated(2, { demote: [{ ref: "recipe_3", reason: "" }] }),
      { kind: "referenced", turn: 2, refs: ["recipe_2", "recipe_3"] },
    ]);
    expect(registry.entries.map((one) => one.referencedTurn)).toEqual([1, 2, 1]);
  });

  test("a demotion ends a retention", () => {
    const registry = fold([
      three,
      curated(1, { retain: [{ ref: "recipe_1", reason: "for sunday" }] }),
      curated(2, { demote: [{ ref: "recipe_1", reason: "" }] }),
    ]);
    expect(findEntry(registry, "recipe_1")).toMatchObject({ retention: null });
  });

  test("drop forgets, and no number is given out again", () => {
    const registry = fold([three, curated(2, { drop: ["recipe_3"] }), three]);
    expect(refsAndLabels(registry)).toEqual([
      "recipe_1 Miso Cod",
      "recipe_2 Toast",
      "recipe_4 Wings",
    ]);
  });

  test("rows that point at something dropped are let go, so that no dead ref stands in them", () => {
    const stew = recipeRow(1, { name: "Stew", parent_id: toId("recipe", 0) });
    const registry = fold([
      readRecipes(1, ["Broth"]),
      { ...readRecipes(1, []), rows: [stew] },
      curated(2, { drop: ["recipe_1"] }),
    ]);
    expect(findEntry(registry, "recipe_2")).toMatchObject({
      row: null,
      rowVersion: null,
      detail: "none",
    });
  });

  test("clearing forgets everything but the counters", () => {
    expect(fold([three, curated(2, { clearAll: true })])).toEqual({
      entries: [],
      counters: [{ prefix: "recipe", last: 3 }],
      listed: [],
      choices: [],
      journalSeen: null,
    });
  });
});

describe("applyEvent() with referenced, listed and recalled", () => {
  test("a linked entity that is named becomes mentioned", () => {
    const registry = fold([
      linked(1, "recipe", [recipeRow(0, { name: "Broth" })]),
      { kind: "referenced", turn: 2, refs: ["recipe_1"] },
    ]);
    expect(findEntry(registry, "recipe_1")).toMatchObject({
      action: "mentioned",
      referencedTurn: 2,
    });
  });

  test("keeps the order of what the person is shown", () => {
    const registry = fold([
      readRecipes(1, ["Miso Cod", "Toast"]),
      { kind: "listed", turn: 2, refs: ["recipe_2", "recipe_1", "recipe_9"] },
    ]);
    expect(registry.listed).toEqual(["recipe_2", "recipe_1"]);
    expect(registry.entries.map((one) => one.referencedTurn)).toEqual([2, 2]);
  });

  test("something that is named by itself is no list to count in", () => {
    const registry = fold([
      readRecipes(1, ["Miso Cod", "Toast"]),
      { kind: "listed", turn: 1, refs: ["recipe_2", "recipe_1"] },
      { kind: "listed", turn: 2, refs: ["recipe_1"] },
    ]);
    expect(registry.listed).toEqual(["recipe_2", "recipe_1"]);
    expect(registry.entries.map((one) => one.referencedTurn)).toEqual([2, 1]);
  });

  test("an entry comes back under its old ref, without its row", () => {
    const before = fold([readRecipes(1, ["Miso Cod"])]);
    const old = findEntry(before, "recipe_1");
    if (old === undefined) throw new Error("The read gave no ref");
    const registry = fold([{ kind: "recalled", turn: 9, entry: { ...old, ref: "recipe_7" } }]);
    expect(registry).toEqual({
      entries: [
        { ...old, ref: "recipe_7", referencedTurn: 9, row: null, rowVersion: null, detail: "none" },
      ],
      counters: [{ prefix: "recipe", last: 7 }],
      listed: [],
      choices: [],
      journalSeen: null,
    });
    expect(fold([{ kind: "recalled", turn: 9, entry: old }], before)).toEqual(before);
  });
});

test("applyEvent() names an entity type that the domain does not have", () => {
  const event: RegistryEvent = { ...readRecipes(1, []), type: "boat" };
  expect(() => applyEvent(EMPTY_REGISTRY, event, testTypes)).toThrow(
    new RangeError(
      'Cannot find entity type "boat": the domain has recipe, item, slot; use one of these',
    ),
  );
});

describe("laws of the fold", () => {
  property.prop([anyEvents])("a ref never changes its entity", (events) => {
    const seen = new Map<string, { type: string; id: string | null }>();
    for (const registry of states(events)) {
      for (const { ref, type, id } of registry.entries) {
        const before = seen.get(ref);
        if (before !== undefined) {
          expect(type).toBe(before.type);
          if (before.id !== null) expect(id).toBe(before.id);
        }
        seen.set(ref, { type, id });
      }
    }
  });

  property.prop([anyEvents])("an entity has one ref, and a ref one entity", (events) => {
    const { entries } = foldRegistry(EMPTY_REGISTRY, events, testTypes);
    const ids = entries.flatMap((one) => one.id ?? []);
    expect(new Set(ids).size).toBe(ids.length);
    expect(new Set(entries.map((one) => one.ref)).size).toBe(entries.length);
  });

  property.prop([anyEvents])(
    "counters never go back and a ref that went never returns",
    (events) => {
      const gone = new Set<string>();
      let before: Registry = EMPTY_REGISTRY;
      for (const registry of states(events)) {
        for (const counter of before.counters) {
          expect(lastNumber(registry, counter.prefix)).toBeGreaterThanOrEqual(counter.last);
        }
        for (const { ref } of before.entries) {
          if (findEntry(registry, ref) === undefined) gone.add(ref);
        }
        for (const { ref } of registry.entries) {
          expect(gone.has(ref)).toBe(false);
          const parsed = parseRef(ref);
          expect(parsed?.number).toBeLessThanOrEqual(lastNumber(registry, parsed?.prefix ?? ""));
        }
        before = registry;
      }
    },
  );

  property.prop([anyEvents, fc.nat()])("folding in two parts is folding at once", (events, at) => {
    const cut = events.length === 0 ? 0 : at % events.length;
    const parts = foldRegistry(
      foldRegistry(EMPTY_REGISTRY, events.slice(0, cut), testTypes),
      events.slice(cut),
      testTypes,
    );
    expect(parts).toEqual(foldRegistry(EMPTY_REGISTRY, events, testTypes));
  });

  property.prop([anyEvents])("the registry is strict JSON", (events) => {
    const registry = foldRegistry(EMPTY_REGISTRY, events, testTypes);
    expect(JSON.parse(JSON.stringify(registry))).toEqual(registry);
  });

  property.prop([anyEvents])("events are not changed by being applied", (events) => {
    const before = structuredClone(events);
    foldRegistry(EMPTY_REGISTRY, events, testTypes);
    expect(events).toEqual(before);
  });

  property.prop([anyEvents])("reference columns of held rows never hold an id", (events) => {
    const { entries } = foldRegistry(EMPTY_REGISTRY, events, testTypes);
    const references = entries.flatMap((one) =>
      one.id === null ? [] : [one.row?.["parent_id"] ?? null, one.row?.["recipe_id"] ?? null],
    );
    for (const value of references) {
      expect(ALL_IDS.some((id) => mentions(value, id))).toBe(false);
    }
  });
});

function states(events: readonly RegistryEvent[]): Registry[] {
  let registry: Registry = EMPTY_REGISTRY;
  return events.map((event) => {
    registry = applyEvent(registry, event, testTypes);
    return registry;
  });
}

function lastNumber(registry: Registry, prefix: string): number {
  return registry.counters.find((counter) => counter.prefix === prefix)?.last ?? 0;
}

function entry(given: Partial<RegistryEntry>): RegistryEntry {
  return {
    ref: "recipe_1",
    type: "recipe",
    id: null,
    label: "",
    facts: "",
    action: "read",
    byUser: false,
    detail: "summary",
    createdTurn: 1,
    referencedTurn: 1,
    readTurn: 1,
    retention: null,
    demotion: null,
    restoredTurn: null,
    row: null,
    rowVersion: 1,
    ...given,
  };
}
