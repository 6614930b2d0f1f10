import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { defineTool } from "../../domain/define-tool.ts";
import { NO_DOMAIN } from "../../domain/no-domain.ts";
import type { Check } from "../../state/change.ts";
import type { Domain } from "../../state/domain.ts";
import type { EntityType, InlineList } from "../../state/entity.ts";
import type { Json } from "../../state/json.ts";
import type { Queryable } from "../../state/store.ts";

export const CHAPTERS: InlineList = {
  kind: "inline",
  name: "chapters",
  table: "chapters",
  foreignKey: "book_id",
  orderBy: "position",
  columns: [{ name: "title", kind: "text", nullable: false, set: "always" }],
};

function readText(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}

/** A book with its chapters; authors are shared, loans a view with a text key. */
export const BOOK: EntityType = {
  type: "book",
  table: "books",
  words: { one: "book", many: "books" },
  rights: ["read", "create", "update", "delete"],
  columns: [
    { name: "title", kind: "text", nullable: false, set: "always" },
    {
      name: "status",
      kind: "choice",
      nullable: false,
      hasDefault: true,
      values: ["unread", "read"],
      set: "always",
    },
    { name: "pages", kind: "integer", set: "always" },
    { name: "author_id", kind: "text", references: "author", set: "always" },
    { name: "search", kind: "text" },
  ],
  lists: [CHAPTERS, { kind: "entities", name: "notes", type: "note", foreignKey: "book_id" }],
  summary: ["title", "status"],
  orderBy: ["created_at"],
  label: ({ title }) => readText(title),
};

export const AUTHOR: EntityType = {
  type: "author",
  table: "authors",
  words: { one: "author", many: "authors" },
  ownership: "shared",
  key: { column: "code", kind: "text" },
  version: "content",
  columns: [{ name: "name", kind: "text", nullable: false }],
  summary: ["name"],
  orderBy: ["name"],
  label: ({ name }) => readText(name),
};

export const NOTE: EntityType = {
  type: "note",
  table: "notes",
  words: { one: "note", many: "notes" },
  key: { column: "number", kind: "integer" },
  columns: [
    { name: "text", kind: "text" },
    { name: "book_id", kind: "text", nullable: false, references: "book" },
  ],
  summary: ["text"],
  orderBy: ["number"],
  label: ({ text }) => readText(text),
};

export const LOAN: EntityType = {
  type: "loan",
  table: "loans",
  words: { one: "loan", many: "loans" },
  key: { column: "id", kind: "text" },
  version: "content",
  columns: [
    { name: "borrower", kind: "text" },
    { name: "book_id", kind: "text", references: "book" },
  ],
  summary: ["borrower"],
  orderBy: ["borrower"],
  label: ({ borrower }) => readText(borrower),
};

export const LENT_BOOKS: Check = {
  name: "lent books",
  types: ["book", "loan"],
  actions: ["delete"],
  links: ["loan<book_id", "author_id", "book_id.chapters"],
  run: () => [],
};

export const FINISH_BOOK = defineTool({
  name: "finish_book",
  subdomain: "shelf",
  description: "Marks a book as read.",
  parameters: z.strictObject({ book: z.string().describe("its ref") }),
  effect: "write",
  writes: ["book"],
  run: async () => null,
});

/** A library without a mistake, or with the parts given instead. */
export function describeLibrary(parts: Partial<Domain> = {}): Domain {
  return {
    ...NO_DOMAIN,
    name: "library",
    entityTypes: [BOOK, AUTHOR, NOTE, LOAN],
    subdomains: [
      { name: "shelf", type: "book", reads: ["author", "note"], about: "books" },
      { name: "loans", type: "loan", reads: ["book"], about: "who has which book" },
    ],
    tools: [FINISH_BOOK],
    checks: [LENT_BOOKS],
    migrations: MIGRATIONS,
    demo: [{ userId: "reader", seed: seedShelf }],
    ...parts,
  };
}

async function seedShelf(tx: Queryable): Promise<void> {
  await tx.query("insert into books (title) values ('Emma'), ('Kim'), ('Middlemarch')");
}

const MIGRATIONS = join(import.meta.dirname, "library-tables");

/** The library's migration. */
export const LIBRARY_SQL = readFileSync(join(MIGRATIONS, "0001_library.sql"), "utf8");
