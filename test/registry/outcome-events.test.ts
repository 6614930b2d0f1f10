import { describe, expect, test } from "vitest";
import { toolOutcome } from "../support/tool-outcome.ts";
import type { EntityRow } from "../../state/entity.ts";
import { toRegistryEvents, findOutcomeRefs } from "../../registry/outcome-events.ts";
import { toId } from "../support/arbitraries.ts";
import { fold, recipeRow, refsAndLabels, toolRead } from "../support/registry-events.ts";

const nine = ["Cod 1", "Cod 2", "Curry", "Omelette", "Toast", "Wings", "Cod 7", "Soup", "Rice"];

const SLOT: EntityRow = {
  id: toId("slot", 0),
  rowVersion: 1,
  values: { date: "2026-01-13", recipe_id: toId("recipe", 0) },
};

describe("toRegistryEvents()", () => {
  test("numbers the rows of a read in their order, also when one points at another or beyond", () => {
    const rows = nine.map((name, index) => recipeRow(index, { name }));
    rows[2] = recipeRow(2, { name: "Curry", parent_id: toId("recipe", 6) });
    rows[4] = recipeRow(4, { name: "Toast", parent_id: toId("recipe", 20) });
    const bread = recipeRow(20, { name: "Bread" });

    const registry = fold(
      toRegistryEvents(
        toolOutcome({
          reads: [toolRead("recipe", rows)],
          linked: [{ type: "recipe", rows: [bread, recipeRow(6, { name: "Cod 7" })] }],
        }),
        { turn: 1 },
      ),
    );

    expect(refsAndLabels(registry)).toEqual([
      ...nine.map((name, index) => `recipe_${index + 1} ${name}`),
      "recipe_10 Bread",
    ]);
    expect(registry.entries[2]?.row).toEqual({ name: "Curry", parent_id: "recipe_7" });
    expect(registry.entries[4]?.row).toEqual({ name: "Toast", parent_id: "recipe_10" });
    expect(registry.entries[9]).toMatchObject({ action: "linked", row: null });
  });

  test("translates what an earlier read of the call points at in a later one", () => {
    const reads = [toolRead("slot", [SLOT]), toolRead("recipe", [recipeRow(0, { name: "Curry" })])];

    const registry = fold(toRegistryEvents(toolOutcome({ reads }), { turn: 1 }));

    expect(registry.entries.map((entry) => [entry.ref, entry.row, entry.readTurn])).toEqual([
      ["meal_1", { date: "2026-01-13", recipe_id: "recipe_1" }, 1],
      ["recipe_1", { name: "Curry" }, 1],
    ]);
  });

  test("translates a number that is the key of a row of a later read", () => {
    const meal = { ...SLOT, id: "1", values: { date: "2026-01-13", recipe_id: 1 } };
    const reads = [
      toolRead("slot", [meal]),
      toolRead("recipe", [{ ...recipeRow(0, { name: "Curry" }), id: "1" }]),
    ];

    const registry = fold(toRegistryEvents(toolOutcome({ reads }), { turn: 1 }));

    expect(registry.entries[0]?.row).toEqual({ date: "2026-01-13", recipe_id: "recipe_1" });
  });

  test("knows what a written row points at before it stores the row", () => {
    const registry = fold(
      toRegistryEvents(
        toolOutcome({
          writes: [
            {
              action: "created",
              type: "slot",
              row: SLOT,
              draft: null,
              follows: false,
              change: null,
            },
          ],
          linked: [{ type: "recipe", rows: [recipeRow(0, { name: "Curry" })] }],
        }),
        { turn: 1 },
      ),
    );
    expect(registry.entries.map((entry) => [entry.ref, entry.action, entry.facts])).toEqual([
      ["recipe_1", "linked", ""],
      ["meal_1", "created", "recipe_1"],
    ]);
  });

  test("says nothing twice: one event a read where nothing points forward", () => {
    const read = toolRead("recipe", [recipeRow(0, { name: "Curry" })]);
    expect(toRegistryEvents(toolOutcome({ reads: [read] }), { turn: 4 })).toEqual([
      { kind: "read", turn: 4, type: "recipe", ids: read.ids, rows: read.rows, detail: "summary" },
    ]);
  });
});

test("findOutcomeRefs() gives refs in the order of the ids and leaves out unknown rows", () => {
  const registry = fold(
    toRegistryEvents(
      toolOutcome({ reads: [toolRead("recipe", [recipeRow(0, {}), recipeRow(1, {})])] }),
      {
        turn: 1,
      },
    ),
  );
  const ids = [toId("recipe", 1), toId("recipe", 5), toId("recipe", 0)];
  expect(findOutcomeRefs(registry, "recipe", ids)).toEqual(["recipe_2", "recipe_1"]);
  expect(findOutcomeRefs(registry, "item", ids)).toEqual([]);
});
