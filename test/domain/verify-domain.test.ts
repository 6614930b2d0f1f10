import { describe, expect, test } from "vitest";
import { checkLoaders } from "../../domain/check-loaders.ts";
import { DomainError } from "../../domain/domain-error.ts";
import { verifyDomain } from "../../domain/verify-domain.ts";
import { mealsDomain } from "../../meals/index.ts";
import type { Domain } from "../../state/domain.ts";
import type { Column, EntityType } from "../../state/entity.ts";
import type { Queryable } from "../../state/store.ts";
import { DatabaseUnavailableError } from "../../storage/postgres/database-error.ts";
import { testDatabase } from "../support/database.ts";
import {
  AUTHOR,
  BOOK,
  CHAPTERS,
  describeLibrary,
  LIBRARY_SQL,
  LOAN,
  NOTE,
  FINISH_BOOK,
} from "../support/library.ts";

const database = await testDatabase();

/** Finds the problems of a library on tables made by a migration; nothing of it stays. */
async function findProblems(sql: string, domain: Domain): Promise<readonly string[]> {
  const client = await database.owner.connect();
  try {
    await client.query(`begin; ${sql}; set local role concierge_app`);
    await verifyDomain(domain, client);
    return [];
  } catch (error) {
    if (error instanceof DomainError) return error.problems;
    throw error;
  } finally {
    await client.query("rollback");
    client.release();
  }
}

/** The library with another description of its books. */
function withBook(parts: Partial<EntityType>): Domain {
  return describeLibrary({ entityTypes: [{ ...BOOK, ...parts }, AUTHOR, NOTE, LOAN] });
}

/** The library whose books have one more column. */
function withColumn(column: Column): Domain {
  return withBook({ columns: [...BOOK.columns, column] });
}

function withLoan(parts: Partial<EntityType>): Domain {
  return describeLibrary({ entityTypes: [BOOK, AUTHOR, NOTE, { ...LOAN, ...parts }] });
}

const DESCRIPTIONS: readonly (readonly [mistake: string, domain: Domain, problem: string])[] = [
  [
    "a table that is not there",
    withBook({ table: "boks" }),
    'Type "book": there is no table or view "boks"; did you mean "books"?',
  ],
  [
    "a table of the program's schema that is written with it",
    withBook({ table: "concierge.books" }),
    'Type "book": the table "concierge.books" is in the program\'s own schema, where names stand without it; write "books"',
  ],
  [
    "a list's table that is written with the program's schema",
    withBook({ lists: [{ ...CHAPTERS, table: "concierge.chapters" }] }),
    'Type "book", list "chapters": the table "concierge.chapters" is in the program\'s own schema, where names stand without it; write "chapters"',
  ],
  [
    "values that the database does not allow",
    withBook({
      columns: BOOK.columns.map((column) =>
        column.name === "status" ? { ...column, values: ["unread", "lost"] } : column,
      ),
    }),
    'Column "status" of table "books" has the values "unread" and "lost", but the database allows "unread" and "read"; write the same values in both',
  ],
  [
    "a column that is not there",
    withColumn({ name: "page", kind: "text" }),
    'Table "books" has no column "page"; did you mean "pages"?',
  ],
  [
    "a column of an order that is not there",
    describeLibrary({ entityTypes: [BOOK, AUTHOR, { ...NOTE, orderBy: ["created_at"] }, LOAN] }),
    'Table "notes" has no column "created_at"; did you mean "updated_at"?',
  ],
  [
    "a kind that does not fit",
    withBook({
      columns: BOOK.columns.map((column) =>
        column.name === "pages" ? { ...column, kind: "text" } : column,
      ),
    }),
    'Column "pages" of table "books" has the type integer, which does not fit the kind "text"; describe it as "integer"',
  ],
  [
    "a key of another kind",
    withLoan({ key: { column: "id", kind: "uuid" } }),
    'The key "id" of view "loans" has the type text, but is described as "uuid"; write the kind in "key"',
  ],
  [
    "a key that is not there",
    withLoan({ key: { column: "ident", kind: "text" } }),
    'View "loans" has no column "ident"; its columns are id, user_id, borrower, book_id, or name another column in the key of type "loan"',
  ],
  [
    "a key that is misspelt, of a table that is recorded by it",
    describeLibrary({
      entityTypes: [BOOK, AUTHOR, { ...NOTE, key: { column: "nummer", kind: "integer" } }, LOAN],
    }),
    'Table "notes" has no column "nummer"; did you mean "number"?, or name another column in the key of type "note"',
  ],
  [
    "a column that is described as required and may be null",
    withBook({
      columns: BOOK.columns.map((column) =>
        column.name === "pages" ? { ...column, nullable: false } : column,
      ),
    }),
    'Column "pages" of table "books" may be null, but is described with nullable: false; make it "not null", or leave nullable out',
  ],
  [
    "a column that is described as nullable and may not be null",
    withBook({
      columns: BOOK.columns.map((column) =>
        column.name === "title" ? { ...column, nullable: true } : column,
      ),
    }),
    'Column "title" of table "books" is "not null", but is described as nullable; write nullable: false',
  ],
  [
    "a column that is described with a default and has none",
    withBook({
      columns: BOOK.columns.map((column) =>
        column.name === "title" ? { ...column, hasDefault: true } : column,
      ),
    }),
    'Column "title" of table "books" is described with hasDefault: true, but has no default; give it one, or leave hasDefault out',
  ],
  [
    "rows that may be created, and a required column that nobody can set",
    withBook({
      columns: BOOK.columns.map((column) =>
        column.name === "title" ? { ...column, set: "never" } : column,
      ),
    }),
    'Type "book" may be created, but column "title" of table "books" is "not null" without a default and nobody can set it; describe it with set: "create" or "always", or give it a default',
  ],
  [
    "a generated column that may be set",
    withBook({
      columns: BOOK.columns.map((column) =>
        column.name === "search" ? { ...column, set: "always" } : column,
      ),
    }),
    'Column "search" of table "books" is generated, so nobody can set it; leave "set" out',
  ],
  [
    "rows that count no version",
    describeLibrary({ entityTypes: [BOOK, { ...AUTHOR, version: "row_version" }, NOTE, LOAN] }),
    'Table "authors" has no column "row_version"; add "row_version int not null default 1" and "updated_at timestamptz not null default now()", or write version: "content" at type "author"',
  ],
  ...[() => "book", () => JSON.parse("")].map((label): [string, Domain, string] => [
    "changeable rows of one name",
    withBook({ label }),
    'Type "book" may be changed, but its label reads no value, so all rows of a person have one name; let it read what tells them apart, such as String(values["title"]), or, where a person has one row, alter table books add unique (user_id)',
  ]),
  [
    "a view that may be changed",
    withLoan({ rights: ["read", "delete"] }),
    'Type "loan" has the rights "delete", but the view "loans" can only be read; leave them out',
  ],
];

