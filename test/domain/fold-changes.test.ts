import { expect, test } from "vitest";
import { foldChanges } from "../../domain/changes/fold-changes.ts";
import type { NetRow } from "../../domain/changes/net-rows.ts";
import type { JsonObject } from "../../state/json.ts";
import type { Queryable } from "../../state/store.ts";
import { BOOK } from "../support/library.ts";
import { createRefBook } from "../support/ref-book.ts";
import { toolOutcome } from "../support/tool-outcome.ts";

const TYPES = [{ ...BOOK, lists: [] }];

/** Rows that the journal holds need no query. */
const NO_DATABASE: Queryable = {
  query: () => Promise.reject(new Error("Cannot query: no database")),
};

function makeRow(row: Partial<NetRow> & { readonly before: JsonObject | null }): NetRow {
  return { table: "books", key: "1", after: null, isChanged: true, follows: false, ...row };
}

test.each([
  ["the label", "Kim", "Kim"],
  [
    "the type's word for a label that is a database id",
    "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
    "book",
  ],
  ["the type's word for a label that is the ref of a row", "book_1", "book"],
  ["the label that only looks like a ref", "book_7", "book_7"],
])("foldChanges() names a row by %s", async (_, title, label) => {
  const refs = createRefBook(TYPES);
  const row = { id: "9", rowVersion: 1, values: { title: "Emma" } };
  const write = {
    action: "created",
    type: "book",
    row,
    draft: null,
    follows: false,
    change: null,
  } as const;
  expect(refs.take(toolOutcome({ writes: [write] }))).toEqual(["book_1"]);
  const net = [makeRow({ before: { title } })];

  const changes = await foldChanges(NO_DATABASE, net, {
    entityTypes: TYPES,
    refs,
    named: new Set(),
  });

  expect(changes.map((change) => change.label)).toEqual([label]);
});
