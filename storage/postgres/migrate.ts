import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { Client, type ClientConfig } from "pg";
import { z } from "zod";
import type { Queryable } from "../../state/store.ts";
import {
  assertUsable,
  ensureRolesAndSchemas,
  grantRights,
  isOwnTable,
  JOB_SCHEMA,
  planRights,
  ROLES,
  SCHEMA,
  SEARCH_PATH,
  type TableGrant,
} from "./app-role.ts";
import {
  assertRolesKept,
  assertSuitable,
  inspectDatabase,
  type Situation,
} from "./database-check.ts";
import { asDatabaseError, DatabaseUnavailableError } from "./database-error.ts";
import { errorCode } from "./error-code.ts";
import { JOB_TABLE_STEPS } from "../runs/job-table-steps.ts";
import type { Log } from "../../state/log.ts";
import { describeMigrationError } from "./migration-error.ts";
import { runFile } from "./run-file.ts";

/** Numbered SQL files of one part of the program, applied in order and recorded under `name` (lowercase letters, digits, `_`). */
export interface MigrationFolder {
  readonly name: string;
  readonly path: string;
  /** Statements that the program may run on its tables. Default: nothing. */
  readonly grants?: readonly TableGrant[];
}

export interface MigrateOptions {
  /** The domains' folders; the core's own comes before them. */
  readonly folders: readonly MigrationFolder[];
  readonly log: Log;
}

const CORE: MigrationFolder = { name: "core", path: join(import.meta.dirname, "../migrations") };
/** Name under which the job tables are recorded, which have no migration files. */
const JOBS = "pg_boss";
/** Number of the advisory lock on which processes that migrate one database wait for each other. */
const LOCK = 5_824_906_173;

/**
 * Brings a database up to date: role, schemas, the core's tables, each folder's tables, the job
 * queue's, grants.
 *
 * Contract: idempotent, forward only, and safe to call from several processes at once. A file that
 * has changed since it ran is refused. An up-to-date database costs two small queries and needs no more rights than the program has.
 *
 * @param connection how to connect as a user who may do this (the database's owner).
 * @throws Error in a sentence, with the SQL to run where rights are missing; DatabaseUnavailableError.
 */
export async function migrate(connection: ClientConfig, options: MigrateOptions): Promise<void> {
  const folders = [CORE, ...options.folders];
  for (const { name } of options.folders) assertFolderName(name);
  for (const { name, grants = [] } of folders) {
    const taken = grants.find(({ table }) => isOwnTable(table));
    if (taken !== undefined)
      throw new Error(`Cannot migrate "${name}": ${adviseName(taken.table)}`);
  }
  const client = new Client({ ...connection, options: addOption(connection.options) });
  client.on("error", () => undefined);
  try {
    await client.connect();
    const situation = await inspectDatabase(client, listExpected(folders));
    assertSuitable(situation);
    if (await isUpToDate(client, { situation, folders })) return;
    await apply(client, { ...options, folders });
  } catch (error) {
    throw await explain(client, error);
  } finally {
    await client.end().catch(() => undefined);
  }
}

function adviseName(table: string): string {
  return `the program has a table "${table}" of its own; name the domain's otherwise, or create it in another schema and describe it as "shop.${table}"`;
}

async function explain(client: Client, error: unknown): Promise<unknown> {
  if (errorCode(error) !== "42501" || !(error instanceof Error)) return asDatabaseError(error);
  const advice =
    (await adviseOwner(client, { schema: SCHEMA }).catch(() => null)) ??
    "let the user who owns its tables start the program once";
  return new Error(`Cannot set up the database: ${error.message}; ${advice}`, { cause: error });
}

