import { randomBytes } from "node:crypto";
import { chmod, cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PostgresSaver } from "@langchain/langgraph-checkpoint-postgres";
import { Client, Pool } from "pg";
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from "vitest";
import {
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from "../../../storage/embedded/embedded.ts";
import { silentLog, type Log } from "../../../state/log.ts";
import { migrate, type MigrationFolder } from "../../../storage/postgres/migrate.ts";
import { databaseUrl, embeddedUrl, runSql } from "../../support/database-url.ts";
import { probeMigrations } from "../probe.ts";

const server = inject("databaseServer");
let scratch = "";

beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), "concierge-migrate-"));
  // Root's server runs as another user, who has to get at the data folders in it.
  await chmod(scratch, 0o711);
});

afterAll(async () => {
  await rm(scratch, { recursive: true, force: true });
});

async function emptyDatabase(): Promise<string> {
  const name = `concierge_empty_${randomBytes(6).toString("hex")}`;
  await runSql(server.url, `create database ${name} encoding 'UTF8' template template0`);
  onTestFinished(() => runSql(server.url, `drop database ${name} with (force)`));
  return databaseUrl(server.url, name);
}

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

function run(url: string, folders: readonly MigrationFolder[] = [], log: Log = silentLog) {
  return migrate({ connectionString: url }, { folders, log });
}

/** A copy of the probe's folder that a test may add files to. */
async function copyOfProbe(name: string): Promise<MigrationFolder> {
  const path = join(scratch, name);
  await cp(probeMigrations.path, path, { recursive: true });
  return { name, path };
}

const APPLIED = `select 'core' as folder, name from concierge.migrations_core
                 union all select 'probe', name from concierge.migrations_probe order by 1, 2`;

test("migrate() applies the core's migrations and each folder's, and then nothing", async () => {
  const url = await emptyDatabase();
  const logged: string[] = [];
  const log: Log = { ...silentLog, debug: (message) => logged.push(message) };
  await run(url, [probeMigrations], log);
  expect(logged.filter((message) => message.includes("MIGRATION"))).toHaveLength(11);
  logged.length = 0;
  await run(url, [probeMigrations], log);
  expect(logged).toEqual([]);
  const applied = (await query(url, APPLIED)) as { folder: string; name: string }[];
  expect(applied.map(({ folder, name }) => `${folder}/${name}`)).toEqual([
    "core/0001_users",
    "core/0002_conversations",
    "core/0003_archive",
    "core/0004_runs",
    "core/0005_checkpoints",
    "core/0006_effects",
    "core/0007_wishes",
    "core/0008_models",
    "core/0009_spending",
    "core/0010_sentences",
    "probe/0001_notes",
  ]);
});

test("migrate() called four times at once migrates once", async () => {
  const url = await emptyDatabase();
  await Promise.all(Array.from({ length: 4 }, () => run(url, [probeMigrations])));
  expect(await query(url, APPLIED)).toHaveLength(11);
});

test("migrate() adds a folder, and a file of a folder, later", async () => {
  const url = await emptyDatabase();
  await run(url);
  const folder = await copyOfProbe("later");
  await run(url, [folder]);
  await writeFile(join(folder.path, "0002_more.sql"), "alter table notes add column more text;");
  await run(url, [folder]);
  expect(await query(url, "select more from concierge.notes")).toEqual([]);
});

test.each([
  ["described", "select 1", [{ table: "threads", rights: [] }]],
  ["created", "create table threads (id int)", []],
])("migrate() refuses a domain's table %s by a name of the program's", async (_, sql, grants) => {
  const folder = await copyOfProbe("forum");
  await writeFile(join(folder.path, "0002_threads.sql"), sql);
  await expect(run(await emptyDatabase(), [{ ...folder, grants }])).rejects.toThrow(
    'Cannot migrate "forum": the program has a table "threads" of its own; name the domain\'s otherwise, or create it in another schema and describe it as "shop.threads"',
  );
});

