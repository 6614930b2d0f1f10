import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { Client, type ClientConfig } from "pg";
import { z } from "zod";
import type { Queryable } from "../state/store.ts";
import { asDatabaseError } from "./database-error.ts";
import { errorCode } from "./error-code.ts";
import type { Log } from "./log.ts";

/** The schema that everything of the program lives in. */
export const SCHEMA = "concierge";
/** The role the program works as: owns nothing, is no superuser, cannot pass row-level security. */
export const APP_ROLE = "concierge_app";
/** Where unqualified names are looked up; `public` is there for extensions. */
export const SEARCH_PATH = `${SCHEMA},public`;

/** Numbered SQL files of one part of the program, applied in order and recorded under `name` (lowercase letters, digits, `_`). */
export interface MigrationFolder {
  readonly name: string;
  readonly path: string;
}

export interface MigrateOptions {
  /** The domains' folders; the core's own comes before them. */
  readonly folders: readonly MigrationFolder[];
  readonly log: Log;
}

const CORE: MigrationFolder = { name: "core", path: join(import.meta.dirname, "migrations") };
/** Chosen once: processes that migrate one database wait for each other on it. */
const LOCK = 5_824_906_173;

/**
 * Brings a database up to date: role, schema, the core's tables, each folder's tables, grants.
 *
 * Contract: idempotent, forward only, and safe to call from several processes at once. Costs two
 * small queries when there is nothing to do, and then needs no more rights than the program has.
 *
 * @param connection how to connect as a user who may do this (the database's owner).
 * @throws Error in a sentence, with the SQL to run where rights are missing; DatabaseUnavailableError.
 */
export async function migrate(connection: ClientConfig, options: MigrateOptions): Promise<void> {
  const folders = [CORE, ...options.folders];
  for (const { name } of folders) assertFolderName(name);
  const client = new Client({ ...connection, options: addOption(connection.options) });
  client.on("error", () => undefined);
  try {
    await client.connect();
    const situation = await inspect(client, folders);
    assertSuitable(situation);
    if (await isUpToDate(client, { situation, folders })) return;
    await apply(client, { ...options, folders });
  } catch (error) {
    throw asDatabaseError(error);
  } finally {
    await client.end().catch(() => undefined);
  }
}

function addOption(options: string | undefined): string {
  return `${options ?? ""} -c search_path=${SEARCH_PATH}`.trim();
}

function assertFolderName(name: string): void {
  if (/^[a-z][a-z0-9_]*$/.test(name)) return;
  throw new RangeError(
    `Cannot migrate the folder "${name}": a name is made of lowercase letters, digits and "_"`,
  );
}

const SituationSchema = z.object({
  user: z.string(),
  database: z.string(),
  version: z.number(),
  encoding: z.string(),
  /** Null where the role does not exist. */
  role: z.object({ privileged: z.boolean(), mayBecome: z.boolean() }).nullable(),
  /** Names of the folders that have been migrated before. */
  started: z.array(z.string()),
  /** Whether the role lacks a right on the schema or a table in it. */
  lacksGrants: z.boolean(),
});
type Situation = z.infer<typeof SituationSchema>;

async function inspect(db: Queryable, folders: readonly MigrationFolder[]): Promise<Situation> {
  const { rows } = await db.query(
    `with role as (select oid, rolsuper or rolbypassrls as privileged from pg_roles where rolname = $1),
          own as (select oid from pg_namespace where nspname = $2)
     select current_user as "user",
            current_database() as "database",
            current_setting('server_version_num')::int as version,
            current_setting('server_encoding') as encoding,
            (select json_build_object('privileged', privileged, 'mayBecome', pg_has_role(current_user, oid,
                      case when current_setting('server_version_num')::int >= 160000 then 'SET' else 'MEMBER' end))
               from role) as role,
            array(select name from unnest($3::text[]) as name
                   where to_regclass(format('%I.%I', $2::text, 'migrations_' || name)) is not null) as started,
            not coalesce(
              (select has_schema_privilege(role.oid, own.oid, 'usage')
                 and not exists (
                   select from pg_class
                    where relnamespace = own.oid and relkind in ('r', 'p') and relname not like 'migrations\\_%'
                      and not has_table_privilege(role.oid, pg_class.oid, 'delete'))
                 from role, own),
              false) as "lacksGrants"`,
    [APP_ROLE, SCHEMA, folders.map(({ name }) => name)],
  );
  return SituationSchema.parse(rows[0]);
}

function assertSuitable({ database, version, encoding, role }: Situation): void {
  const start = `Cannot use the database "${database}": `;
  if (version < 150_000) {
    const major = Math.floor(version / 10_000);
    throw new Error(`${start}it is PostgreSQL ${major}; version 15 or newer is needed`);
  }
  if (encoding !== "UTF8") {
    throw new Error(
      `${start}its encoding is ${encoding}; create one with: create database ${database}_utf8 encoding 'UTF8' template template0`,
    );
  }
  if (role?.privileged === true) {
    throw new Error(
      `${start}the role ${APP_ROLE} may see every user's rows; as an administrator run: alter role ${APP_ROLE} nosuperuser nobypassrls`,
    );
  }
}

