import { readFile } from "node:fs/promises";
import { beforeAll, expect, test } from "vitest";
import { describeTables } from "../../domain/describe-tables.ts";
import { domainFolder } from "../../domain/list-grants.ts";
import { runReadTool } from "../../domain/run-tool.ts";
import { createReadTool } from "../../domain/table-tools/read-tool.ts";
import { readCatalogue, type CatalogueTable } from "../../domain/verify/catalogue.ts";
import { verifyDomain } from "../../domain/verify-domain.ts";
import { silentLog } from "../../state/log.ts";
import type { Domain } from "../../state/domain.ts";
import type { EntityType } from "../../state/entity.ts";
import type { ToolOutcome } from "../../state/tool.ts";
import { openDatabase } from "../../storage/postgres/database.ts";
import { testDatabase } from "../support/database.ts";
import { describedDomains } from "../support/described-domain.ts";
import { createRefBook } from "../support/ref-book.ts";
import { runCli } from "../support/run-cli.ts";

/** Tables that another program has: numbered orders, lines with a key of two columns, an enum. */
const EXISTING_SQL = `
create schema shop;
create type shop.channel as enum ('web', 'phone');
create table shop.customers (id uuid primary key default gen_random_uuid(), name text not null, spot point);
create table shop.category (id uuid primary key, shelf int, row int, place int, size int, name text not null);
create table shop.orders (
  order_no int primary key,
  status varchar(20) not null check (status in ('pending', 'sent')),
  channel shop.channel,
  total numeric not null,
  customer_id uuid not null references shop.customers,
  placed_at timestamp not null default '2026-01-05'
);
create table shop.order_lines (
  order_no int not null references shop.orders, line_no int not null, name text not null,
  extra jsonb, primary key (order_no, line_no)
);
insert into shop.customers (name) values ('Ann'), ('Bob');
insert into shop.orders (order_no, status, channel, total, customer_id)
select n, case when n % 2 = 0 then 'pending' else 'sent' end, 'web', n * 10, (select id from shop.customers where name = 'Ann')
  from generate_series(4711, 4716) n;
insert into shop.order_lines values (4711, 1, 'Keyboard', '{"keys": 87}'), (4711, 2, 'Cable', null), (4712, 1, 'Mouse', null);
`;

const database = await testDatabase();
const TABLES = ["shop.customers", "shop.orders", "shop.order_lines"];
const readPrinted = await describedDomains();

beforeAll(async () => {
  await database.owner.query(EXISTING_SQL);
});

const SHELVES: CatalogueTable = {
  schema: "public",
  name: "shelves",
  kind: "table",
  isBeneath: false,
  securityInvoker: false,
  readable: true,
  reads: [],
  partOf: null,
  partitionKey: [],
  heirs: [],
  rowSecurity: false,
  forced: false,
  owner: null,
  logins: [],
  columns: [],
  primaryKey: ["row", "place"],
  unique: [],
  indexes: [],
  triggers: [],
  policies: [],
  grants: [],
  checks: [],
  following: [],
  references: [],
  leads: [],
};

const NOTE = {
  name: "note",
  type: "text",
  labels: [],
  required: false,
  filled: false,
  generated: false,
};

const OWNER = { ...NOTE, name: "user_id", type: "integer" };

/** One condition of a read. */
function where(column: string, op: string, value: unknown) {
  return { where: [{ column, op, value }] };
}

interface ReadArguments {
  readonly table: string;
  readonly [argument: string]: unknown;
}

function findType(entityTypes: readonly EntityType[], wanted: string): EntityType {
  const found = entityTypes.find(({ table }) => table === wanted);
  if (found === undefined) throw new RangeError(`Cannot find the table "${wanted}"`);
  return found;
}

function printTables(...tables: readonly string[]) {
  return runCli({
    command: "domain",
    args: ["describe", ...tables],
    env: { DATABASE_URL: database.url },
  });
}

function openDomain(domain: Domain) {
  return openDatabase({
    url: database.url,
    dataDir: "",
    migrations: [domainFolder(domain)],
    log: silentLog,
  });
}

