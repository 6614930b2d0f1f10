import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { Client, type ClientConfig } from "pg";
import { z } from "zod";
import type { Queryable } from "../state/store.ts";
import { ensureRole, ensureSchema, grantRights, SCHEMA, SEARCH_PATH } from "./app-role.ts";
import { assertSuitable, inspectDatabase, type Situation } from "./database-check.ts";
import { asDatabaseError, DatabaseUnavailableError } from "./database-error.ts";
import { errorCode } from "./error-code.ts";
import type { Log } from "./log.ts";

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
    const situation = await inspectDatabase(client, nameEach(folders));
    assertSuitable(situation);
    if (await isUpToDate(client, { situation, folders })) return;
    await apply(client, { ...options, folders });
  } catch (error) {
    throw explain(error);
  } finally {
    await client.end().catch(() => undefined);
  }
}

function explain(error: unknown): unknown {
  if (errorCode(error) !== "42501" || !(error instanceof Error)) return asDatabaseError(error);
  return new Error(
    `Cannot set up the database: ${error.message}; let the user who owns its tables start the program once`,
    { cause: error },
  );
}

function nameEach(folders: readonly MigrationFolder[]): readonly string[] {
  return folders.map(({ name }) => name);
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
  const situation = await inspectDatabase(client, nameEach(options.folders));
  if (await isUpToDate(client, { situation, folders: options.folders })) return;
  await ensureRole(client, situation);
  await ensureSchema(client, situation);
  for (const folder of options.folders) await runFolder(client, { folder, log: options.log });
  await grantRights(client);
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
    const known = asDatabaseError(error);
    if (known instanceof DatabaseUnavailableError) throw known;
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`Cannot migrate "${folder.name}": ${reason}`, { cause: error });
  }
}