/** Says how the current user comes to own what belongs to another one, no superuser; null where it does, or nobody can tell. */
async function adviseOwner(
  db: Queryable,
  { schema = null, tables = [] }: { schema?: string | null; tables?: readonly string[] },
): Promise<string | null> {
  // A statement that failed may have left its transaction open.
  await db.query("rollback");
  const { rows } = await db.query(
    `select quote_ident(rolname) as owner, quote_ident(current_user) as login, string_agg(name, ', ') as names
       from (select 'schema ' || nspname as name, nspowner as owner from pg_namespace where nspname = $1
             union all
             select nspname || '.' || relname, relowner from pg_class join pg_namespace n on n.oid = relnamespace
              where nspname || '.' || relname = any($2)) as owned
       join pg_roles on pg_roles.oid = owner
      where not rolsuper and not pg_has_role(owner, 'usage')
      group by rolname`,
    [schema, tables],
  );
  if (rows.length === 0) return null;
  const owned = rows.map(({ names, owner }) => `${String(names)} belongs to ${String(owner)}`);
  const grants = rows.map(({ owner, login }) => `grant ${String(owner)} to ${String(login)}`);
  return `${owned.join("; ")}. As an administrator, run: ${grants.join("; ")}; then start again`;
}

/** The names under which what has been applied is recorded. */
function listRecordNames(folders: readonly MigrationFolder[]): readonly string[] {
  return [...folders.map(({ name }) => name), JOBS];
}

function listExpected(folders: readonly MigrationFolder[]) {
  return { folders: listRecordNames(folders), schemas: listForeignSchemas(folders) };
}

/** Schemas beside the program's own that hold tables of the domains. */
function listForeignSchemas(folders: readonly MigrationFolder[]): readonly string[] {
  const tables = folders.flatMap(({ grants = [] }) => grants.map(({ table }) => table));
  return [
    ...new Set(tables.flatMap((table) => (table.includes(".") ? [table.split(".")[0] ?? ""] : []))),
  ];
}

function addOption(options: string | undefined): string {
  return `${options ?? ""} -c search_path=${SEARCH_PATH}`.trim();
}

function assertFolderName(name: string): void {
  const isOwn = name === CORE.name || name === JOBS;
  if (/^[a-z][a-z0-9_]*$/.test(name) && !isOwn) return;
  const reason = isOwn
    ? "the program records its own migrations under that name"
    : 'a name is made of lowercase letters, digits and "_"';
  throw new RangeError(`Cannot migrate "${name}": ${reason}; give the domain another "name"`);
}

async function isUpToDate(
  db: Queryable,
  { situation, folders }: { situation: Situation; folders: readonly MigrationFolder[] },
): Promise<boolean> {
  const mayBecome = ROLES.every((name) =>
    situation.roles.some((role) => role.name === name && role.mayBecome),
  );
  if (!mayBecome || !hasPlannedRights(situation, folders)) return false;
  if (situation.started.length < listRecordNames(folders).length) return false;
  const applied = await readApplied(db, listRecordNames(folders));
  const jobs = { name: JOBS, steps: JOB_TABLE_STEPS.map((name) => ({ name, hash: null })) };
  const known = await Promise.all(
    folders.map(async (folder) => ({ name: folder.name, steps: await listMigrations(folder) })),
  );
  return [...known, jobs].every(({ name, steps }) => {
    const done = applied.get(name) ?? [];
    refuseNewer(name, { known: steps, done });
    refuseEdited(name, { known: steps, done });
    return steps.every((step) =>
      done.some((one) => one.name === step.name && one.hash === step.hash),
    );
  });
}

function hasPlannedRights(situation: Situation, folders: readonly MigrationFolder[]): boolean {
  const schemas = [SCHEMA, JOB_SCHEMA, ...listForeignSchemas(folders)];
  if (!schemas.every((schema) => situation.usable.includes(schema))) return false;
  return isDeepStrictEqual(situation.tables, planRights(situation.tables, listGrants(folders)));
}

function listGrants(folders: readonly MigrationFolder[]): readonly TableGrant[] {
  return folders.flatMap(({ grants = [] }) => grants);
}

/** A migration of a folder; one of the job queue has no file, so no hash. */
interface Migration {
  /** The file's name without `.sql`. */
  readonly name: string;
  readonly hash: string | null;
}

/** Migrations by name, as a folder has them and as the database has applied them. */
interface MigrationState {
  readonly known: readonly Migration[];
  readonly done: readonly z.infer<typeof AppliedRow>[];
}