const POINT_AT_SHELVES =
  "alter table books drop constraint books_author_id_fkey, add foreign key (author_id) references shelves (code)";

/** One statement after the library's migration, or a text that replaces another in it. */
type Mutation = string | readonly [text: string, replacement: string];

const MIGRATIONS: readonly (readonly [
  mistake: string,
  mutation: Mutation,
  ...problems: readonly string[],
])[] = [
  [
    "a table of another schema",
    "create schema shelf; grant usage on schema shelf to concierge_app; alter table books set schema shelf",
    'Type "book": there is no table or view "books"; did you mean "shelf.books"?',
  ],
  [
    "an allowed value that the description leaves out",
    ["('unread', 'read')", "('unread', 'read', 'wait''s')"],
    'Column "status" of table "books" has the values "unread" and "read", but the database allows "unread", "read" and "wait\'s"; write the same values in both',
  ],
  [
    "a list without its table",
    "alter table chapters rename to parts",
    'Type "book", list "chapters": there is no table or view "chapters"; create it in a migration, or write its schema as well ("shop.orders")',
  ],
  [
    "a list without its order",
    "alter table chapters rename position to place",
    'Table "chapters" has no column "position"; its columns are id, user_id, book_id, place, title',
  ],
  [
    "a column of a type that no kind fits",
    ["pages int check (pages > 0)", "pages money"],
    'Column "pages" of table "books" has the type money, which does not fit the kind "integer"; cast it in a view, and describe the view, or leave the column out',
  ],
  [
    "an enum that may be set",
    [
      "status text not null default 'unread' check (status in ('unread', 'read'))",
      "status status not null default 'unread'",
    ],
    'Column "status" of table "books" has the type status, which does not fit the kind "choice"; an enum can only be read: leave "set" out, or make the column a text with a check constraint',
  ],
  [
    "a reference of another type than the key",
    ["author_id text references authors (code)", "author_id int"],
    'Column "author_id" of table "books" has the type integer, but the keys of "author" are of the kind "text"; give it the type of the key that it points at',
  ],
  [
    "a reference whose foreign key points at another type's rows",
    `create table shelves (code text primary key); ${POINT_AT_SHELVES}`,
    'Column "author_id" of table "books" points at rows of "author" by its description, but its foreign key points at table "shelves"; write that table\'s type in "references"',
  ],
  [
    "a reference by another column than the key",
    "alter table authors add number text unique; alter table books drop constraint books_author_id_fkey, add foreign key (author_id) references authors (number)",
    'Column "author_id" of table "books" points at rows of "author" by its description, but its foreign key points at their column "number", and their key is "code"; describe "number" as the key of type "author", or leave "references" out',
  ],
  [
    "a list's foreign key that points at another type's rows",
    "create table sheets (id uuid primary key); alter table chapters drop constraint chapters_book_id_fkey, add foreign key (book_id) references sheets (id)",
    'Column "book_id" of table "chapters" points at rows of "book" by its description, but its foreign key points at table "sheets"; write the column that points at "book" in "foreignKey"',
  ],
  [
    "a key that is not unique",
    "alter table books drop constraint books_pkey cascade; alter table books add primary key (user_id, id)",
    'The key "id" of table "books" is not unique; make it the primary key, or give it a unique index',
  ],
  [
    "a key that may be null",
    "alter table books drop constraint books_pkey cascade; alter table books add unique (id), alter id drop not null",
    'The key "id" of table "books" may be null; make it "not null"',
  ],
  [
    "a version that is no integer",
    "alter table notes alter row_version type bigint",
    'Column "row_version" of table "notes" has the type bigint; make it an integer, or write version: "content" at type "note"',
  ],
  [
    "a version without the time that is set beside it",
    "alter table notes drop updated_at",
    'Table "notes" has no column "updated_at", which concierge_touch_row sets beside row_version; add "updated_at timestamptz not null default now()" before that trigger, or write version: "content" at type "note"',
  ],
  [
    "an inline list without an index",
    "drop index chapters_in_order",
    'Table "chapters" has no index that begins with "book_id", by which a list finds its rows; create index on chapters (book_id)',
  ],
  [
    "a required column that the description leaves out",
    "alter table books add isbn text not null",
    'Type "book" may be created, but column "isbn" of table "books" is "not null" without a default and nobody can set it; describe it with set: "create" or "always", or give it a default',
  ],
  [
    "a required column of a list that the description leaves out",
    "alter table chapters add pages int not null",
    'Type "book" may be changed with its list "chapters", but column "pages" of table "chapters" is "not null" without a default and nobody can set it; describe it with set: "create" or "always", or give it a default',
  ],
  [
    "a list of entities without an index",
    "drop index notes_of_book",
    'Table "notes" has no index that begins with "book_id", by which a list finds its rows; create index on notes (book_id)',
  ],
  [
    "a table without its journal",
    "drop trigger concierge_journal_row on books",
    "Table \"books\" does not record its changes: the trigger concierge_journal_row is missing or disabled; create trigger concierge_journal_row after insert or update or delete on books for each row execute function concierge_journal_row('id')",
  ],
  [
    "a list without its journal",
    "alter table chapters disable trigger concierge_journal_row",
    "Table \"chapters\" does not record its changes: the trigger concierge_journal_row is missing or disabled; create trigger concierge_journal_row after insert or update or delete on chapters for each row execute function concierge_journal_row('id')",
  ],
  [
    "a journal by another key",
    ["concierge_protect('notes', 'number')", "concierge_protect('notes', 'text')"],
    'Table "notes" records its changes by the column "text", but its key is "number"; drop the trigger concierge_journal_row and create trigger concierge_journal_row after insert or update or delete on notes for each row execute function concierge_journal_row(\'number\')',
    'Table "notes" records its changes by the column "text", but its key is "number"; drop the trigger concierge_journal_truncate and select concierge_watch_truncate(\'notes\', \'number\')',
  ],
  [
    "a journal that nothing is told of a truncate",
    "drop trigger concierge_journal_truncate on notes",
    "Table \"notes\" does not record its changes: the trigger concierge_journal_truncate is missing or disabled; select concierge_watch_truncate('notes', 'number')",
  ],
  [
    "a journal that is written after a truncate",
    "create or replace trigger concierge_journal_truncate after truncate on chapters execute function concierge_journal_truncate('id')",
    "Table \"chapters\" does not record all its changes: the trigger concierge_journal_truncate fires on a condition, or not before every truncate; drop the trigger concierge_journal_truncate and select concierge_watch_truncate('chapters', 'id')",
  ],
  ...[
    "after insert on books for each row",
    "after insert or update of title or delete on books for each row",
    "before insert or update or delete on books for each row",
    "after insert or update or delete on books for each row when (pg_trigger_depth() > 5)",
  ].map(
    (firing) =>
      [
        `a journal that is written ${firing}`,
        `drop trigger concierge_journal_row on books; create trigger concierge_journal_row ${firing} execute function concierge_journal_row('id')`,
        "Table \"books\" does not record all its changes: the trigger concierge_journal_row fires on a condition, or not after every insert, update and delete; drop the trigger concierge_journal_row and create trigger concierge_journal_row after insert or update or delete on books for each row execute function concierge_journal_row('id')",
      ] as const,
  ),
  [
    "rows whose version is not counted up",
    "drop trigger concierge_touch_row on books",
    'Table "books" does not count up row_version: the trigger concierge_touch_row is missing or disabled; create trigger concierge_touch_row before update on books for each row execute function concierge_touch_row()',
  ],
  ...["before update of title on books", "after update on books"].map(
    (firing) =>
      [
        `a version that is counted up ${firing}`,
        `drop trigger concierge_touch_row on books; create trigger concierge_touch_row ${firing} for each row execute function concierge_touch_row()`,
        'Table "books" does not count up row_version with every change: the trigger concierge_touch_row fires on a condition, or not before every update; drop the trigger concierge_touch_row and create trigger concierge_touch_row before update on books for each row execute function concierge_touch_row()',
      ] as const,
  ),
  [
    "rows that may be created and get no owner",
    "alter table books alter user_id drop default",
    'Type "book" may be created, but column "user_id" of table "books" is "not null" without a default and nobody can set it; alter table books alter user_id set default concierge_user()',
  ],
  [
    "a table that nothing protects",
    ["select concierge_protect('notes', 'number')", "select 1"],
    "Table \"notes\" is not protected: it has no row-level security and no journal; select concierge_protect('notes', 'number')",
  ],
  [
    "a shared table that nothing protects",
    ["select concierge_share('authors', 'code')", "select 1"],
    "Table \"authors\" is not protected: it has no row-level security and no journal; select concierge_share('authors', 'code')",
  ],
  [
    "row-level security that is switched off",
    "alter table notes disable row level security",
    'Table "notes" has row-level security switched off; alter table notes enable row level security',
  ],
  [
    "row-level security that is not forced",
    "alter table books no force row level security",
    'Table "books" does not force row-level security on its owner; alter table books force row level security',
  ],
  [
    "a table without a policy",
    "drop policy concierge_own_rows on books",
    "Table \"books\" has no policy that lets the program read; select concierge_own_rows('books')",
  ],
  [
    "a shared table without a policy",
    "drop policy concierge_everybody_reads on authors",
    "Table \"authors\" has no policy that lets the program read; select concierge_share_rows('authors')",
  ],
  [
    "a policy by which rows that may be changed can only be read",
    "drop policy concierge_own_rows on books; create policy own_rows on books for select using (user_id = concierge_user())",
    'Table "books" has no policy that lets the program "insert", "update" and "delete"; select concierge_own_rows(\'books\'), or leave the rights out at type "book"',
  ],
  [
    "a policy by which rows of a list cannot be deleted",
    "drop policy concierge_own_rows on chapters; create policy own_rows on chapters for select using (user_id = concierge_user()); create policy additions on chapters for insert with check (user_id = concierge_user()); create policy changes on chapters for update using (user_id = concierge_user())",
    'Table "chapters" has no policy that lets the program "delete"; select concierge_own_rows(\'chapters\'), or leave the rights out at type "book"',
  ],
  ...[
    ["shows everybody's rows", "for select using (true)", "true"],
    [
      "shows a person's rows or all",
      "using (user_id = concierge_user() or true)",
      "((user_id = concierge_user()) OR true)",
    ],
    [
      "shows rows of others that are marked",
      "using (status = 'read' and user_id = concierge_user() or pages = 1)",
      "(((status = 'read'::text) AND (user_id = concierge_user())) OR (pages = 1))",
    ],
    [
      "takes rows of others",
      "for insert with check (concierge_user() <> '')",
      "(concierge_user() <> ''::text)",
    ],
    [
      "takes rows of others where it shows none",
      "using (user_id = concierge_user()) with check (user_id <> concierge_user())",
      "(user_id = concierge_user()), (user_id <> concierge_user())",
    ],
    ["shows the administrator everybody's rows", "to concierge_admin using (true)", "true"],
  ].map(
    ([shows = "", policy = "", printed = ""]) =>
      [
        `a policy that ${shows}`,
        `create policy open on books ${policy}`,
        `Policy "open" of table "books" shows or takes rows of others: ${printed}; write user_id = concierge_user(), and any other condition with "and" behind it or as a policy "as restrictive"; or drop policy open on concierge.books`,
      ] as const,
  ),
  [
    "rights of everybody beyond those of the types and tools",
    "grant all on books, notes, loans to public",
    'Table "books" gives the program the rights "truncate" through "public", which no type\'s "rights" and no tool\'s "writes" need; revoke truncate on books from public',
    'Table "notes" gives the program the rights "delete", "insert", "truncate" and "update" through "public", which no type\'s "rights" and no tool\'s "writes" need; revoke delete, insert, truncate, update on notes from public',
    'View "loans" gives the program the rights "delete", "insert", "truncate" and "update" through "public", which no type\'s "rights" and no tool\'s "writes" need; revoke delete, insert, truncate, update on loans from public',
  ],
  [
    "a right that the program has as a member of another role",
    "create role concierge_test_clerks; grant delete on notes to concierge_test_clerks; grant concierge_test_clerks to concierge_app",
    'Table "notes" gives the program the rights "delete" through "concierge_test_clerks", which no type\'s "rights" and no tool\'s "writes" need; revoke concierge_test_clerks from concierge_app',
  ],
  [
    "a right of the program to one column",
    "grant update (name) on authors to concierge_app",
    'Table "authors" gives the program the rights "update", which no type\'s "rights" and no tool\'s "writes" need; revoke update on authors from concierge_app',
  ],
  [
    "a right of the program to change all tables of the server",
    "grant pg_write_all_data to concierge_app",
    ...["authors", "notes", "loans"].map(
      (name) =>
        `${name === "loans" ? "View" : "Table"} "${name}" gives the program the rights "delete", "insert" and "update" through "pg_write_all_data", which no type's "rights" and no tool's "writes" need; revoke pg_write_all_data from concierge_app`,
    ),
  ],
  [
    "rows that belong to nobody",
    "drop policy concierge_own_rows on notes; alter table notes drop column user_id",
    "Table \"notes\" has no column \"user_id\", so its rows belong to nobody; add \"user_id text not null\" and select concierge_protect('notes', 'number'), or write ownership: \"shared\" and select concierge_share('notes', 'number')",
  ],
  [
    "items of a list that belong to nobody",
    "drop policy concierge_own_rows on chapters; alter table chapters drop column user_id; create index on chapters (book_id)",
    'Table "chapters" has no column "user_id", so its rows belong to nobody; add "user_id text not null" and select concierge_protect(\'chapters\')',
  ],
  [
    "tables that go with deleted rows and are not recorded",
    `create table marks (book_id uuid references books (id) on delete cascade, page int, primary key (book_id, page));
     create table thanks (id int primary key, note int references notes (number) on delete set null)`,
    `Type "book" may be deleted, and rows of table "marks" go with it, or lose what they point at; an undo could not bring that back: alter table marks add row_id uuid not null default gen_random_uuid(); create index on marks (row_id); select concierge_watch_rows('marks', 'row_id'); or make its foreign key "on delete restrict"`,
    `Type "book" may be deleted, and rows of table "thanks" go with it, or lose what they point at; an undo could not bring that back: select concierge_watch_rows('thanks', 'id'); or make its foreign key "on delete restrict"`,
  ],
  [
    "a view that reads with its owner's rights",
    "alter view loans set (security_invoker = false)",
    'View "loans" reads with its owner\'s rights, past row-level security; alter view loans set (security_invoker = true)',
  ],
  [
    "a view of a table that the program may not read",
    "revoke select on books from concierge_app",
    'View "loans" reads "concierge.books", which the program may not read; grant usage on its schema and grant select on concierge.books to concierge_app',
  ],
  [
    "a view of tables that nothing protects",
    "drop view loans; create table slips (id text, borrower text, book_id uuid); grant select on slips to concierge_app; create view loans with (security_invoker = true) as select * from slips",
    'View "loans" shows everybody every row: no table that it reads has a column "user_id", or a policy for the rows of each person; add the column and select concierge_own_rows of the table, or write ownership: "shared" at type "loan"',
  ],
  [
    "a view of persons' rows that nothing protects",
    "drop view loans; create table slips (id text, borrower text, book_id uuid, user_id int); grant select on slips to concierge_app; create view loans with (security_invoker = true) as select * from slips",
    'View "loans" shows everybody every row of table "concierge.slips", which has no row-level security; select concierge_own_rows(\'concierge.slips\')',
  ],
  ...[
    [
      "that was shared once",
      "select concierge_share_rows('slips')",
      `shows rows of others, since policy "concierge_everybody_reads" of table "concierge.slips" shows or takes rows of others: true; select concierge_own_rows('concierge.slips')`,
    ],
    [
      "with an open policy of another's",
      "select concierge_own_rows('slips'); create policy open on slips using (borrower <> '')",
      `shows rows of others, since policy "open" of table "concierge.slips" shows or takes rows of others: (borrower <> ''::text); drop policy open on concierge.slips`,
    ],
    [
      "without row-level security, beside a protected one",
      "create table shelves (id text, place int); grant select on shelves to concierge_app; select concierge_own_rows('slips'); create or replace view loans with (security_invoker = true) as select slips.* from slips left join shelves using (id)",
      `shows everybody every row of table "concierge.shelves", which has no row-level security; select concierge_share_rows('concierge.shelves') if they belong to nobody, or add a column "user_id" and select concierge_own_rows('concierge.shelves')`,
    ],
    [
      "through a view that reads with its owner's rights",
      "select concierge_own_rows('slips'); create view own_slips as select * from slips; grant select on own_slips to concierge_app; create or replace view loans with (security_invoker = true) as select * from own_slips",
      `reads the view "concierge.own_slips", which reads with its owner's rights, past row-level security; alter view concierge.own_slips set (security_invoker = true)`,
    ],
    [
      "through a view that the program may not read",
      "select concierge_own_rows('slips'); create view own_slips with (security_invoker = on) as select * from slips; create or replace view loans with (security_invoker = true) as select * from own_slips",
      `reads "concierge.own_slips", which the program may not read; grant usage on its schema and grant select on concierge.own_slips to concierge_app`,
    ],
    [
      "through a materialized view",
      "select concierge_own_rows('slips'); create materialized view old_slips as select * from slips; grant select on old_slips to concierge_app; create or replace view loans with (security_invoker = true) as select * from old_slips union all select * from slips",
      `shows everybody every row of materialized view "concierge.old_slips", which can have no row-level security; leave it out of the view`,
    ],
  ].map(
    ([reading = "", protection = "", problem = ""]) =>
      [
        `a view of a table ${reading}`,
        `drop view loans; create table slips (id text, borrower text, book_id uuid, user_id text); grant select on slips to concierge_app; create view loans with (security_invoker = true) as select * from slips; ${protection}`,
        `View "loans" ${problem}`,
      ] as const,
  ),
  ...["integer", "uuid"].map(
    (type) =>
      [
        `rows of persons with a user_id of ${type}`,
        `alter table notes add number_of ${type}; alter table notes drop user_id cascade; alter table notes rename number_of to user_id; select concierge_protect('notes', 'number')`,
        `Table "notes": its column "user_id" has the type ${type}, and only a text gives each row to its person; write "alter table concierge.notes alter column user_id type text using user_id::text", or, where a foreign key or a view needs the type, describe a view with "user_id::text as user_id" (docs/own-domain.md, "Existing tables")`,
      ] as const,
  ),
  [
    "a partition",
    `create schema old; grant usage on schema old to concierge_app;
     create table old.notes (like notes including indexes) partition by list (number); drop table notes;
     create table notes partition of old.notes default`,
    'Table "notes" is a partition of "old.notes", and rows are read and changed there without its policies; describe "old.notes"',
  ],
  [
    "a table that shows the rows of those that inherit from it",
    "create table old_authors () inherits (authors)",
    'Table "authors" shows the rows of the tables that inherit from it, "concierge.old_authors", and no trigger of its own records their changes; describe those, or a view',
  ],
  [
    "a version beside a time of the table's own",
    "alter table notes alter updated_at drop default, alter updated_at type date",
    'Column "updated_at" of table "notes" has the type date, and concierge_touch_row sets it to the time beside row_version; make it a timestamptz, or write version: "content" at type "note"',
  ],
  [
    "a materialized view of persons' rows",
    "drop view loans; create materialized view loans as select title as id, title as borrower, id as book_id, user_id from books",
    'Materialized view "loans" shows everybody the same rows; describe a view with security_invoker on the tables that it reads',
  ],
  [
    "a materialized view of everybody's rows",
    "drop view loans; create materialized view loans as select title as id, title as borrower, id as book_id from books",
    'Materialized view "loans" shows everybody the same rows; write ownership: "shared" at type "loan"',
  ],
];

