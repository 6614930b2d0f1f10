import { expect, test } from "vitest";
import { hashChanges, versionBefore } from "../../domain/changes/hash-changes.ts";
import type { Change } from "../../state/change.ts";
import type { EntityType } from "../../state/entity.ts";
import type { JsonObject } from "../../state/json.ts";

const BOOK: EntityType = {
  type: "book",
  table: "books",
  words: { one: "book", many: "books" },
  columns: [
    { name: "id", kind: "integer" },
    { name: "title", kind: "text", set: "always" },
    { name: "created_at", kind: "timestamp" },
    { name: "shelf", kind: "text", hasDefault: true },
    { name: "price", kind: "number" },
  ],
  summary: ["title"],
  orderBy: ["title"],
  label: () => "Walden",
  rights: ["read", "create"],
  key: { column: "id", kind: "integer" },
};
const WALDEN = { id: 1, title: "Walden", created_at: "2026-01-12", shelf: "a", price: 9 };

function hashCreation(given: JsonObject): string {
  const change: Change = {
    action: "create",
    type: "book",
    id: JSON.stringify(given["id"] ?? WALDEN.id),
    ref: null,
    label: "Walden",
    version: null,
    before: null,
    after: { ...WALDEN, ...given },
    changed: [],
    cause: "named",
  };
  return hashChanges([change], [BOOK]);
}

test.each([
  ["the key", { id: 2 }],
  ["the time of the creation", { created_at: "2026-01-13" }],
  ["a default", { shelf: "b" }],
])("hashChanges() leaves out of a new row what the database gives: %s", (_, given) => {
  expect(hashCreation(given)).toBe(hashCreation({}));
});

test.each([
  ["a value of the call", { title: "Ulysses" }],
  ["a value that a tool has worked out", { price: 10 }],
])("hashChanges() differs with %s", (_, given) => {
  expect(hashCreation(given)).not.toBe(hashCreation({}));
});

function deleteBook(before: JsonObject): Change {
  return {
    action: "delete",
    type: "book",
    id: "1",
    ref: "book_1",
    label: "Walden",
    version: null,
    before,
    after: null,
    changed: [],
    cause: "named",
  };
}

test("versionBefore() tells the content of a row that counts no version", () => {
  const version = versionBefore(deleteBook(WALDEN), [BOOK]);
  expect(version).toBe(versionBefore(deleteBook({ ...WALDEN }), [BOOK]));
  expect(version).not.toBe(versionBefore(deleteBook({ ...WALDEN, price: 10 }), [BOOK]));
});