async function isUpToDate(
  db: Queryable,
  { situation, folders }: { situation: Situation; folders: readonly MigrationFolder[] },
): Promise<boolean> {
  if (situation.role?.mayBecome !== true || situation.lacksGrants) return false;
  if (situation.started.length < folders.length) return false;
  const applied = await readApplied(db, folders);
  const missing = await Promise.all(
    folders.map(async (folder) => {
      const known = await listMigrations(folder);
      const done = applied.get(folder.name) ?? [];
      refuseNewer(folder, { known, done });
      return known.some((name) => !done.includes(name));
    }),
  );
  return !missing.includes(true);
}

const AppliedRow = z.object({ folder: z.string(), name: z.string() });

async function readApplied(
  db: Queryable,
  folders: readonly MigrationFolder[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const selects = folders.map(
    ({ name }) => `select '${name}' as folder, name from ${SCHEMA}.migrations_${name}`,
  );
  const { rows } = await db.query(selects.join(" union all "));
  const applied = AppliedRow.array().parse(rows);
  const ofFolder = ({ name }: MigrationFolder) =>
    applied.filter((row) => row.folder === name).map((row) => row.name);
  return new Map(folders.map((folder) => [folder.name, ofFolder(folder)]));
}

/** The folder's migrations by name, without `.sql`. */
async function listMigrations({ path }: MigrationFolder): Promise<readonly string[]> {
  const files = await readdir(path);
  return files.filter((file) => file.endsWith(".sql")).map((file) => file.slice(0, -4));
}

function refuseNewer(
  folder: MigrationFolder,
  names: { known: readonly string[]; done: readonly string[] },
): void {
  const unknown = names.done.find((name) => !names.known.includes(name));
  if (unknown === undefined) return;
  throw new Error(
    `Cannot use the database: its migration "${unknown}" of "${folder.name}" is not known here, a newer version of the program made it; update the program`,
  );
}

async function apply(
  client: Client,
  options: MigrateOptions & { folders: readonly MigrationFolder[] },
): Promise<void> {
  await client.query(`select pg_advisory_lock(${LOCK})`);
  // What was found before the wait may be out of date.
  const situation = await inspect(client, options.folders);
  if (await isUpToDate(client, { situation, folders: options.folders })) return;
  await ensureRole(client, situation);
  await ensureSchema(client, situation);
  for (const folder of options.folders) await runFolder(client, { folder, log: options.log });
  await grantRights(client);
}

async function ensureRole(db: Queryable, { role, user, database }: Situation): Promise<void> {
  const sql = [
    ...(role === null ? [`create role ${APP_ROLE} nologin`] : []),
    ...(role?.mayBecome === true ? [] : [`grant ${APP_ROLE} to ${quoteName(user)}`]),
  ];
  for (const statement of sql) {
    try {
      await db.query(statement);
    } catch (error) {
      // The role is the server's, not the database's: another database's migration may have been quicker.
      if (hasCode(error, ["42710", "23505"])) continue;
      if (!hasCode(error, ["42501"])) throw error;
      throw new Error(
        `Cannot set up the database "${database}": the user "${user}" may not make roles; as an administrator run: ${sql.join("; ")}`,
        { cause: error },
      );
    }
  }
}

async function ensureSchema(db: Queryable, { user, database }: Situation): Promise<void> {
  const { rows } = await db.query("select to_regnamespace($1) is not null as present", [SCHEMA]);
  if (rows[0]?.["present"] === true) return;
  try {
    await db.query(`create schema ${SCHEMA}`);
  } catch (error) {
    if (!hasCode(error, ["42501"])) throw error;
    throw new Error(
      `Cannot set up the database "${database}": the user "${user}" may not make a schema in it; ` +
        `as an administrator run: create schema ${SCHEMA} authorization ${quoteName(user)}`,
      { cause: error },
    );
  }
}

/** The migrations of one folder in one transaction, recorded in a table of the folder's own. */
async function runFolder(
  client: Client,
  { folder, log }: { folder: MigrationFolder; log: Log },
): Promise<void> {
  // Loaded here: it costs more than a start that has nothing to migrate.
  const { runner } = await import("node-pg-migrate");
  const say = (message: string) => log.debug(message);
  try {
    await runner({
      dbClient: client,
      dir: folder.path,
      ignorePattern: "(?!.*\\.sql$).*",
      direction: "up",
      schema: SEARCH_PATH.split(","),
      migrationsSchema: SCHEMA,
      migrationsTable: `migrations_${folder.name}`,
      singleTransaction: true,
      noLock: true,
      logger: { debug: say, info: say, warn: say, error: say },
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`Cannot migrate "${folder.name}": ${reason}`, { cause: error });
  }
}

async function grantRights(db: Queryable): Promise<void> {
  await db.query("begin");
  await db.query(`grant usage on schema ${SCHEMA} to ${APP_ROLE}`);
  await db.query(
    `grant select, insert, update, delete on all tables in schema ${SCHEMA} to ${APP_ROLE}`,
  );
  await db.query(`grant usage on all sequences in schema ${SCHEMA} to ${APP_ROLE}`);
  const { rows } = await db.query(
    "select tablename from pg_tables where schemaname = $1 and tablename like 'migrations\\_%'",
    [SCHEMA],
  );
  for (const row of rows) {
    const table = `${SCHEMA}.${quoteName(String(row["tablename"]))}`;
    await db.query(`revoke insert, update, delete on ${table} from ${APP_ROLE}`);
  }
  await db.query("commit");
}

function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function hasCode(error: unknown, codes: readonly string[]): boolean {
  return codes.includes(errorCode(error));
}
