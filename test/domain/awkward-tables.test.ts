import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { describeTables } from "../../domain/describe-tables.ts";
import { domainFolder } from "../../domain/list-grants.ts";
import { nameTableTool } from "../../domain/table-tools/tool-names.ts";
import { readCatalogue } from "../../domain/verify/catalogue.ts";
import { verifyDomain } from "../../domain/verify-domain.ts";
import { silentLog } from "../../state/log.ts";
import type { EntityType } from "../../state/entity.ts";
import { openDatabase, type Database } from "../../storage/postgres/database.ts";
import { testDatabase } from "../support/database.ts";
import { describedDomains, type DescribedDomain } from "../support/described-domain.ts";
import { openKitchen } from "../support/kitchen.ts";
import { undoInKitchen } from "../support/undo.ts";

const database = await testDatabase();
const { owner, url } = database;
const readPrinted = await describedDomains();

/** Tables of another program, in a schema of their own, `s` in the SQL. Each table of persons has a row of Ann and one of Bob. */
interface Schema {
  readonly sql: string;
  /** The described tables and views, with the rows that Ann sees. */
  readonly rows: Readonly<Record<string, number>>;
  /** Columns `note` that Ann changes through the tools, in tables that belong to persons. */
  readonly written?: readonly string[];
}

const NOTES = "id int primary key, user_id text not null, note text";
const ROWS = "values (1, 'ann', 'n'), (2, 'bob', 'n')";
const LONG = "l".repeat(62);