const AppliedRow = z.object({
  folder: z.string(),
  name: z.string(),
  /** Null where the program ended between the migration and this note. */
  hash: z.string().nullable(),
  day: z.string(),
});

async function readApplied(
  db: Queryable,
  records: readonly string[],
): Promise<ReadonlyMap<string, MigrationState["done"]>> {
  const selects = records.map(
    (name) =>
      `select '${name}' as folder, name, hash, to_char(run_on, 'FMDD FMMonth YYYY') as day from ${SCHEMA}.migrations_${name}`,
  );
  const { rows } = await db.query(selects.join(" union all "));
  const applied = AppliedRow.array().parse(rows);
  return new Map(
    records.map((record) => [record, applied.filter(({ folder }) => folder === record)]),
  );
}

/** The folder's migrations, each with a hash of its text. */
async function listMigrations({ name, path }: MigrationFolder): Promise<readonly Migration[]> {
  const found = await readdir(path).catch((error: unknown) => {
    if (!["ENOENT", "ENOTDIR"].includes(errorCode(error))) throw error;
    throw new Error(`Cannot migrate "${name}": there is no folder "${path}"`, { cause: error });
  });
  const files = found.filter((file) => /\.sql$/iu.test(file));
  return Promise.all(
    files.map(async (file) => {
      const bytes = await readFile(join(path, file));
      const reason = explainFile(file, bytes);
      if (reason !== null) throw new Error(`Cannot migrate "${name}": ${file}: ${reason}`);
      // A checkout on Windows may end lines its own way.
      const text = bytes.toString("utf8").replaceAll("\r\n", "\n");
      const hash = createHash("sha256").update(text).digest("hex");
      return { name: file.slice(0, -4), hash };
    }),
  );
}

/** Finds why a file could not be run as it is meant, with what to do; null where it can. */
function explainFile(file: string, bytes: Buffer): string | null {
  if (!file.endsWith(".sql")) {
    return `only files that end in ".sql" are run; call it ${file.slice(0, -4)}.sql`;
  }
  if (!/^\d/u.test(file)) {
    return `its name does not begin with a number, which gives its place; call it 0001_${file}, or by the next number`;
  }
  return isUtf8(bytes) ? null : "it is not written in UTF-8; save it as UTF-8";
}

function refuseNewer(record: string, { known, done }: MigrationState): void {
  const unknown = done.find(({ name }) => known.every((one) => one.name !== name));
  if (unknown === undefined) return;
  const removed =
    record === CORE.name || record === JOBS ? "" : "its file was removed or renamed, or ";
  throw new Error(
    `Cannot use the database: its migration "${unknown.name}" of "${record}" is unknown: ${removed}a newer version of the program migrated it; ${removed && "restore the file, or "}update the program`,
  );
}

function refuseEdited(record: string, { known, done }: MigrationState): void {
  const edited = done.find(
    ({ name, hash }) =>
      hash !== null && known.some((one) => one.name === name && one.hash !== hash),
  );
  if (edited === undefined) return;
  throw new Error(
    `Migration ${edited.name}.sql of "${record}" has changed since it ran on ${edited.day}; restore it, and add a new file with the change`,
  );
}

async function apply(
  client: Client,
  options: MigrateOptions & { folders: readonly MigrationFolder[] },
): Promise<void> {
  await client.query(`select pg_advisory_lock(${LOCK})`);
  // Another process may have migrated the database during the wait.
  const situation = await inspectDatabase(client, listExpected(options.folders));
  if (await isUpToDate(client, { situation, folders: options.folders })) return;
  await ensureRolesAndSchemas(client, situation);
  for (const folder of options.folders) await runFolder(client, { folder, log: options.log });
  await prepareJobs(client);
  const { tables } = await inspectDatabase(client, listExpected(options.folders));
  const schemas = [SCHEMA, JOB_SCHEMA, ...listForeignSchemas(options.folders)];
  const planned = planRights(tables, listGrants(options.folders));
  await grantRights(
    client,
    planned.filter((rights, index) => rights !== tables[index]),
    schemas,
  );
  assertUsable(schemas, await inspectDatabase(client, listExpected(options.folders)));
}

