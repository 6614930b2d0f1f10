import { Client } from "pg";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { describeTables } from "../../domain/describe-tables.ts";
import { domainFolder, listGrants } from "../../domain/list-grants.ts";
import { readCatalogue } from "../../domain/verify/catalogue.ts";
import { mealsDomain } from "../../meals/index.ts";
import type { Queryable } from "../../state/store.ts";
import { errorCode } from "../../storage/postgres/error-code.ts";
import { shopDomain } from "../shop/domain.ts";
import { testEffect } from "../support/effect.ts";
import { TODAY } from "../support/kitchen.ts";
import { ownedDatabase } from "../support/owned-database.ts";

/** They may `copy` from a program, which needs no file. */
const COPIES = "in role pg_execute_server_program";
const DOMAINS = [mealsDomain, shopDomain];
const { name, urlFor, pool, userData } = await ownedDatabase(
  { erp: COPIES, batch: `bypassrls ${COPIES}` },
  [domainFolder(shopDomain)],
);

async function connect(login: string): Promise<Client> {
  const client = new Client({ connectionString: urlFor(login) });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

/** SQLSTATE of a statement's error; null where it was carried out. */
async function readRefusal(db: Queryable, sql: string): Promise<string | null> {
  return db.query(sql).then(() => null, errorCode);
}

/** Tables of another program, and a trigger that gives each parcel a line. */
const WARES = `create schema wares;
  create table wares.parcels (code int primary key, user_id text not null, name text not null);
  create table wares.lines (
    code int primary key, user_id text not null, parcel int not null references wares.parcels on delete cascade);
  create function wares.add_line() returns trigger language plpgsql as $$
    begin insert into wares.lines values (new.code * 10, new.user_id, new.code); return null; end $$;
  create trigger add_line after insert on wares.parcels for each row execute function wares.add_line();
  grant usage on schema wares to ${name}_erp, ${name}_batch;
  grant all on wares.parcels, wares.lines to ${name}_erp, ${name}_batch`;

interface Row {
  readonly code: number;
  readonly user_id: string;
  readonly name?: string;
  readonly parcel?: number;
}

function record(before: Row | null, after: Row | null, follows = false) {
  const row = after ?? before;
  return {
    effect_id: null,
    user_id: row?.user_id,
    table_name: row?.parcel === undefined ? "wares.parcels" : "wares.lines",
    row_key: String(row?.code),
    action: before === null ? "insert" : after === null ? "delete" : "update",
    before,
    after,
    follows,
  };
}

const books: Row = { code: 1, user_id: "ann", name: "Books" };
const maps: Row = { ...books, name: "Maps" };
const line: Row = { code: 10, user_id: "ann", parcel: 1 };
const emma: Row = { code: 2, user_id: "bob", name: "Emma" };
const emmaLine: Row = { code: 20, user_id: "bob", parcel: 2 };
const EMMA = "insert into wares.parcels values (2, 'bob', 'Emma')";
const EMMA_RECORDS = [record(null, emmaLine, true), record(null, emma)];

/** Statements, with the journal's rows of each. */
const STATEMENTS = [
  [
    "insert into wares.parcels values (1, 'ann', 'Books')",
    [record(null, line, true), record(null, books)],
  ],
  [
    "insert into wares.parcels values (1, 'ann', 'Maps') on conflict (code) do update set name = excluded.name",
    [record(books, maps)],
  ],
  ["update wares.parcels set name = 'Books'", [record(maps, books)]],
  [EMMA, EMMA_RECORDS],
  ["delete from wares.parcels where code = 2", [record(emma, null), record(emmaLine, null)]],
  [EMMA, EMMA_RECORDS],
  ["truncate wares.parcels cascade", [books, emma, line, emmaLine].map((row) => record(row, null))],
] as const;

const READ_JOURNAL = `with gone as (delete from concierge.journal returning *)
  select effect_id, user_id, table_name, row_key, action, before, after, follows from gone order by seq`;

describe("another program", () => {
  beforeAll(async () => {
    const owner = new Client({ connectionString: urlFor(name) });
    await owner.connect();
    await owner.query(WARES);
    const tables = ["wares.parcels", "wares.lines"];
    const described = describeTables(await readCatalogue(owner, tables), tables);
    const migration = /^\/\* \S+$([^]*)\*\//m.exec(described)?.[1] ?? "";
    await owner.query(`set search_path = concierge, public; ${migration}`);
    await owner.end();
  });

  test.each([
    ["the tables' owner", name],
    ["a login with a policy", `${name}_erp`],
    ["a login that bypasses row-level security", `${name}_batch`],
  ])("writes on as %s, and the journal has it from outside", async (_who, login) => {
    const [client, owner] = [await connect(login), await connect(name)];

    for (const [sql, records] of STATEMENTS) {
      expect([sql, await readRefusal(client, sql)]).toEqual([sql, null]);
      expect([sql, (await owner.query(READ_JOURNAL)).rows]).toEqual([sql, records]);
    }
    const { rows } = await client.query("select from wares.parcels, wares.lines");
    expect(rows).toEqual([]);
  });

  test("copies rows in where it bypasses row-level security, which knows no such copy", async () => {
    const [erp, batch] = [await connect(`${name}_erp`), await connect(`${name}_batch`)];
    const copy = "copy wares.parcels from program 'echo 2,bob,Emma' csv";

    expect(await readRefusal(erp, copy)).toBe("0A000");
    expect(await readRefusal(batch, copy)).toBeNull();

    const owner = await connect(name);
    expect((await owner.query(READ_JOURNAL)).rows).toEqual(EMMA_RECORDS);
  });
});

/** SQLSTATE of a statement of the program's login for a person, without an effect. */
async function tryWithoutEffect(sql: string, userId = "demo"): Promise<string | null> {
  const client = await pool.connect();
  try {
    await client.query(`begin; set local concierge.user_id = '${userId}'`);
    return await readRefusal(client, sql);
  } finally {
    await client.query("rollback");
    client.release();
  }
}

describe("the program's own login", () => {
  beforeAll(async () => {
    await userData.seed("demo", "demo", async (tx) => {
      for (const { demo } of DOMAINS) await demo?.[0]?.seed(tx, { userId: "demo", today: TODAY });
      await tx.query("insert into payment_methods (kind, name) values ('paypal', 'Spare')");
      await tx.query("insert into handovers (summary) values ('Ring back')");
      await tx.query(`insert into meal_eaters (meal_id, member_id)
        select meal_plans.id, members.id from meal_plans, members limit 1`);
    });
  });

  test.each(DOMAINS.flatMap(listGrants))(
    "changes no row of $table without an effect",
    async ({ table, rights }) => {
      const other = "jsonb_build_object('id', gen_random_uuid(), 'name', 'New', 'number', '#New')";
      const insert =
        // Of these each person has one row.
        table === "preferences"
          ? await tryWithoutEffect("insert into preferences default values", "eve")
          : await tryWithoutEffect(
              `insert into ${table} select (jsonb_populate_record(t, ${other})).* from ${table} as t limit 1`,
            );
      // No other row needs the newest one.
      const newest = `where ctid = (select max(ctid) from ${table})`;

      expect({
        insert,
        update: await tryWithoutEffect(`update ${table} set id = id`),
        delete: await tryWithoutEffect(`delete from ${table} ${newest}`),
        truncate: await tryWithoutEffect(`truncate ${table}`),
      }).toEqual({
        insert: rights.includes("insert") ? "ZE001" : "42501",
        update: rights.includes("update") ? "ZE001" : "42501",
        delete: rights.includes("delete") ? "ZE001" : "42501",
        truncate: "42501",
      });
    },
  );

  test.each([
    "set session_replication_role = replica",
    "alter table tasks disable trigger all",
    "drop trigger concierge_journal_row on tasks",
    "alter table tasks no force row level security",
    "drop policy concierge_own_rows on tasks",
    "select concierge_watch_truncate('tasks', 'id')",
    "delete from journal",
    "update journal set effect_id = 1",
    "truncate journal",
    "grant concierge_admin to concierge_app",
    "select set_config('concierge.effect', '0', true); delete from tasks",
  ])("is refused: %s", async (sql) => {
    expect(await tryWithoutEffect(sql)).toBe("42501");
  });

  test("truncates nothing by a function of the owner's, and the setting for it shows it no row", async () => {
    const owner = await connect(name);
    await owner.query(`set search_path = concierge, public;
      create function empty_tasks() returns void language sql security definer as 'truncate concierge.tasks'`);
    const write = userData.write("demo", testEffect("empty"), async (tx) => {
      await tx.query("select empty_tasks()");
      return null;
    });

    await expect(write).rejects.toMatchObject({
      code: "42501",
      message: 'Cannot truncate "tasks": the program deletes rows for an effect only',
    });
    const peek = userData.read("eve", async (tx) => {
      await tx.query("select set_config('concierge.truncating', 'on', true)");
      return (await tx.query("select from tasks")).rowCount;
    });
    expect(await peek).toBe(0);
    await owner.query("begin; truncate tasks");
    const { rows } = await owner.query(
      "select from journal where table_name = 'tasks' and action = 'delete'",
    );
    expect(rows.length).toBeGreaterThan(0);
  });
});
