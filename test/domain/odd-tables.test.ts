import { expect, test } from "vitest";
import type { EntityType } from "../../state/entity.ts";
import { testDatabase } from "../support/database.ts";
import { openKitchen } from "../support/kitchen.ts";

const database = await testDatabase();
const { owner } = database;

const WIDE = Array.from({ length: 60 }, (_, index) => `c${index}`);

/** Rows with columns that are named like the aliases of statements, and with very many columns. */
const ODD: EntityType = {
  type: "oddity",
  table: "oddities",
  words: { one: "oddity", many: "oddities" },
  ownership: "shared",
  version: "content",
  columns: [
    ...["t", "c", "r", "name", "old", "now", ...WIDE].map(
      (name) => ({ name, kind: "text" }) as const,
    ),
    { name: "big", kind: "integer" },
    { name: "exact", kind: "number" },
    { name: "plain", kind: "number" },
  ],
  lists: [
    {
      kind: "inline",
      name: "parts",
      table: "odd_parts",
      foreignKey: "oddity_id",
      orderBy: "c",
      columns: ["t", "c", "r", ...WIDE].map((name) => ({ name, kind: "text" })),
    },
  ],
  summary: ["name"],
  orderBy: ["name"],
  label: () => "oddity",
};
const columns = (names: readonly string[]): string =>
  names.map((name) => `${name} text`).join(", ");
await owner.query(`
  create table oddities (id uuid primary key default gen_random_uuid(),
    t text, c text, r text, name text, old text, now text, ${columns(WIDE)},
    big bigint, exact numeric, plain numeric);
  create table odd_parts (id uuid primary key default gen_random_uuid(),
    oddity_id uuid not null references oddities on delete cascade, t text, c text, r text, ${columns(WIDE)});
  select concierge_share('oddities'), concierge_share('odd_parts');
  grant select on oddities, odd_parts to concierge_app;
  grant select, insert, update, delete on oddities, odd_parts to concierge_admin;
  insert into oddities (name, c59, big, exact, plain)
  values ('Emma', 'last', 9007199254740993, 0.1000000000000000000001, 1234567890.5000000000);
  insert into odd_parts (oddity_id, c, c59) select id, 'one', 'end' from oddities`);

const open = () => openKitchen(database, { userId: "ann", entityTypes: [ODD] });

test("rows with any names of columns, and with very many of them, are read whole", async () => {
  const { reads } = await open().call("read_oddities", { whole: true });

  expect(Object.keys(reads[0]?.rows[0]?.values ?? {})).toEqual([
    ...ODD.columns.map(({ name }) => name),
    "parts",
  ]);
  expect(reads[0]?.rows[0]?.values).toMatchObject({
    t: null,
    c59: "last",
    // What JavaScript would round is the text that the database has.
    big: "9007199254740993",
    exact: "0.1000000000000000000001",
    plain: 1234567890.5,
    parts: [{ c: "one", c59: "end" }],
  });
});

test("a row has another version after every change, also where a column is named like an alias", async () => {
  const kitchen = open();
  const readVersion = async () =>
    (await kitchen.call("read_oddities", { whole: true })).reads[0]?.rows[0]?.rowVersion;
  await owner.query("update oddities set t = 'x'");
  const version = await readVersion();
  await owner.query("update oddities set name = 'Kim'");
  expect(await readVersion()).not.toBe(version);
});

test.each([
  ["two rows have the same key, one beyond the limit", "'x' as id", 1],
  ["a row has no key", "nullif(n::text, '2') as id", null],
])("a view of which %s is not read in part", async (_, key, limit) => {
  await owner.query(`drop view if exists odd_numbers;
    create view odd_numbers with (security_invoker = true) as
      select ${key}, n::text as name from generate_series(1, 3) n;
    grant select on odd_numbers to concierge_app`);
  const view: EntityType = {
    ...ODD,
    type: "number",
    table: "odd_numbers",
    words: { one: "number", many: "numbers" },
    key: { column: "id", kind: "text" },
    columns: [{ name: "name", kind: "text" }],
    lists: [],
  };
  const kitchen = openKitchen(database, { userId: "ann", entityTypes: [view] });
  await expect(kitchen.call("read_numbers", { limit })).rejects.toThrow(
    "the numbers cannot be read: several have the same key, or one has none",
  );
});

test("numbers that JavaScript cannot hold are written and found exactly as texts, and refused where they were rounded", async () => {
  await owner.query(`
    create table sums (name text primary key, user_id text not null, big bigint, exact numeric);
    select concierge_protect('sums', 'name');
    grant select, insert, update, delete on sums to concierge_app, concierge_admin`);
  const sum: EntityType = {
    type: "sum",
    table: "sums",
    words: { one: "sum", many: "sums" },
    rights: ["read", "create"],
    key: { column: "name", kind: "text" },
    version: "content",
    columns: [
      { name: "name", kind: "text", nullable: false, set: "create" },
      { name: "big", kind: "integer", set: "always" },
      { name: "exact", kind: "number", set: "always" },
    ],
    summary: ["name", "big", "exact"],
    orderBy: ["name"],
    label: () => "sum",
  };
  const kitchen = openKitchen(database, { userId: "ann", entityTypes: [sum] });
  const exact = { big: "9007199254740993", exact: "19.999999999999999999" };

  const create = (row: object) => kitchen.call("create_sums", { rows: [row], drafts: [] });
  await expect(create({ name: "b", big: 9_007_199_254_740_992 })).rejects.toThrow(
    'Cannot use value "9007199254740992" for column "big": it does not fit; give all its digits as a text',
  );
  const created = await create({ name: "a", ...exact });

  expect(created.writes.map(({ row }) => row.values)).toEqual([{ name: "a", ...exact }]);
  const where = [{ column: "big", op: "=", value: exact.big }];
  const found = await kitchen.call("read_sums", { refs: [], where, anyOf: [], whole: true });
  expect(found.reads[0]?.rows.map(({ values }) => values)).toEqual([{ name: "a", ...exact }]);
});