test("migrate() leaves a folder as it was when one of its files fails, and says why", async () => {
  const url = await emptyDatabase();
  const folder = await copyOfProbe("broken");
  await writeFile(join(folder.path, "0002_broken.sql"), "create table x (id int); selectt 1;");
  await expect(run(url, [folder])).rejects.toThrow(
    'Cannot migrate "broken": 0002_broken.sql: syntax error at or near "selectt"',
  );
  expect(await query(url, "select to_regclass('concierge.notes') as notes")).toEqual([
    { notes: null },
  ]);
  await writeFile(join(folder.path, "0002_broken.sql"), "create table x (id int);");
  await run(url, [folder]);
  expect(await query(url, "select count(*)::int from concierge.x")).toEqual([{ count: 0 }]);

  await rm(join(folder.path, "0002_broken.sql"));
  await expect(run(url, [folder])).rejects.toThrow(
    '"0002_broken" of "broken" is unknown: its file was removed or renamed, or a newer version of the program migrated it; restore the file, or update the program',
  );
  await rm(folder.path, { recursive: true });
  await expect(run(url, [folder])).rejects.toThrow(
    `Cannot migrate "broken": there is no folder "${folder.path}"`,
  );
});

test.each([
  ["create table x (id int);\nselectt 1", 'syntax error at or near "selectt" (line 2)'],
  [
    "\\connect app\nselect 1",
    'syntax error at or near "\\" (line 1). Write SQL alone, without the commands of psql',
  ],
  [
    "create index concurrently on notes (text)",
    "CREATE INDEX CONCURRENTLY cannot run inside a transaction block. All files run in one transaction: write what can run in one",
  ],
  [
    "create table pens (id int); select concierge_protect('pens')",
    'table pens has no column "user_id", so its rows belong to nobody. Add "user_id text not null", or select concierge_share(\'pens\')',
  ],
  [
    "create view shown as select 1 as one; select concierge_share('shown')",
    'ALTER action ENABLE ROW SECURITY cannot be performed on relation "shown". This operation is not supported for views',
  ],
  [
    "create table pens (user_id text); select concierge_protect('pens'); insert into pens values (default)",
    'null value in column "user_id" of relation "pens" violates not-null constraint. A file has no person: name user_id, or give a person rows in the domain\'s demo',
  ],
  [
    "create table pens (user_id text); insert into pens values (null); select concierge_protect('pens')",
    'column "user_id" of relation "pens" contains null values. Rows that are there already need a person first: update "concierge"."pens" set user_id = … where user_id is null',
  ],
])("migrate() says how a file is mended: %s", async (sql, reason) => {
  const folder = await copyOfProbe("mended");
  await writeFile(join(folder.path, "0002_mended.sql"), sql);
  await expect(run(await emptyDatabase(), [folder])).rejects.toThrow(
    new Error(`Cannot migrate "mended": 0002_mended.sql: ${reason}`),
  );
  await rm(folder.path, { recursive: true });
});

test.each([
  ["0002_more.SQL", "select 1/0", 'only files that end in ".sql" are run; call it 0002_more.sql'],
  [
    "more.sql",
    "select 1",
    "its name does not begin with a number, which gives its place; call it 0001_more.sql, or by the next number",
  ],
  [
    "0002_more.sql",
    Buffer.from("comment on table notes is 'M\u{fc}ller'", "latin1"),
    "it is not written in UTF-8; save it as UTF-8",
  ],
])(
  "migrate() refuses the file %s, which would not be run as it is meant",
  async (file, text, reason) => {
    const folder = await copyOfProbe("named");
    await writeFile(join(folder.path, file), text);
    await expect(run(await emptyDatabase(), [folder])).rejects.toThrow(
      new Error(`Cannot migrate "named": ${file}: ${reason}`),
    );
    await rm(folder.path, { recursive: true });
  },
);

const LEAVING = "A statement begins or ends a transaction or a savepoint (line";
test.each([
  ["create table x (id int);\ncommit; select 1/0", 2],
  ["rollback; create table x (id int)", 1],
  ["begin;\ncreate table x (id int);\ncommit;", 1],
  ["-- one; two\nselect 'commit;', $$;\n$$;\ndo $$ begin perform 1; end $$;\n\nsavepoint x", 6],
  ["alter table notes add more text;\nalter table notes add again text;\nend;\nselect 1", 3],
])(
  "migrate() refuses a file that leaves the transaction, and keeps nothing: %j",
  async (sql, line) => {
    const url = await emptyDatabase();
    const folder = await copyOfProbe("leaving");
    const file = join(folder.path, "0002_leaving.sql");
    await writeFile(file, sql);

    await expect(run(url, [folder])).rejects.toThrow(
      new Error(
        `Cannot migrate "leaving": 0002_leaving.sql: ${LEAVING} ${line}). All files run in one transaction: leave it out`,
      ),
    );

    const made = "select to_regclass('concierge.notes') as notes, to_regclass('concierge.x') as x";
    expect(await query(url, made)).toEqual([{ notes: null, x: null }]);
    await rm(file);
    await run(url, [folder]);
    await rm(folder.path, { recursive: true });
  },
);