const SCHEMAS: Readonly<Record<string, Schema>> = {
  unique_targets: {
    sql: `create table s.shops (id int primary key, code text unique, name text);
      create table s.sales (${NOTES}, shop text default 'c1' references s.shops (code), parent int references s.sales);
      insert into s.shops values (1, 'c1', 'North'); insert into s.sales ${ROWS}`,
    rows: { shops: 1, sales: 1 },
    written: ["sales"],
  },
  composite_targets: {
    sql: `create table s.trips (${NOTES}, unique (user_id, id));
      create table s.pairs (a int, b int, primary key (a, b));
      create table s.legs (${NOTES}, trip int, a int, b int,
        foreign key (user_id, trip) references s.trips (user_id, id), foreign key (a, b) references s.pairs);
      insert into s.trips ${ROWS}; insert into s.legs ${ROWS}`,
    rows: { trips: 1, pairs: 0, legs: 1 },
    written: ["legs"],
  },
  cycles: {
    sql: `create table s.hosts (${NOTES}, guest int);
      create table s.guests (${NOTES}, host int references s.hosts, elsewhere int);
      create table s.elsewhere (id int primary key);
      alter table s.hosts add foreign key (guest) references s.guests;
      alter table s.guests add foreign key (elsewhere) references s.elsewhere;
      insert into s.hosts ${ROWS}; insert into s.guests ${ROWS}`,
    rows: { hosts: 1, guests: 1 },
    written: ["guests"],
  },
  partitions: {
    sql: `create table s.visits (${NOTES}) partition by range (id);
      create table s.visits_first partition of s.visits for values from (0) to (2) partition by hash (id);
      create table s.visits_sub partition of s.visits_first for values with (modulus 1, remainder 0);
      create table s.visits_rest partition of s.visits default;
      create table s.moves (id int, state text, user_id text not null, primary key (id, state)) partition by list (state);
      create table s.moves_all partition of s.moves default;
      create table s.stops (${NOTES}, visit int references s.visits on delete cascade);
      insert into s.visits ${ROWS}; insert into s.moves values (1, 'a', 'ann'), (1, 'b', 'bob'); insert into s.stops ${ROWS}`,
    rows: { visits: 1, moves: 1, stops: 1 },
    written: ["visits", "stops"],
  },
  heirs: {
    sql: `create table s.beasts (${NOTES}); create table s.dogs (breed text, primary key (id)) inherits (s.beasts);
      insert into s.dogs ${ROWS.replaceAll("'n'", "'n', 'pug'")}`,
    rows: { dogs: 1 },
    written: ["dogs"],
  },
  policies: {
    sql: `grant usage on schema s to pg_monitor;
      create table s.claims (${NOTES}); alter table s.claims enable row level security;
      create policy own_rows on s.claims to pg_monitor using (true);
      create policy others on s.claims to pg_monitor using (true);
      create policy truncated_rows on s.claims to pg_monitor using (true);
      create policy narrow on s.claims as restrictive using (note <> 'hidden');
      create table s.tariffs (id int primary key, tenant text);
      alter table s.tariffs enable row level security;
      create policy everybody_reads on s.tariffs to pg_monitor using (tenant = 'x');
      grant select on s.claims, s.tariffs to pg_monitor;
      insert into s.claims ${ROWS}; insert into s.tariffs values (1, 'x'), (2, 'y')`,
    rows: { claims: 1, tariffs: 2 },
    written: ["claims"],
  },
  columns_of_its_own: {
    sql: `create table s.epochs (${NOTES}, updated_at bigint default 5, row_version text default 'v1');
      create table s.stamps (${NOTES}, updated_at timestamptz not null default now(), row_version int not null default 1);
      create function s.keep() returns trigger language plpgsql as $$
        begin new.updated_at := '2020-01-01'; new.row_version := 77; return new; end $$;
      create trigger a_keep before update on s.stamps for each row execute function s.keep();
      create table s.counted (${NOTES}, updated_at timestamptz not null, row_version int not null);
      create table s.computed (id int primary key, person text, user_id text generated always as (person) stored, note text);
      insert into s.epochs ${ROWS}; insert into s.stamps ${ROWS};
      insert into s.counted values (1, 'ann', 'n', '2020-01-01', 9), (2, 'bob', 'n', '2020-01-01', 9);
      insert into s.computed values (1, 'ann', default, 'n'), (2, 'bob', default, 'n')`,
    rows: { epochs: 1, stamps: 1, counted: 1, computed: 1 },
    written: ["epochs", "stamps", "counted", "computed"],
  },
  types: {
    sql: `create domain s.text_1 as text check (value <> ''); create domain s.text_2 as s.text_1 not null default 'x';
      create type s.level as enum ('low', 'high'); create type s.empty as enum (); create domain s.grade as s.level;
      create type s.pair as (a int, b text);
      create table s.things (${NOTES}, serial bigint generated always as identity, deep s.text_2, level s.level, levels s.level[],
        grade s.grade, empty s.empty, pair s.pair, minus int check (minus in (-1, -2)), day date check (day in ('2026-01-01', '2026-01-02')),
        low text generated always as (lower(note)) stored, tags text[], "it's \\ ""quoted""" text, "order" text, during tstzrange,
        raw bytea, amount money, "constructor" text, created_at json);
      insert into s.things ${ROWS}`,
    rows: { things: 1 },
    written: ["things"],
  },
  keys: {
    sql: `create table s.codes (code char(3) primary key, user_id text not null, note text);
      create table s.people (user_id text primary key, note text);
      create table s.big (id bigint primary key, user_id text not null, note text);
      create table s.days (day date primary key, user_id text not null);
      create table s.pins (pin text primary key, "a$b" text);
      insert into s.pins values ('1234', 'x');
      create table s.rows (id int, row_key int, user_id text not null, primary key (id, user_id));
      insert into s.codes values ('ab', 'ann', 'n'), ('cd', 'bob', 'n'); insert into s.people values ('ann', 'n'), ('bob', 'n');
      insert into s.big values (9007199254740993, 'ann', 'n'), (9007199254740992, 'bob', 'n');
      insert into s.days values ('2026-01-01', 'ann'), ('2026-01-02', 'bob'); insert into s.rows values (1, 1, 'ann'), (1, 1, 'bob')`,
    rows: { codes: 1, people: 1, big: 1, days: 1, rows: 1, pins: 1 },
    written: ["codes", "people", "big"],
  },
  names: {
    sql: `create table s."Order" (${NOTES}); create table s."order" (${NOTES}); create table s."user" (id int primary key, "select" text);
      create table s.choices (id int primary key); create table s.gen_x (id int primary key); create table s."2024" (id int primary key);
      create table s.logs_1 (id int primary key); create table s.logs_2 (id int primary key);
      create table s.series (id int primary key); create table s.serie (id int primary key);
      create table s.${LONG} (${NOTES}); create table s.${LONG}x (a int, b int, user_id text not null, primary key (a, b));
      create table s.bare (id uuid primary key default gen_random_uuid(), place point);
      insert into s."Order" ${ROWS}; insert into s."order" ${ROWS}; insert into s.${LONG} ${ROWS}; insert into s.bare default values`,
    rows: {
      Order: 1,
      order: 1,
      user: 0,
      choices: 0,
      gen_x: 0,
      2024: 0,
      logs_1: 0,
      logs_2: 0,
      series: 0,
      serie: 0,
      [LONG]: 1,
      [`${LONG}x`]: 0,
      bare: 1,
    },
    written: ["Order", "order", LONG],
  },
  views: {
    sql: `create table s.parcels (${NOTES}); create table s.depots (id int primary key, name text);
      create table s.bills (id int primary key, user_id int, depot int); create table s.prices (id int primary key);
      create view s.inner_view as select p.*, d.name from s.parcels p left join s.depots d on d.id = p.id;
      create view s.outer_view as select * from s.inner_view;
      create view s.cast_bills as select b.id, b.user_id::text as user_id, d.name from s.bills b left join s.depots d on d.id = b.depot;
      create view s.numbered as select user_id, id as parcel_no, note from s.parcels;
      create view s.sums as select user_id, count(*)::numeric as parcels from s.parcels group by 1;
      create materialized view s.totals as select count(*)::int as id from s.parcels;
      create view s.of_totals as select * from s.totals;
      create recursive view s.numbers (n) as select 1 union all select n + 1 from numbers where n < 3;
      insert into s.parcels ${ROWS}, (3, 'ann', 'm'); insert into s.bills values (1, 7, null)`
      .replaceAll(
        "recursive view s.numbers (n) as select 1 union all select n + 1 from numbers",
        "view s.numbers as with recursive numbers (n) as (select 1 union all select n + 1 from numbers",
      )
      .replace("where n < 3;", "where n < 3) select n from numbers;"),
    rows: {
      outer_view: 2,
      cast_bills: 0,
      numbered: 2,
      sums: 1,
      totals: 1,
      of_totals: 1,
      numbers: 3,
    },
  },
  triggers: {
    sql: `create table s.log (n int); create table s.jobs (${NOTES}, upper_note text);
      create function s.log_jobs() returns trigger language plpgsql security definer as $$
        begin insert into s.log select count(*) from changed; return null; end $$;
      create function s.upper_note() returns trigger language plpgsql as $$
        begin new.upper_note := upper(new.note); return new; end $$;
      create trigger log_jobs after update on s.jobs referencing new table as changed for each statement execute function s.log_jobs();
      create trigger upper_note before insert or update on s.jobs for each row execute function s.upper_note();
      insert into s.jobs ${ROWS}`,
    rows: { jobs: 1 },
    written: ["jobs"],
  },
};

