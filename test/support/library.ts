import { z } from "zod";
import { defineTool } from "../../domain/define-tool.ts";
import { NO_DOMAIN } from "../../domain/no-domain.ts";
import type { Check } from "../../state/change.ts";
import type { Domain } from "../../state/domain.ts";
import type { EntityType, InlineList } from "../../state/entity.ts";

export const CHAPTERS: InlineList = {
  kind: "inline",
  name: "chapters",
  table: "chapters",
  foreignKey: "book_id",
  orderBy: "position",
  columns: [{ name: "title", kind: "text", nullable: false, set: "always" }],
};

/** A book with its chapters; authors are shared, loans a view with a text key. */
export const BOOK: EntityType = {
  type: "book",
  table: "books",
  words: { one: "book", many: "books" },
  rights: ["read", "create", "update", "delete"],
  columns: [
    { name: "title", kind: "text", nullable: false, set: "always" },
    { name: "status", kind: "choice", nullable: false, values: ["unread", "read"], set: "always" },
    { name: "pages", kind: "integer", set: "always" },
    { name: "author_id", kind: "text", references: "author", set: "always" },
    { name: "search", kind: "text" },
  ],
  lists: [CHAPTERS, { kind: "entities", name: "notes", type: "note", foreignKey: "book_id" }],
  summary: ["title", "status"],
  orderBy: ["created_at"],
  label: ({ title }) => JSON.stringify(title),
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
  label: ({ name }) => JSON.stringify(name),
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
  label: ({ text }) => JSON.stringify(text),
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
  label: ({ borrower }) => JSON.stringify(borrower),
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
  parameters: z.strictObject({ book: z.string() }),
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
    ...parts,
  };
}

/** The library's migration. */
export const LIBRARY_SQL = `
create table authors (code text primary key, name text not null);
select concierge_share('authors', 'code');

create table books (
  id uuid primary key default gen_random_uuid(),
  user_id text not null,
  row_version int not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default now(),
  title text not null,
  status text not null default 'unread' check (status in ('unread', 'read')),
  pages int check (pages > 0),
  author_id text references authors (code),
  search text generated always as (lower(title)) stored
);
select concierge_protect('books');

create table chapters (
  id uuid primary key default gen_random_uuid(),
  user_id text not null,
  book_id uuid not null references books (id) on delete cascade,
  position int not null default 1,
  title text not null
);
create index chapters_in_order on chapters (user_id, book_id, position);
select concierge_protect('chapters');

create table notes (
  number int primary key generated always as identity,
  user_id text not null,
  row_version int not null default 1,
  updated_at timestamptz not null default now(),
  text text,
  book_id uuid not null references books (id) on delete cascade
);
create index notes_of_book on notes (book_id);
select concierge_protect('notes', 'number');

grant select on books to concierge_app;
create view loans with (security_invoker = true) as
  select user_id || '/' || title as id, user_id, 'Ann' as borrower, id as book_id from books;
`;
