import { expect, test } from "vitest";
import { testDatabase } from "../support/database.ts";

const { owner } = await testDatabase();

const COLUMNS = "id int primary key, user_id text not null, note text";

/** Runs statements whose effects the test alone sees, and returns the rows of the last one. */
async function tryOut(...statements: readonly string[]): Promise<readonly unknown[]> {
  const client = await owner.connect();
  try {
    await client.query("begin");
    let rows: readonly unknown[] = [];
    for (const sql of statements) ({ rows } = await client.query(sql));
    return rows;
  } finally {
    await client.query("rollback");
    client.release();
  }
}

const POLICIES =
  "select polname as name, polroles::regrole[]::text as roles from pg_policy where polrelid = 'claims'::regclass order by 1";

test("concierge_protect() leaves policies that another program has, whatever their names", async () => {
  const names = ["own_rows", "others", "everybody_reads", "admin_writes", "truncated_rows"];
  const rows = await tryOut(
    `create table claims (${COLUMNS})`,
    ...names.map((name) => `create policy ${name} on claims to pg_monitor using (true)`),
    "select concierge_protect('claims')",
    POLICIES,
  );

  const own = rows.filter((row) => !JSON.stringify(row).includes("pg_monitor"));
  expect(rows.length - own.length).toBe(names.length);
  expect(own).toMatchObject([{ name: "concierge_own_rows" }, { name: "concierge_truncated_rows" }]);
});

test.each([
  ["concierge_protect", "concierge_own_rows"],
  ["concierge_share", "concierge_everybody_reads"],
])("%s() shows logins of other programs no row", async (protect, policy) => {
  const statements = [
    `create role concierge_test_other`,
    `create table claims (${COLUMNS}); insert into claims values (1, 'ann', 'n')`,
    `grant usage on schema concierge to concierge_test_other; grant select on claims to concierge_test_other`,
    `select ${protect}('claims')`,
  ];
  const seen = await tryOut(
    ...statements,
    "set local role concierge_test_other",
    "select set_config('concierge.user_id', 'ann', true)",
    "select from claims",
  );
  const policies = await tryOut(...statements, POLICIES);

  expect(seen).toEqual([]);
  expect(policies).toContainEqual({
    name: policy,
    roles: expect.stringMatching(/^\{concierge_app,concierge_admin,\w+\}$/u),
  });
});

test("concierge_protect() and concierge_share() take each other's place", async () => {
  const table = `create table claims (${COLUMNS})`;
  const rows = await tryOut(
    table,
    "select concierge_share('claims'), concierge_protect('claims'), concierge_protect('claims')",
    POLICIES,
  );
  const shared = await tryOut(
    table,
    "select concierge_protect('claims'), concierge_share('claims')",
    POLICIES,
  );

  expect(rows).toMatchObject([
    { name: "concierge_own_rows" },
    { name: "concierge_truncated_rows" },
  ]);
  expect(shared).toMatchObject([
    { name: "concierge_admin_writes" },
    { name: "concierge_everybody_reads" },
    { name: "concierge_truncated_rows" },
  ]);
});

test("concierge_own_rows() keeps the default of user_id for logins without a user, however often it is called", async () => {
  const rows = await tryOut(
    "create table claims (user_id text default 'demo')",
    "select concierge_own_rows('claims'), concierge_own_rows('claims')",
    "select pg_get_expr(adbin, adrelid) as sql from pg_attrdef where adrelid = 'claims'::regclass",
  );

  expect(rows).toEqual([{ sql: "COALESCE(concierge_user(), 'demo'::text)" }]);
});

const KEEP = `create function keep() returns trigger language plpgsql as $$
    begin new.updated_at := '2020-01-01'; return new; end $$;
  create trigger a_keep before update on claims for each row execute function keep()`;
const DECLARED =
  "row_version int not null default 1, updated_at timestamptz not null default now()";

test.each([
  ["declared as the program's", DECLARED, "", true],
  [
    "with a time that is a number",
    "row_version int not null default 1, updated_at bigint not null default 0",
    "",
    false,
  ],
  [
    "with a version that is a text",
    "row_version text not null default '1', updated_at timestamptz not null default now()",
    "",
    false,
  ],
  ["with a version that begins elsewhere", DECLARED.replace("default 1", "default 0"), "", false],
  [
    "with a version that may be null",
    DECLARED.replace("not null default 1", "default 1"),
    "",
    false,
  ],
  ["that a trigger of its own keeps", DECLARED, KEEP, false],
])(
  "concierge_protect() counts up a table's columns %s: %#",
  async (_, columns, more, isCounted) => {
    const rows = await tryOut(
      `create table claims (${COLUMNS}, ${columns}); ${more}`,
      "insert into claims values (1, 'ann', 'n')",
      "select concierge_protect('claims')",
      "update claims set note = 'm'",
      "select row_version::text as version, (select array_agg(action order by seq) from journal where table_name = 'claims') as actions from claims",
    );

    expect(rows).toEqual([
      {
        version: isCounted ? "2" : columns.includes("default 0,") ? "0" : "1",
        actions: ["update"],
      },
    ]);
  },
);

test("the journal has an update of the time alone, where that is the table's own", async () => {
  const rows = await tryOut(
    `create table claims (${COLUMNS}, row_version int, updated_at date)`,
    "insert into claims values (1, 'ann', 'n')",
    "select concierge_protect('claims')",
    "update claims set updated_at = '2026-01-01'",
    "select action, after ->> 'updated_at' as time from journal where table_name = 'claims'",
  );

  expect(rows).toEqual([{ action: "update", time: "2026-01-01" }]);
});

test("the journal has the changes of partitions as those of their table, and a row that moves between them", async () => {
  const rows = await tryOut(
    `create table claims (${COLUMNS.replace(" primary key", "")}, primary key (id)) partition by list (id);
     create table claims_one partition of claims for values in (1);
     create table claims_rest partition of claims default partition by list (id);
     create table claims_last partition of claims_rest default`,
    "select concierge_protect('claims')",
    "insert into claims values (1, 'ann', 'n'), (2, 'ann', 'm')",
    "update claims set id = 3 where id = 1",
    "update claims_last set note = 'o' where id = 2",
    "truncate claims",
    "select action, row_key as key from journal where table_name = 'claims' order by seq",
  );

  expect(rows).toEqual([
    { action: "insert", key: "1" },
    { action: "insert", key: "2" },
    { action: "delete", key: "1" },
    { action: "insert", key: "3" },
    { action: "update", key: "2" },
    { action: "delete", key: "3" },
    { action: "delete", key: "2" },
  ]);
});