/** The names of the described tables of a schema, or of those that are written. */
function listNames(schema: string, tables: readonly string[]): readonly string[] {
  return tables.map((table) => `${schema}.${table}`);
}

const NAMES = Object.entries(SCHEMAS).flatMap(([schema, { rows }]) =>
  listNames(schema, Object.keys(rows)),
);
const WRITTEN = Object.entries(SCHEMAS).flatMap(([schema, { written = [] }]) =>
  listNames(schema, written),
);

/** The columns that change with a note, where the database computes or keeps others. */
const CHANGED: Readonly<Record<string, readonly string[]>> = {
  "columns_of_its_own.stamps": ["note", "row_version", "updated_at"],
  "triggers.jobs": ["note", "upper_note"],
  "types.things": ["low", "note"],
};

/** Lets the tools change the notes of the tables that the test writes. */
function allowNotes(type: EntityType): EntityType {
  if (!WRITTEN.includes(type.table)) return type;
  return {
    ...type,
    rights: ["read", "update", "delete"],
    columns: type.columns.map((column) =>
      column.name === "note" ? Object.assign({}, column, { set: "always" }) : column,
    ),
  };
}

async function createSchema(schema: string, sql: string): Promise<void> {
  await owner.query(
    `create schema ${schema}; ${sql.replaceAll(/\bs\./g, `${schema}.`).replaceAll("schema s ", `schema ${schema} `)}`,
  );
}

async function describeNow(names: readonly string[]): Promise<string> {
  return describeTables(await readCatalogue(owner, names), names);
}

/** Starts the program on a printed description. */
async function start(described: DescribedDomain) {
  const domain = await readPrinted(described);
  const opened = await openDatabase({
    url,
    dataDir: "",
    migrations: [domainFolder(domain)],
    log: silentLog,
  });
  try {
    await verifyDomain(domain, opened.pool);
    return { opened, entityTypes: domain.entityTypes };
  } catch (error) {
    await opened.close();
    throw error;
  }
}

