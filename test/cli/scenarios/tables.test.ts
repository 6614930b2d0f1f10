import { expect, test } from "vitest";
import { changesBetween } from "../../../cli/scenarios/tables.ts";

const row = (id: string, name: string) => ({ id, rowVersion: 1, values: { name } });

test("changesBetween() tells created, updated and deleted rows of every table", () => {
  const before = { kept: [row("1", "a")], changed: [row("2", "b"), row("3", "c"), row("4", "d")] };
  const after = {
    kept: [{ ...row("1", "a"), rowVersion: 2 }],
    changed: [row("3", "c2"), row("4", "d"), row("5", "e")],
    added: [row("6", "f")],
  };

  expect(changesBetween(before, after)).toEqual({
    kept: { created: [], updated: [], deleted: [], before: 1 },
    changed: {
      created: [row("5", "e")],
      updated: [row("3", "c2")],
      deleted: [row("2", "b")],
      before: 3,
    },
    added: { created: [row("6", "f")], updated: [], deleted: [], before: 0 },
  });
});