test("npm run domain describes existing tables so that they can be read as they are", async () => {
  const { exitCode, stdout, stderr } = await printTables(...TABLES);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  await expect(stdout).toMatchFileSnapshot("../golden/described-tables.ts.txt");

  const shop = await readPrinted({ name: "shop", printed: stdout });
  const { entityTypes } = shop;
  const opened = await openDomain(shop);
  try {
    await verifyDomain(shop, opened.pool);
    const refs = createRefBook(entityTypes);
    const read = async ({ table, ...args }: ReadArguments): Promise<ToolOutcome> =>
      opened.userData.read("ann", (tx) =>
        runReadTool(createReadTool(findType(entityTypes, table)), args, {
          tx,
          entityTypes,
          userId: "ann",
          threadId: null,
          today: "2026-01-12",
          timeZone: "UTC",
          refs,
          signal: null,
          effectKey: null,
        }),
      );
    const readRefs = async (args: ReadArguments): Promise<readonly string[]> =>
      refs.take(await read(args));

    const { facts } = findType(entityTypes, "shop.orders");
    expect(facts?.({ status: "sent", channel: null, total: 47110 })).toBe("sent, 47110");
    const orders = await readRefs({ table: "shop.orders" });
    expect(orders).toEqual(["order_1", "order_2", "order_3", "order_4", "order_5", "order_6"]);
    expect(await readRefs({ table: "shop.orders", refs: ["order_2"] })).toEqual(["order_2"]);
    expect(
      await readRefs({ table: "shop.orders", ...where("order_no", "in", ["4713", "4715"]) }),
    ).toEqual(["order_3", "order_5"]);
    expect(
      await readRefs({
        table: "shop.orders",
        ...where("channel", "=", "web"),
        orderBy: "channel",
        limit: 1,
      }),
    ).toEqual(["order_1"]);
    expect(await readRefs({ table: "shop.orders", ...where("status", "=", "pending") })).toEqual([
      "order_2",
      "order_4",
      "order_6",
    ]);

    const lines = await read({ table: "shop_order_lines", whole: true });
    expect(refs.take(lines)).toEqual(["order_line_1", "order_line_2", "order_line_3"]);
    expect(lines.reads[0]?.rows[0]).toMatchObject({
      id: "[4711, 1]",
      values: { order_no: 4711, name: "Keyboard", extra: { keys: 87 } },
    });
    expect(
      await readRefs({ table: "shop_order_lines", ...where("order_no", "=", "order_1") }),
    ).toEqual(["order_line_1", "order_line_2"]);
    expect(await readRefs({ table: "shop_order_lines", refs: ["order_line_3"] })).toEqual([
      "order_line_3",
    ]);
    // What is held at the same version is not read again, and gets a new version with its content.
    expect((await read({ table: "shop.customers" })).reads[0]?.suppressed).toBe(false);
    expect((await read({ table: "shop_order_lines" })).reads[0]?.suppressed).toBe(true);
    await database.owner.query("update shop.order_lines set name = 'Board' where line_no = 1");
    expect((await read({ table: "shop_order_lines" })).reads[0]?.suppressed).toBe(false);
    const forbidden = ["update shop.orders set status = 'sent'", "select from shop.category"];
    for (const sql of forbidden) {
      await expect(opened.pool.query(sql)).rejects.toMatchObject({ code: "42501" });
    }
  } finally {
    await opened.close();
  }
});

test("readCatalogue() needs no role of the program's, also for tables that are deleted from along", async () => {
  const client = await database.owner.connect();
  try {
    await client.query(`begin;
      alter role concierge_admin rename to concierge_elsewhere;
      create table shop.gifts (order_no int references shop.orders on delete cascade)`);

    const { tables } = await readCatalogue(client, ["shop.orders"]);

    expect(tables[0]?.following).toEqual([
      { name: "shop.gifts", key: null, recorded: false, restorable: false },
    ]);
  } finally {
    await client.query("rollback");
    client.release();
  }
});