function mutate(mutation: Mutation): string {
  if (typeof mutation === "string") return `${LIBRARY_SQL}; ${mutation}`;
  const [text, replacement] = mutation;
  expect(LIBRARY_SQL).toContain(text);
  return `create type status as enum ('unread', 'read'); ${LIBRARY_SQL.replace(text, replacement)}`;
}

describe("verifyDomain()", () => {
  test("takes a domain that its migrations fit", async () => {
    expect(await findProblems(LIBRARY_SQL, describeLibrary())).toEqual([]);
    await verifyDomain(mealsDomain, database.pool);
  });

  test.each<[string, Partial<EntityType>, string]>([
    ["whose label takes all values", { label: (row) => `${Object.keys(row).length}` }, ""],
    ["that can only be read", { rights: ["read", "create"] }, ""],
    ["of which a person has one", {}, "alter table books add unique (user_id)"],
  ])("takes rows of one name %s", async (_, parts, mutation) => {
    const domain = withBook({ label: () => "book", ...parts });

    expect(await findProblems(mutate(mutation), domain)).toEqual([]);
  });

  test("takes a required column that a trigger may fill", async () => {
    const mutation = `alter table books add isbn text not null;
      create function number_book() returns trigger language plpgsql as $$ begin new.isbn := 'x'; return new; end $$;
      create trigger number_book before insert on books for each row execute function number_book()`;

    expect(await findProblems(mutate(mutation), describeLibrary())).toEqual([]);
  });

  test.each([
    "concierge.concierge_user() = user_id",
    "user_id = (select concierge_user()) and title <> ''",
    "title <> '' and user_id = current_setting('concierge.user_id', true)",
    "user_id = nullif(current_setting('concierge.user_id'), '')",
  ])("takes a policy for rows of a person by %s", async (condition) => {
    const mutation = `create policy further on books using (${condition})`;

    expect(await findProblems(mutate(mutation), describeLibrary())).toEqual([]);
  });

  test("takes a policy that others need, and one that narrows the program's", async () => {
    const mutation = `create policy others on books to current_user using (true) with check (true);
      create policy read_ones on books as restrictive using (status = 'read' or pages > 1)`;

    expect(await findProblems(mutate(mutation), describeLibrary())).toEqual([]);
  });

  test.each([
    ["whose own key points at the rows of the foreign key", "authors (code) references shelves"],
    ["at whose rows the key of the foreign key's rows points", "shelves (code) references authors"],
  ])("takes a reference to a type %s", async (_, further) => {
    const [table, key, , target] = further.split(" ");
    const mutation = `create table shelves (code text primary key); ${POINT_AT_SHELVES};
      alter table ${table} add foreign key ${key} references ${target} (code)`;

    expect(await findProblems(mutate(mutation), describeLibrary())).toEqual([]);
  });

  test("takes a view of a table of persons' rows and a shared one, which was protected before", async () => {
    const mutation = `drop view loans;
      create table slips (id text, borrower text, book_id uuid, user_id text);
      create table shelves (book_id uuid, place int);
      select concierge_share_rows('slips'), concierge_own_rows('slips'), concierge_share_rows('shelves');
      grant select on slips, shelves to concierge_app;
      create view placed with (security_invoker) as select slips.*, place from slips left join shelves using (book_id);
      grant select on placed to concierge_app;
      create view loans with (security_invoker = yes) as select * from placed`;

    expect(await findProblems(mutate(mutation), describeLibrary())).toEqual([]);
  });

  test("takes a table that was shared, once it is protected", async () => {
    const mutation = `alter table authors add user_id text not null; select concierge_protect('authors', 'code')`;
    const owned: EntityType = { ...AUTHOR, ownership: "subject" };

    const domain = describeLibrary({ entityTypes: [BOOK, owned, NOTE, LOAN] });

    expect(await findProblems(mutate(mutation), domain)).toEqual([]);
  });

  test("takes the rights that types and tools need, whoever gives them", async () => {
    const mutation = "grant insert, update, delete on books, chapters to public";

    expect(await findProblems(mutate(mutation), describeLibrary())).toEqual([]);
  });

  test("takes a view of a table whose rows have their owner in another column", async () => {
    const mutation = `drop view loans;
      create table slips (id text, customer text, borrower text, book_id uuid);
      alter table slips enable row level security;
      create policy own_rows on slips using (customer = concierge_user());
      grant select on slips to concierge_app;
      create view loans with (security_invoker = true) as select * from slips`;

    expect(await findProblems(mutate(mutation), describeLibrary())).toEqual([]);
  });

  test.each(["varchar(40)", "integer", "uuid", "text"])(
    "refuses shared tables, lists and views with a user_id of %s",
    async (type) => {
      const mutation = `drop view loans;
        alter table authors add user_id ${type};
        create table pens (id uuid primary key, author text, place int, name text, user_id ${type});
        create index on pens (author);
        select concierge_share('pens');
        create view loans with (security_invoker = true) as
          select code as id, null as borrower, null::uuid as book_id, user_id from authors`;
      const pens = {
        ...CHAPTERS,
        name: "pens",
        table: "pens",
        foreignKey: "author",
        orderBy: "place",
      };
      const columns: Column[] = [{ name: "name", kind: "text" }];
      const author: EntityType = { ...AUTHOR, lists: [{ ...pens, columns }] };
      const loan: EntityType = { ...LOAN, ownership: "shared" };

      const found = await findProblems(
        mutate(mutation),
        describeLibrary({ entityTypes: [BOOK, author, NOTE, loan] }),
      );

      expect(found).toEqual(
        [
          ['Table "authors"', "author"],
          ['Table "pens"', "author"],
          ['View "loans"', "loan"],
        ].map(
          ([place, type]) =>
            `${place} has a column "user_id", so its rows belong to persons, but type "${type}" shows everybody every row; leave ownership: "shared" out, or, if they belong to nobody, describe a view without that column`,
        ),
      );
    },
  );

  test.each<[NonNullable<Column["set"]>, string[]]>([
    ["never", []],
    [
      "always",
      [
        'Column "read_at" of table "books" has the type timestamp without time zone, which does not fit the kind "timestamp"; it would be stored as UTC, whatever the zone of the person: make it "timestamptz", or leave "set" out',
      ],
    ],
  ])("checks a time without a zone that is set %s", async (set, problems) => {
    const domain = withColumn({ name: "read_at", kind: "timestamp", set });

    const found = await findProblems(mutate("alter table books add read_at timestamp"), domain);

    expect(found).toEqual(problems);
  });

  test("takes a required column of a list that nobody may set", async () => {
    const columns = CHAPTERS.columns.map((column): Column => ({ ...column, set: "never" }));
    const mutation = "alter table chapters add pages int not null";

    const problems = await findProblems(
      mutate(mutation),
      withBook({ lists: [{ ...CHAPTERS, columns }] }),
    );

    expect(problems).toEqual([]);
  });

  const SHELVED = `create table shelves (id uuid primary key); create table pens (number int unique);
    alter table books add shelf_id uuid references shelves, add pen int references pens (number),
      add note int references notes (number), add sequel uuid references books, add code uuid`;
  const LEFT = "or leave the column out";
  test.each([
    ["sequel", "uuid", 'write references: "book"'],
    ["note", "integer", 'write references: "note"'],
    [
      "shelf_id",
      "uuid",
      `it points at table "shelves": describe that as a type and write it in "references", ${LEFT}`,
    ],
    ["pen", "integer", 'describe it as "integer"'],
    ["code", "uuid", `cast it in a view, and describe the view, ${LEFT}`],
  ])("says how the column %s, which holds keys, is described", async (name, type, remedy) => {
    const found = await findProblems(mutate(SHELVED), withColumn({ name, kind: "text" }));

    expect(found).toEqual([
      `Column "${name}" of table "books" has the type ${type}, which does not fit the kind "text"; ${remedy}`,
    ]);
  });

  test("says that a uuid key is not described", async () => {
    const domain = withColumn({ name: "id", kind: "text", nullable: false });

    expect(await findProblems(LIBRARY_SQL, domain)).toEqual([
      'Column "id" of table "books" has the type uuid, which does not fit the kind "text"; it is the key, for which refs stand: leave the column out',
    ]);
  });

  const OWNED = `create table shelves (number int, place int, user_id text, primary key (number, place), unique (user_id, number));
    create table racks (number int primary key, owner text); alter table racks enable row level security;
    create table pens (number int primary key); create table inks (number int primary key); select concierge_share('inks', 'number');
    alter table books add number int`;
  const describeNumber = 'describe that table as a type and write it in "references"';
  test.each([
    ["notes", "number", "notes (number)", 'write references: "note"'],
    ["racks", "number", "racks", describeNumber],
    ["shelves", "number, pages", "shelves", describeNumber],
    [
      "books",
      "pages, number",
      "books (pages, number)",
      "let the foreign key hold user_id of both tables as well",
    ],
  ])(
    "refuses a key of rows of persons in %s that may be set freely",
    async (table, key, target, remedy) => {
      const mutation = `${OWNED}; alter table books add unique (pages, number), add foreign key (${key}) references ${target}`;
      const [column] = key.split(", ");

      const found = await findProblems(
        mutate(mutation),
        withColumn({ name: "number", kind: "integer", set: "create" }),
      );

      expect(found).toEqual([
        `Column "${column}" of table "books" may be set, and points at table "${table}", whose rows belong to persons, so that a person could point at rows of others; ${remedy}, or leave "set" out`,
      ]);
    },
  );

  test.each<[string, string, NonNullable<Column["set"]>]>([
    ["that nobody may set", "(number) references notes (number)", "never"],
    ["of a shared table", "(number) references inks", "always"],
    ["of a table without persons", "(number) references pens", "always"],
    ["that holds the owner", "(user_id, number) references shelves (user_id, number)", "always"],
    ["of rows of a reference", "(sequel, number) references books (id, number)", "always"],
  ])("takes a key %s", async (_, key, set) => {
    const mutation = `${OWNED}; alter table books add sequel uuid references books, add unique (id, number), add foreign key ${key}`;
    const sequel: Column = { name: "sequel", kind: "text", references: "book", set: "always" };
    const columns = [...BOOK.columns, sequel, { name: "number", kind: "integer", set } as const];

    expect(await findProblems(mutate(mutation), withBook({ columns }))).toEqual([]);
  });

  test("says of a table that is misspelt nothing else, also where its rows go with others", async () => {
    const mutation = `create schema shelf; grant usage on schema shelf to concierge_app;
      alter table notes set schema shelf; revoke all on shelf.notes from concierge_admin`;
    const note: EntityType = { ...NOTE, table: "shelf.note" };

    const found = await findProblems(
      mutate(mutation),
      describeLibrary({ entityTypes: [BOOK, AUTHOR, note, LOAN] }),
    );

    expect(found).toEqual([
      'Type "note": there is no table or view "shelf.note"; did you mean "shelf.notes"?',
    ]);
  });

  test("says where to write the SQL of a remedy", async () => {
    const domain = describeLibrary({
      entityTypes: [{ ...BOOK, table: "boks" }, AUTHOR, NOTE, LOAN],
    });

    await expect(verifyDomain(domain, database.pool)).rejects.toThrow(
      `\nSQL of this belongs in a new file in "${domain.migrations}", with the next number: one that has run stays as it is`,
    );
  });

  test.each(DESCRIPTIONS)("refuses %s", async (_, domain, problem) => {
    expect(await findProblems(LIBRARY_SQL, domain)).toEqual([problem]);
  });

  test.each(MIGRATIONS)("refuses %s", async (_, mutation, ...problems) => {
    expect(await findProblems(mutate(mutation), describeLibrary())).toEqual(problems);
  });

  test.each([
    [
      "a tool that may delete rows",
      [FINISH_BOOK],
      ['Tool "finish_book" may delete a row of "book"'],
    ],
    ["no tool that can be undone", [{ ...FINISH_BOOK, undo: { never: "read" } }], []],
  ])("asks for a record of what goes with rows of a type for %s", async (_, tools, problems) => {
    const entityTypes: EntityType[] = [{ ...BOOK, rights: [] }, AUTHOR, NOTE, LOAN];
    const sql = `${LIBRARY_SQL}; create schema shop;
      create table shop.marks (id int primary key, book_id uuid references books (id) on delete cascade);
      select concierge_watch_rows('shop.marks', 'id')`;

    const found = await findProblems(sql, describeLibrary({ entityTypes, tools }));

    expect(found).toEqual(
      problems.map(
        (what) =>
          `${what}, and rows of table "shop.marks" go with it, or lose what they point at; an undo could not bring that back: grant select, insert, update, delete on shop.marks to concierge_admin; or make its foreign key "on delete restrict"`,
      ),
    );
  });
});

