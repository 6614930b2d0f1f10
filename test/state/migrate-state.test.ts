import { expect, test } from "vitest";
import { readStateVersion, type StateMigration } from "../../state/migrate-state.ts";

const migrations = new Map<number, StateMigration>([
  [1, () => ({ history: { lines: [], throughTurn: 3 } })],
  [2, (values) => ({ turn: (values.turn ?? 0) + 1 })],
]);

test.each([
  ["a thread without a state", {}, { kind: "current" }],
  ["a state of this version", { schemaVersion: 3 }, { kind: "current" }],
  ["a newer state", { schemaVersion: 4 }, { kind: "unreadable", version: 4 }],
  ["a state no migration leads on from", { schemaVersion: 0 }, { kind: "unreadable", version: 0 }],
  [
    "an older state, over every version between",
    { schemaVersion: 1, turn: 4 },
    {
      kind: "migrated",
      update: { history: { lines: [], throughTurn: 3 }, turn: 5, schemaVersion: 3 },
    },
  ],
] as const)("readStateVersion() reads %s", (_, values, expected) => {
  expect(readStateVersion(values, { migrations, current: 3 })).toEqual(expected);
});