test("npm run domain words a table in the plural, and lists rows by their labels", async () => {
  const { stdout } = await printTables("shop.category");
  expect(stdout).toContain('words: { one: "category", many: "categories" },');
  expect(stdout).toContain('summary: ["name", "shelf", "row", "place"],');
  expect(stdout).toContain('label: (values) => String(values["name"] ?? "category"),');
});

test.each([
  ["species", "species", "species"],
  ["time_series", "time series", "time series"],
  ["status", "status", "statuses"],
  ["viruses", "virus", "viruses"],
  ["warehouses", "warehouse", "warehouses"],
  ["addresses", "address", "addresses"],
  ["box", "box", "boxes"],
  ["größen", "grossen", "größens"],
])("describeTables() words the table %s as one %s, many %s", (name, one, many) => {
  const table = { ...SHELVES, name, columns: [NOTE] };
  const text = describeTables({ schema: "public", tables: [table], names: [name] }, [name]);
  expect(text).toContain(`words: { one: "${one}", many: "${many}" },`);
});

/** A table's columns as `name:type`, those that begin with `!` not null, and what is chosen of them. */
test.each([
  [
    "!id:uuid code:text !name:text status:text !joined_on:date note:text created_at:date",
    { label: "name", order: "created_at", summary: "name joined_on code status" },
    "joined_on code status",
  ],
  [
    "!id:uuid note:text serial_no:text !due_at:timestamp returned:boolean price:numeric deleted_at:date",
    { label: "serial_no", order: "due_at", summary: "serial_no due_at returned price" },
    "due_at price",
  ],
  [
    "!number:integer total:numeric comment:text tags:text[] extra:jsonb",
    { label: "comment", order: "number", summary: "comment number total" },
    "total",
  ],
  [
    "!sku:text stock:integer product_name:text remarks:text unit:text",
    { label: "product_name", order: "sku", summary: "product_name sku stock unit" },
    "stock unit",
  ],
  ["!id:uuid paid:boolean", { label: "paid", order: "paid", summary: "paid" }, ""],
])("describeTables() chooses what tells rows apart of %s", (described, chosen, facts) => {
  const columns = described.split(" ").map((text) => {
    const [, required, name = "", type = ""] = /^(!?)(\w+):(.+)$/u.exec(text) ?? [];
    const written = type === "timestamp" ? "timestamp with time zone" : type;
    return Object.assign({}, NOTE, { name, type: written, required: required === "!" });
  });
  const key = columns.slice(0, 1).map(({ name }) => name);
  const table = { ...SHELVES, columns, primaryKey: key, unique: key };

  const text = describeTables({ schema: "public", tables: [table], names: [] }, ["shelves"]);

  const list = (pattern: RegExp): string => text.match(pattern)?.[1]?.replace(/[",]/gu, "") ?? "";
  expect({
    label: list(/label: .*values\["(\w+)"\]/u),
    order: list(/orderBy: \[(.*)\]/u),
    summary: list(/summary: \[(.*)\]/u),
  }).toEqual(chosen);
  expect(list(/facts: \(values\) => \[(.*?)\]/u)).toBe(facts);
});

test("describeTables() leaves out what looks like a secret, and says so", () => {
  const secrets =
    "passwordHash api_key reset_token Passwort pin card_pins ssn credit_card_no iban cvv clientSecret salt otp password2".split(
      " ",
    );
  const plain = "passenger keyword shopping pinned opinion hash_tag card_color assault api".split(
    " ",
  );
  const columns = [...secrets, ...plain].map((name) => Object.assign({}, NOTE, { name }));
  const table = { ...SHELVES, columns };

  const text = describeTables({ schema: "public", tables: [table], names: [] }, ["shelves"]);

  expect([...text.matchAll(/name: "(\w+)", kind/gu)].map(([, name]) => name)).toEqual(plain);
  expect([...text.matchAll(/\/\/ "(\w+)" looks like a secret/gu)].map(([, name]) => name)).toEqual(
    secrets,
  );
});

test("describeTables() names each table once, types of one name by their schemas, and none without columns", () => {
  const mine = { ...SHELVES, columns: [NOTE] };
  const catalogue = { schema: "public", tables: [mine, { ...mine, schema: "old" }], names: [] };

  const text = describeTables(catalogue, ["shelves", "public.shelves", "old.shelves"]);

  expect(text).toContain("EntityType[] = [PUBLIC_SHELVE, OLD_SHELVE];");
  expect(text.match(/^export const PUBLIC_SHELVE:/gm)).toHaveLength(1);
  expect(() => describeTables({ ...catalogue, tables: [SHELVES] }, ["shelves"])).toThrow(
    'Cannot describe "shelves": no columns',
  );
});

test("describeTables() lets who writes a table go on as before, also with a default of user_id", async () => {
  const client = await database.owner.connect();
  try {
    await client.query(`begin;
      create role concierge_test_erp;
      create schema wares;
      create table wares.parcels (
        id uuid primary key default gen_random_uuid(), user_id text not null default 'demo', name text);
      create view wares.sent as select * from wares.parcels;
      grant usage on schema wares to concierge_test_erp;
      grant select, insert, update on wares.parcels to concierge_test_erp;
      grant select on wares.sent to concierge_test_erp;
      create role concierge_test_report; create role concierge_test_names; create role concierge_test_guest login;
      create table wares.offers (id uuid primary key, user_id text not null, name text);
      insert into wares.offers values (gen_random_uuid(), 'ann', 'Atlas');
      grant usage on schema wares to concierge_test_report, concierge_test_names, concierge_test_guest;
      grant select on wares.sent to concierge_test_report;
      grant select (name) on wares.parcels to concierge_test_names;
      grant select on wares.offers to public`);
    const names = ["wares.parcels", "wares.sent", "wares.offers"];
    const text = describeTables(await readCatalogue(client, names), names);
    const migration = /^\/\* \S+$([^]*)\*\//m.exec(text)?.[1] ?? "";
    // The statements for logins that could read a view only stand in comments.
    await client.query(migration.replaceAll(/^-- {3}/gm, ""));
    await client.query(`set local role concierge_test_erp;
      insert into wares.parcels (name) values ('Books');
      update wares.parcels set name = 'Atlas';
      select set_config('concierge.user_id', 'ann', true);
      insert into wares.parcels (name) values ('Kim')`);

    expect((await client.query("select user_id, name from wares.sent order by 1")).rows).toEqual([
      { user_id: "ann", name: "Kim" },
      { user_id: "demo", name: "Atlas" },
    ]);
    const countFor = async (role: string, relation: string) => {
      await client.query(`reset role; set local role ${role}`);
      return (await client.query(`select name from ${relation}`)).rows.length;
    };
    expect(await countFor("concierge_test_report", "wares.sent")).toBe(2);
    expect(await countFor("concierge_test_names", "wares.parcels")).toBe(2);
    expect(await countFor("concierge_test_guest", "wares.offers")).toBe(1);
    expect(text)
      .toContain(`wares.sent reads, and a policy on them: concierge_test_erp, concierge_test_report
--   grant select on wares.parcels to concierge_test_erp, concierge_test_report;
--   create policy concierge_sent_readers on wares.parcels for select to concierge_test_erp, concierge_test_report using (true);`);
  } finally {
    await client.query("rollback");
    client.release();
  }
});

test("describeTables() refuses a table whose rows no key tells apart", () => {
  const keyless = { ...SHELVES, columns: [NOTE], primaryKey: [] };
  const catalogue = { schema: "public", tables: [keyless], names: [] };
  expect(() => describeTables(catalogue, ["shelves"])).toThrow(
    'Cannot describe "public.shelves": it has no key that tells its rows apart; write "alter table public.shelves add row_id uuid primary key default gen_random_uuid()"',
  );
});

test.each([
  ["varchar(40)", "character varying"],
  ["integer", "integer"],
  ["bigint", "bigint"],
  ["uuid", "uuid"],
])(
  "describeTables() shares no table with a user_id of %s, and its remedy protects it",
  async (type, named) => {
    const client = await database.owner.connect();
    try {
      await client.query(`begin;
      create table shop.parcels (id uuid primary key, user_id ${type} not null, name text)`);
      const describeParcels = async () =>
        describeTables(await readCatalogue(client, ["shop.parcels"]), ["shop.parcels"]);
      const remedy = "alter table shop.parcels alter column user_id type text using user_id::text";

      await expect(describeParcels()).rejects.toThrow(
        `Cannot describe "shop.parcels": its column "user_id" has the type ${named}, and only a text gives each row to its person; write "${remedy}", or, where a foreign key or a view needs the type, describe a view with "user_id::text as user_id" (docs/own-domain.md, "Existing tables")`,
      );
      await client.query(remedy);
      const text = await describeParcels();
      expect(text).not.toContain("ownership");
      expect(text).toContain("select concierge_protect('shop.parcels');");
    } finally {
      await client.query("rollback");
      client.release();
    }
  },
);

test("describeTables() refuses a view with a user_id that is no text", () => {
  const view = { ...SHELVES, kind: "view" as const, columns: [NOTE, OWNER] };
  const catalogue = { schema: "public", tables: [view], names: [] };
  expect(() => describeTables(catalogue, ["shelves"])).toThrow(
    'and only a text gives each row to its person; describe a view with "user_id::text as user_id"',
  );
});

test("docs/own-domain.md shows each person their rows where a foreign key needs the type of user_id", async () => {
  const guide = await readFile("docs/own-domain.md", "utf8");
  const [, section = ""] = guide.split("### A user_id of another type");
  const [, view = ""] = /```sql\n([^]*?)```/.exec(section) ?? [];
  await database.owner.query(`
    create table shop.accounts (id int primary key);
    create table shop.invoices (id uuid primary key default gen_random_uuid(),
      user_id int not null references shop.accounts, amount numeric);
    insert into shop.accounts values (7), (8);
    insert into shop.invoices (user_id, amount) values (7, 70), (8, 80);
    ${view}`);
  const names = ["shop.own_invoices"];
  const printed = describeTables(await readCatalogue(database.owner, names), names);
  const domain = await readPrinted({ name: "invoices", printed });
  const opened = await openDomain(domain);
  try {
    await verifyDomain(domain, opened.pool);
    const readAmounts = (userId: string) =>
      opened.userData.read(userId, async (tx) => {
        const { rows } = await tx.query("select amount from shop.own_invoices");
        return rows.map((row) => Number(row["amount"]));
      });
    expect(await readAmounts("7")).toEqual([70]);
    expect(await readAmounts("8")).toEqual([80]);
    expect(await readAmounts("ann")).toEqual([]);
  } finally {
    await opened.close();
  }
});

test("npm run domain takes every name that a description may have", async () => {
  await database.owner.query('create table shop."größen; neu" (id uuid primary key, name text)');
  expect((await printTables("shop.größen; neu")).stdout).toContain('table: "shop.größen; neu"');
});

test("npm run domain names tables of the schema public as a start takes them", async () => {
  await database.owner.query("create table public.pens (id uuid primary key, name text)");
  const { stdout } = await printTables("public.pens");
  expect(await printTables("pens")).toMatchObject({
    exitCode: 1,
    stderr:
      'Cannot describe "pens": there is no table or view of that name; did you mean "public.pens"?\n',
  });

  const domain = await readPrinted({ name: "pens", printed: stdout });
  const opened = await openDomain(domain);
  try {
    await verifyDomain(domain, opened.pool);
  } finally {
    await opened.close();
  }
});

test("npm run domain names a table that is not there, and the near one", async () => {
  expect(await printTables("shop.order")).toMatchObject({
    exitCode: 1,
    stdout: "",
    stderr:
      'Cannot describe "shop.order": there is no table or view of that name; did you mean "shop.orders"?\n',
  });
  expect(await printTables('shop."orders"')).toMatchObject({
    exitCode: 2,
    stderr:
      'Cannot use TABLE "shop."orders"": write the name of a table as the database has it, without quotes, as in shop.orders or shop.Orders; give one with a dot or a quote in its name a view\n',
  });
  expect(await printTables()).toMatchObject({
    exitCode: 2,
    stderr: "Cannot describe nothing: name tables, as in shop.orders shop.items\n",
  });
});