async function misspell(db: Queryable): Promise<never> {
  await db.query("select nmae from pg_class");
  throw new Error("unreachable");
}

test.each(["loadProfile", "loadSnapshot"])(
  "checkLoaders() finds a mistake in the SQL of %s",
  async (name) => {
    const domain = describeLibrary({ [name]: misspell });
    await expect(checkLoaders(domain, database.userData, "2026-01-12")).rejects.toThrow(
      `${name} failed: column "nmae" does not exist; correct its SQL`,
    );
  },
);

/** Checks a library with another `loadSnapshot`. */
async function checkSnapshot(loadSnapshot: Domain["loadSnapshot"]): Promise<void> {
  return checkLoaders(describeLibrary({ loadSnapshot }), database.userData, "2026-01-12");
}

async function querySnapshot(sql: string): Promise<void> {
  return checkSnapshot(async (db) => {
    await db.query(sql);
    return "";
  });
}

test("checkLoaders() says how a table comes to be read", async () => {
  await database.owner.query("create schema till; create table till.sums (id int)");
  await expect(querySnapshot("select * from till.sums")).rejects.toThrow(
    "loadSnapshot failed: permission denied for schema till; describe that table as a type",
  );
});

test.each([
  ["an insert", "insert into tasks (name) values ('x')"],
  ["a setting", "set statement_timeout = 0"],
  ["a change within a query", "with gone as (delete from tasks returning 1) select * from gone"],
  ["a lock", "select * from tasks for update"],
  ["a function that changes rows", "select clear_tasks()"],
])("checkLoaders() refuses %s in loadSnapshot", async (_, sql) => {
  await database.owner.query(
    "create or replace function clear_tasks() returns void language sql as 'delete from tasks'",
  );
  await expect(querySnapshot(sql)).rejects.toThrow(
    `loadSnapshot sends "${sql}", and may only read: change rows in a tool`,
  );
});

test("checkLoaders() leaves a database that is gone to the turn, and nothing else", async () => {
  const gone = checkSnapshot(async () => {
    throw new DatabaseUnavailableError("Cannot reach it");
  });
  await expect(gone).resolves.toBeUndefined();
  const failing = checkSnapshot(async () => {
    throw new TypeError("no rows");
  });
  await expect(failing).rejects.toThrow(
    'loadSnapshot fails for a person without rows, as everybody is at first: no rows; return "" where there is nothing to say',
  );
});

test.each<[string, unknown, string]>([
  ["loadProfile", { facts: {} }, '{ text: "", facts: {} }'],
  ["loadSnapshot", undefined, '""'],
])("checkLoaders() refuses a %s that gives %j", async (name, loaded, empty) => {
  const domain = describeLibrary({ [name]: async () => loaded });
  await expect(checkLoaders(domain, database.userData, "2026-01-12")).rejects.toThrow(
    `${name} gives nothing that can be used for a person without rows, as everybody is at first; return ${empty} where there is nothing to say`,
  );
});