describe("a description of any tables", () => {
  let opened: Database | null = null;
  let types: readonly EntityType[] = [];

  beforeAll(async () => {
    for (const [schema, { sql }] of Object.entries(SCHEMAS)) await createSchema(schema, sql);
    const printed = await describeNow(NAMES);
    ({ opened, entityTypes: types } = await start({ name: "all", printed, edit: allowNotes }));
  });
  afterAll(() => opened?.close());

  function open() {
    if (opened === null) throw new Error("Cannot use a database that was not opened");
    const { userData } = opened;
    return { userData, kitchen: openKitchen({ userData }, { userId: "ann", entityTypes: types }) };
  }

  function findType(name: string): EntityType {
    // A table of several key columns is described by a view in the program's schema.
    const view = name.replace(".", "_").slice(0, 63);
    const found = types.find(({ table }) => table === name || table === view);
    if (found === undefined) throw new Error(`Cannot find "${name}"`);
    return found;
  }

  test.each(
    Object.entries(SCHEMAS).flatMap(([schema, { rows }]) =>
      Object.entries(rows).map(([table, count]) => [`${schema}.${table}`, count] as const),
    ),
  )("is accepted by the start, and shows of %s %i rows", async (name, count) => {
    const type = findType(name);
    const { reads } = await open().kitchen.call(nameTableTool("read", type), { whole: true });

    expect(reads[0]?.rows).toHaveLength(count);
  });

  test("is written again, and then has nothing left to protect", async () => {
    const printed = await describeNow(NAMES);

    expect(printed).not.toMatch(/concierge_\w+\(|create policy|alter view/u);
  });

  test.each(WRITTEN)("lets the tools change %s and take it back", async (name) => {
    const type = findType(name);
    const table = name.replace(/[.](.*)$/u, '."$1"');
    const { kitchen, userData } = open();
    const readAll = async () =>
      (await owner.query(`select to_jsonb(t) as row from ${table} t order by user_id`)).rows.map(
        ({ row }) => row as Record<string, unknown>,
      );
    const before = await readAll();
    const refs = await kitchen.readRefs(nameTableTool("read", type), {});
    const undoLast = async () => {
      const { rows } = await owner.query("select max(effect_id)::int as id from effects");
      const effectIds = rows.map(({ id }) => Number(id));
      return undoInKitchen(userData, { entityTypes: types, effectIds });
    };

    const { writes } = await kitchen.call(nameTableTool("update", type), {
      refs,
      set: { note: "Changed" },
    });

    expect(writes.map(({ action, type: one }) => [action, one])).toEqual([["updated", type.type]]);
    const after = await readAll();
    const changed = Object.keys(after[0] ?? {}).filter(
      (column) => JSON.stringify(after[0]?.[column]) !== JSON.stringify(before[0]?.[column]),
    );
    expect(changed.toSorted()).toEqual(CHANGED[name] ?? ["note"]);
    expect(after.slice(1)).toEqual(before.slice(1));
    expect(await undoLast()).toMatchObject({ kind: "undone" });
    await kitchen.call("delete_rows", { refs, all: null });
    expect(await readAll()).toEqual(before.slice(1));
    expect(await undoLast()).toMatchObject({ kind: "undone" });
    expect(await readAll()).toHaveLength(2);
  });
});

/** A table whose description is refused before anything is changed, and the way out. */
interface Refused {
  readonly sql: string;
  readonly table: string;
  /** After `Cannot describe "schema.table": `. */
  readonly reason: string;
  readonly remedy: string;
  /** Described then. Default: the table. */
  readonly instead?: string;
}

const REFUSED: Readonly<Record<string, Refused>> = {
  a_partition: {
    sql: `create table s.t (${NOTES}) partition by range (id); create table s.t1 partition of s.t default`,
    table: "t1",
    reason:
      'table "s.t1" is a partition of "s.t", and rows are read and changed there without its policies; describe "s.t"',
    remedy: "",
    instead: "t",
  },
  a_partitioned_table_without_a_key: {
    sql: `create table s.t (day date, user_id text not null) partition by range (day); create table s.t1 partition of s.t default`,
    table: "t",
    reason:
      'it has no key that tells its rows apart; write "alter table s.t add row_id uuid default gen_random_uuid(), add primary key (row_id, day)"',
    remedy:
      "alter table s.t add row_id uuid default gen_random_uuid(), add primary key (row_id, day)",
  },
  an_expression_for_partitions: {
    sql: `create table s.t (id int, user_id text not null) partition by range ((id + 1)); create table s.t1 partition of s.t default`,
    table: "t",
    reason: "it has no key that tells its rows apart; describe a view with a key column, as text",
    remedy: "create view s.v as select id::text as id, user_id from s.t",
    instead: "v",
  },
  a_table_without_a_key: {
    sql: "create table s.t (user_id text not null, note text)",
    table: "t",
    reason:
      'it has no key that tells its rows apart; write "alter table s.t add row_id uuid primary key default gen_random_uuid()"',
    remedy: "alter table s.t add row_id uuid primary key default gen_random_uuid()",
  },
  a_table_that_others_inherit_from: {
    sql: `create table s.t (${NOTES}); create table s.t1 (primary key (id)) inherits (s.t)`,
    table: "t",
    reason:
      'table "s.t" shows the rows of the tables that inherit from it, "s.t1", and no trigger of its own records their changes; describe those, or a view',
    remedy: "",
    instead: "t1",
  },
  an_open_policy: {
    sql: `create table s.t (${NOTES}); grant select on s.t to pg_monitor;
      alter table s.t enable row level security; create policy everyone on s.t using (true)`,
    table: "t",
    reason:
      'policy "everyone" of table "s.t" shows or takes rows of others: true; let it hold for other logins alone: alter policy everyone on s.t to pg_monitor',
    remedy: "alter policy everyone on s.t to pg_monitor",
  },
  an_open_policy_of_nobody: {
    sql: `create table s.t (${NOTES}); create policy "a b" on s.t for select using (note = 'x')`,
    table: "t",
    reason:
      'policy "a b" of table "s.t" shows or takes rows of others: (note = \'x\'::text); drop policy "a b" on s.t',
    remedy: 'drop policy "a b" on s.t',
  },
  an_open_policy_beneath_a_view: {
    sql: `create table s.t (${NOTES}); create view s.v as select * from s.t; create view s.w as select * from s.v;
      create policy everyone on s.t using (true)`,
    table: "w",
    reason:
      'view "s.w" shows rows of others, since policy "everyone" of table "s.t" shows or takes rows of others: true; drop policy everyone on s.t',
    remedy: "drop policy everyone on s.t",
  },
  rights_of_everybody: {
    sql: `create table s.t (${NOTES}); grant insert on s.t to public`,
    table: "t",
    reason:
      'table "s.t" gives the program the rights "insert" through "public", which no type\'s "rights" and no tool\'s "writes" need; revoke insert on s.t from public, once the logins that need them have them by themselves',
    remedy: "revoke insert on s.t from public",
  },
  a_materialized_view_of_persons: {
    sql: `create table s.t (${NOTES}); create materialized view s.m as select * from s.t`,
    table: "m",
    reason:
      'materialized view "s.m" shows everybody the same rows; describe a view with security_invoker on the tables that it reads',
    remedy: "create view s.v with (security_invoker = true) as select * from s.t",
    instead: "v",
  },
  a_materialized_view_beneath: {
    sql: `create table s.t (${NOTES}); create materialized view s.m as select * from s.t;
      create view s.v as select m.*, t.note as same from s.m join s.t using (id)`,
    table: "v",
    reason:
      'view "s.v" shows everybody every row of materialized view "s.m", which can have no row-level security; leave it out of the view',
    remedy: "drop view s.v; create view s.v as select * from s.t",
  },
  a_view_that_computes_the_person: {
    sql: `create table s.t (id int primary key, customer text); create view s.v as select id, customer as user_id from s.t`,
    table: "v",
    reason:
      'no table that it reads has a column "user_id", by which row-level security could give each person their rows; add one to the table that knows the person, as in "user_id text generated always as (customer) stored"',
    remedy: "alter table s.t add user_id text generated always as (customer) stored",
  },
  a_foreign_table: {
    sql: `create foreign data wrapper awkward; create server awkward foreign data wrapper awkward;
      create foreign table s.t (id int, note text) server awkward`,
    table: "t",
    reason:
      'foreign table "s.t" cannot be described itself; describe a view on it with security_invoker',
    remedy: "create view s.v with (security_invoker = true) as select * from s.t",
    instead: "v",
  },
};

describe("a description of a table that the start would refuse", () => {
  test.each(Object.entries(REFUSED))(
    "is refused before anything is changed, for %s, and accepted once its advice is followed",
    async (name, { sql, table, reason, remedy, instead = table }) => {
      const schema = `refused_${name}`;
      await createSchema(schema, sql);
      const locate = (text: string): string => text.replaceAll(/\bs\./g, `${schema}.`);

      const refused = describeNow([`${schema}.${table}`]);

      await expect(refused).rejects.toThrow(
        new RangeError(locate(`Cannot describe "s.${table}": ${reason}`)),
      );
      await owner.query(locate(remedy));
      const printed = await describeNow([`${schema}.${instead}`]);
      const { opened } = await start({ name: schema, printed });
      await opened.close();
    },
  );

  test("names the obstacles of all tables at once", async () => {
    await createSchema("many", "create table s.a (x int); create table s.b (y int)");

    await expect(describeNow(["many.a", "many.b"])).rejects.toThrow(
      /^Cannot describe "many\.a": .*\nCannot describe "many\.b": [^\n]*$/u,
    );
  });
});