test("migrate() runs a file that begins with a select into a new table, and one without a statement", async () => {
  const url = await emptyDatabase();
  const folder = await copyOfProbe("into");
  await writeFile(join(folder.path, "0002_into.sql"), "select 1 as one into ones");
  await writeFile(join(folder.path, "0003_none.sql"), "-- Nothing yet.\n");
  await run(url, [folder]);
  expect(await query(url, "select one from concierge.ones")).toEqual([{ one: 1 }]);
});

test("migrate() refuses a new file whose name comes before one that has run", async () => {
  const url = await emptyDatabase();
  const folder = await copyOfProbe("late");
  await run(url, [folder]);
  await writeFile(join(folder.path, "0000_late.sql"), "select 1");
  await expect(run(url, [folder])).rejects.toThrow(
    'Cannot migrate "late": 0000_late.sql is new and its name comes before that of 0001_notes.sql, which has run; give it a later one',
  );
});

test("migrate() reads a file that begins with a mark of its encoding, and refuses one as the folder", async () => {
  const url = await emptyDatabase();
  const folder = await copyOfProbe("marked");
  const file = join(folder.path, "0002_marked.sql");
  await writeFile(file, "\uFEFFcreate table marked (id int)");
  await run(url, [folder]);
  expect(await query(url, "select from concierge.marked")).toEqual([]);
  await expect(run(url, [{ ...folder, path: file }])).rejects.toThrow(
    `Cannot migrate "marked": there is no folder "${file}"`,
  );
});

test("migrate() refuses a database that a newer version has migrated", async () => {
  const url = await emptyDatabase();
  await run(url);
  await query(
    url,
    "insert into concierge.migrations_core (name, run_on) values ('0099_future', now())",
  );
  await expect(run(url)).rejects.toThrow(
    'its migration "0099_future" of "core" is unknown: a newer version of the program migrated it; update the program',
  );
});

test("migrate() refuses a file that was edited after it ran, also beside a new one", async () => {
  const url = await emptyDatabase();
  const folder = await copyOfProbe("edited");
  const file = join(folder.path, "0001_notes.sql");
  const text = await readFile(file, "utf8");
  await run(url, [folder]);
  await writeFile(file, text.replaceAll("\n", "\r\n"));
  await run(url, [folder]);
  await query(url, "update concierge.migrations_edited set run_on = '2026-03-12'");
  await writeFile(file, `${text}\nalter table notes add column more text;`);
  const refusal =
    'Migration 0001_notes.sql of "edited" has changed since it ran on 12 March 2026; restore it, and add a new file with the change';

  await expect(run(url, [folder])).rejects.toThrow(refusal);
  await writeFile(join(folder.path, "0002_more.sql"), "create table more (id int);");
  await query(url, "revoke all on concierge.notes from concierge_app");
  await expect(run(url, [folder])).rejects.toThrow(refusal);

  expect(await query(url, "select to_regclass('concierge.more') as more")).toEqual([
    { more: null },
  ]);
});

