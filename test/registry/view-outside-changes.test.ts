import { expect, test } from "vitest";
import { foldRegistry } from "../../registry/apply-event.ts";
import { EMPTY_REGISTRY } from "../../registry/entries.ts";
import { viewOutsideChanges } from "../../registry/view-outside-changes.ts";
import type { EntityType } from "../../state/entity.ts";
import type { RegistryEvent } from "../../state/registry.ts";

const LINE: EntityType = {
  type: "line",
  table: "lines",
  words: { one: "line", many: "lines" },
  columns: [
    { name: "name", kind: "text" },
    { name: "quantity", kind: "number" },
  ],
  summary: ["name"],
  orderBy: ["name"],
  label: ({ name }) => JSON.stringify(name),
  facts: ({ quantity }) => JSON.stringify(quantity),
};

const oranges = (quantity: number) => ({
  id: "1",
  rowVersion: quantity,
  values: { name: "oranges", quantity },
});
const READ: RegistryEvent = {
  kind: "read",
  turn: 1,
  type: "line",
  ids: [],
  rows: [oranges(4)],
  detail: "full",
};
const OUTSIDE: RegistryEvent = {
  kind: "outside",
  turn: 2,
  type: "line",
  id: "1",
  row: oranges(1),
  who: "unknown",
  before: '"oranges"',
};
const WRITTEN: RegistryEvent = {
  kind: "written",
  turn: 2,
  type: "line",
  action: "updated",
  row: oranges(8),
  draft: null,
  byUser: false,
};

test.each<[string, readonly RegistryEvent[], string]>([
  ["as it is now", [OUTSIDE], '"oranges" was changed: 1'],
  ["without what the turn has written since then", [OUTSIDE, WRITTEN], '"oranges" was changed'],
])("viewOutsideChanges() names a row that was changed elsewhere %s", (_, events, text) => {
  const registry = foldRegistry(EMPTY_REGISTRY, [READ, ...events], [LINE]);

  expect(viewOutsideChanges(registry, events)).toEqual([
    { ref: "line_1", action: "updated", who: "unknown", text },
  ]);
});
