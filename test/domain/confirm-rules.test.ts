import { expect, test } from "vitest";
import { findConfirmRules } from "../../domain/changes/confirm-rules.ts";
import type { Change } from "../../state/change.ts";
import { BOOK, NOTE } from "../support/library.ts";

const deletion: Change = {
  action: "delete",
  type: "book",
  id: "1",
  ref: "book_1",
  label: "Emma",
  before: {},
  after: null,
  version: 1,
  changed: [],
  cause: "named",
};
const found: Change = { ...deletion, cause: "found" };
const note: Change = { ...deletion, type: "note", label: "Read to page 10", cause: "follows" };

const selectAll = (changes: readonly Change[]): readonly Change[] => changes;

/** Finds the rules for changes that the person has named, and the plan has listed. */
function findRules(changes: readonly Change[], earlier = 0): readonly string[] {
  return findConfirmRules(changes, {
    tool: { name: "delete_rows" },
    entityTypes: [BOOK, NOTE],
    consent: {
      selectNamed: selectAll,
      selectPlanned: selectAll,
      selectAgreed: null,
      countEarlier: () => earlier,
    },
  });
}

test.each([
  ["a row that a ref names, with what goes with it", [deletion, note], []],
  ["rows that no ref names", [found], []],
  [
    "rows that no ref names, with rows of another type",
    [found, note],
    ["delete book: other rows go with it"],
  ],
  [
    "rows that no ref names, with changes of another type",
    [found, { ...note, action: "update" as const }],
    [],
  ],
])("findConfirmRules() for a deletion that is named and planned: %s", (_, changes, rules) => {
  expect(findRules(changes)).toEqual(rules);
});

test("findConfirmRules() counts what the turn has changed before the call", () => {
  expect(findRules([deletion], 2)).toEqual([]);
  expect(findRules([deletion], 3)).toEqual(["delete book: more than 3"]);
});