test("migrate() begins anew once the schemas and the policies for other logins are dropped, as docs/own-domain.md says", async () => {
  const guide = await readFile("docs/own-domain.md", "utf8");
  const [, drop = ""] = /`(drop schema [^`]*)`/.exec(guide) ?? [];
  const url = await emptyDatabase();
  const folder = { name: "anew", path: join(scratch, "anew") };
  const file = join(folder.path, "0001_pens.sql");
  const others = "create policy concierge_others on shop.pens to current_user using (true)";
  await mkdir(folder.path);
  await query(url, "create schema shop; create table shop.pens (id int primary key, user_id text)");
  await writeFile(file, `${others}; select concierge_protect('shop.pens', 'user_id')`);
  await run(url, [folder]);

  await writeFile(file, `${others}; select concierge_protect('shop.pens')`);
  await expect(run(url, [folder])).rejects.toThrow("has changed since it ran");
  await query(url, `${drop}; drop policy concierge_others on shop.pens`);
  await run(url, [folder]);

  const journal =
    "select distinct encode(tgargs, 'escape') as key from pg_trigger where tgname like 'concierge_journal%'";
  expect(await query(url, journal)).toEqual([{ key: "id\\000" }]);
});

test("migrate() gives rights back that were taken", async () => {
  const url = await emptyDatabase();
  await run(url, [probeMigrations]);
  await query(url, "revoke all on concierge.notes from concierge_app");
  await run(url, [probeMigrations]);
  expect(
    await query(
      url,
      `select array_agg(privilege_type::text order by privilege_type) as rights
         from information_schema.role_table_grants
        where grantee = 'concierge_app' and table_name = 'notes'`,
    ),
  ).toEqual([{ rights: ["DELETE", "INSERT", "SELECT", "UPDATE"] }]);
});

test("migrate() leaves the program's roles no right on a partition, which has no policies", async () => {
  const url = await emptyDatabase();
  const folder = { name: "parted", path: join(scratch, "parted") };
  await mkdir(folder.path);
  await writeFile(
    join(folder.path, "0001_visits.sql"),
    `create table visits (id int primary key, user_id text not null) partition by range (id);
     create table visits_all partition of visits default;
     select concierge_protect('visits')`,
  );
  const listRights = async () => {
    await run(url, [folder]);
    return query(
      url,
      `select distinct table_name as name, grantee::text as role from information_schema.role_table_grants
        where grantee in ('concierge_app', 'concierge_admin') and table_name like 'visits%' order by grantee::text`,
    );
  };
  const ofTable = [
    { name: "visits", role: "concierge_admin" },
    { name: "visits", role: "concierge_app" },
  ];

  expect(await listRights()).toEqual(ofTable);
  await query(url, "grant select on concierge.visits_all to concierge_app");
  expect(await listRights()).toEqual(ofTable);
});

test.each([
  ['x"; drop', 'a name is made of lowercase letters, digits and "_"'],
  ["core", "the program records its own migrations under that name"],
  ["pg_boss", "the program records its own migrations under that name"],
])("migrate() refuses %j as the name of a folder", async (name, reason) => {
  await expect(run(server.url, [{ ...probeMigrations, name }])).rejects.toThrow(
    new RangeError(`Cannot migrate "${name}": ${reason}; give the domain another "name"`),
  );
});

test("the checkpoint tables are those that the library's own setup makes", async () => {
  const url = await emptyDatabase();
  await run(url);
  const pool = new Pool({ connectionString: url });
  try {
    await new PostgresSaver(pool, undefined, { schema: "stock" }).setup();
    const describe = async (schema: string) => {
      const columns = await pool.query(
        `select table_name, column_name, ordinal_position, data_type, is_nullable, column_default
           from information_schema.columns where table_schema = $1 and table_name like 'checkpoint%'
          order by table_name, ordinal_position`,
        [schema],
      );
      const constraints = await pool.query(
        `select relname, pg_get_constraintdef(pg_constraint.oid) as definition
           from pg_constraint join pg_class on pg_class.oid = conrelid
          where relnamespace = $1::regnamespace and relname like 'checkpoint%' and contype = 'p'
          order by relname`,
        [schema],
      );
      const versions = await pool.query(`select v from ${schema}.checkpoint_migrations order by v`);
      return [columns.rows, constraints.rows, versions.rows];
    };
    expect(await describe("concierge")).toEqual(await describe("stock"));
  } finally {
    await pool.end();
  }
});

test("the program can use the database when its user may do nothing but become the role", async () => {
  const url = await emptyDatabase();
  await run(url, [probeMigrations]);
  const login = `concierge_login_${randomBytes(6).toString("hex")}`;
  await runSql(
    url,
    `create role ${login} login password 'x' in role concierge_app, concierge_admin`,
  );
  const limited = new URL(url);
  limited.username = login;
  limited.password = "x";
  try {
    await expect(run(limited.toString(), [probeMigrations])).resolves.toBeUndefined();
  } finally {
    await runSql(url, `drop role ${login}`);
  }
});

/** A server of one's own, because roles are the server's and other tests use theirs. */
async function withServer(work: (url: string) => Promise<void>): Promise<void> {
  const embedded: EmbeddedPostgres = await startEmbeddedPostgres({
    dataDir: join(scratch, randomBytes(4).toString("hex")),
    log: silentLog,
    durable: false,
  });
  try {
    await work(embeddedUrl(embedded.connection));
  } finally {
    await embedded.stop();
  }
}

test("migrate() says which SQL an administrator has to run, and works once it was", async () => {
  await withServer(async (admin) => {
    await runSql(admin, 'create role "the app" login');
    await runSql(admin, "create database app encoding 'UTF8' template template0");
    const url = databaseUrl(admin.replace("//concierge@", "//the%20app@"), "app");

    const start = 'Cannot set up the database "app" as the user "the app": ';
    const advice = ". As an administrator, run in this database: ";
    const schemas =
      'create schema concierge authorization "the app"; create schema concierge_jobs authorization "the app"';

    await expect(run(url)).rejects.toThrow(
      `${start}permission denied to create role; permission denied for database app${advice}` +
        'create role concierge_app nologin; grant concierge_app to "the app"; ' +
        `create role concierge_admin nologin; grant concierge_admin to "the app"; ${schemas}`,
    );
    // Who may create roles may not grant those that another one has created.
    await runSql(
      admin,
      'create role concierge_app nologin; create role concierge_admin nologin; alter role "the app" createrole',
    );
    const grants = 'grant concierge_app to "the app"; grant concierge_admin to "the app"';
    await expect(run(url)).rejects.toThrow(`${advice}${grants}; ${schemas}`);
    await runSql(databaseUrl(admin, "app"), `${grants}; ${schemas}`);
    await run(url, [probeMigrations]);

    await runSql(
      databaseUrl(admin, "app"),
      'create schema shop; create table shop.orders (id int); create table shop.items (id int); alter table shop.orders owner to "the app"; grant usage on schema shop to "the app"',
    );
    const probe = { ...probeMigrations, grants: [{ table: "shop.orders", rights: [] }] };
    await expect(run(url, [probe])).rejects.toThrow(
      `${start}permission denied to grant usage on schema shop${advice}grant usage on schema "shop" to concierge_app, concierge_admin`,
    );
    const shop = { name: "shop", path: join(scratch, "shop") };
    await mkdir(shop.path);
    await writeFile(join(shop.path, "0001_alter.sql"), "alter table shop.items add name text");
    await expect(run(url, [shop])).rejects.toThrow(
      'Cannot migrate "shop": 0001_alter.sql: must be owner of table items; start the program once with a DATABASE_URL whose user owns the tables, or is a superuser',
    );

    const items = { ...shop, grants: [{ table: "shop.items", rights: [] }] };
    await runSql(
      databaseUrl(admin, "app"),
      "create role erp login createrole; alter table shop.items owner to erp; grant usage on schema shop to concierge_app, concierge_admin, erp",
    );
    const remedy = ". As an administrator, run: ";
    await expect(run(url, [items])).rejects.toThrow(
      `must be owner of table items; shop.items belongs to erp${remedy}grant erp to "the app"; then start again`,
    );
    await expect(run(url.replace("the%20app", "erp"), [items])).rejects.toThrow(
      `permission denied for schema concierge; schema concierge belongs to "the app"${remedy}grant "the app" to erp; then start again`,
    );
    await runSql(admin, 'grant erp to "the app"');
    await run(url, [items]);

    await runSql(admin, "alter role concierge_app bypassrls");
    await expect(run(url)).rejects.toThrow(
      "the role concierge_app may see every user's rows; as an administrator run: alter role concierge_app nosuperuser nobypassrls",
    );
  });
});

test("migrate() refuses a file that lets the program see past row-level security, and a start does", async () => {
  await withServer(async (admin) => {
    await run(admin);
    await runSql(admin, "create role chief bypassrls");
    const folder = await copyOfProbe("roles");
    const file = join(folder.path, "0002_roles.sql");
    const mistakes = [
      ["alter role concierge_app bypassrls", "concierge_app may see every user's rows"],
      ["alter role concierge_admin superuser", "concierge_admin may see every user's rows"],
      [
        "grant chief to concierge_app",
        "concierge_app may see every user's rows as a member of chief",
      ],
    ] as const;
    for (const [sql, found] of mistakes) {
      await writeFile(file, sql);
      await expect(run(admin, [folder])).rejects.toThrow(
        `Cannot migrate "roles": 0002_roles.sql: the role ${found} after it; leave out what lets it`,
      );
    }
    await writeFile(file, "alter role concierge_app nologin");
    await run(admin, [folder]);
    await runSql(admin, "grant chief to concierge_app");
    await expect(run(admin, [folder])).rejects.toThrow(
      "the role concierge_app may see every user's rows as a member of chief; as an administrator run: revoke chief from concierge_app",
    );
  });
});