/** Runs the migrations of one folder in one transaction, and records them, and the hashes of their files, in a table for that folder. */
async function runFolder(
  client: Client,
  { folder, log }: { folder: MigrationFolder; log: Log },
): Promise<void> {
  // Imported here: loading it costs more than a start with nothing to migrate.
  const { runner } = await import("node-pg-migrate");
  const begun: string[] = [];
  let ran = 0;
  let failed = "";
  const debug = (message: string) => {
    begun.push(...(/MIGRATION (\S+)/.exec(message)?.slice(1) ?? []));
    log.debug(message);
  };
  const record = `${SCHEMA}.migrations_${folder.name}`;
  // The runner's own table, with the hash.
  await client.query(
    `create table if not exists ${record}
       (id serial primary key, name varchar(255) not null, run_on timestamp not null, hash text)`,
  );
  const known = await listMigrations(folder);
  const applied = await readApplied(client, [folder.name]);
  refuseEdited(folder.name, { known, done: applied.get(folder.name) ?? [] });
  try {
    await runner({
      dbClient: Object.create(client, {
        query: {
          value: async (text: string, values?: unknown[]) => {
            // Some editors write a mark at the beginning of a file, which is no SQL.
            const sql = text.replace(/^\uFEFF/u, "");
            // The first text after the name of a file is what the file holds.
            const isFile = begun.length > ran;
            ran = begun.length;
            const run = isFile ? runFile(client, sql) : client.query(sql, values);
            const result = await run.catch((error: unknown) => {
              failed = sql;
              throw error;
            });
            // Before the end of the transaction, so that the file can be edited and run.
            if (begun.length > 0) await assertRolesKept(client);
            return result;
          },
        },
      }),
      dir: folder.path,
      ignorePattern: "(?!.*\\.sql$).*",
      direction: "up",
      schema: SEARCH_PATH.split(","),
      migrationsSchema: SCHEMA,
      migrationsTable: `migrations_${folder.name}`,
      singleTransaction: true,
      noLock: true,
      logger: { debug, info: debug, warn: debug, error: debug },
    });
  } catch (error) {
    const known = asDatabaseError(error);
    if (known instanceof DatabaseUnavailableError) throw known;
    const reason = describeMigrationError(error, failed);
    const [, taken = ""] = /^relation "(.+)" already exists\b/.exec(reason) ?? [];
    if (isOwnTable(taken))
      throw new Error(`Cannot migrate "${folder.name}": ${adviseName(taken)}`, { cause: error });
    const place = begun.slice(-1).map((name) => `${name}.sql: `);
    const tables = (folder.grants ?? []).map(({ table }) => table);
    const advice =
      errorCode(error) === "42501"
        ? `; ${
            (await adviseOwner(client, { tables })) ??
            "start the program once with a DATABASE_URL whose user owns the tables, or is a superuser"
          }`
        : "";
    throw new Error(`Cannot migrate "${folder.name}": ${place.join("")}${reason}${advice}`, {
      cause: error,
    });
  }
  await client.query(
    `update ${record} as applied set hash = file.hash
       from unnest($1::text[], $2::text[]) as file (name, hash)
      where applied.name = file.name and applied.hash is null`,
    [known.map(({ name }) => name), known.map(({ hash }) => hash)],
  );
}

/** Creates the job tables and records them afterwards: an interrupted run is repeated. */
async function prepareJobs(client: Client): Promise<void> {
  await client.query(
    `create table if not exists ${SCHEMA}.migrations_${JOBS}
       (name text primary key, run_on timestamptz not null default now(), hash text)`,
  );
  // Imported here, like the runner of the folders.
  const { installJobTables } = await import("../runs/job-tables.ts");
  await installJobTables(client);
  await client.query(
    `insert into ${SCHEMA}.migrations_${JOBS} (name) select unnest($1::text[]) on conflict do nothing`,
    [JOB_TABLE_STEPS],
  );
}
