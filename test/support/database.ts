import { randomBytes } from "node:crypto";
import { Client, Pool } from "pg";
import { afterAll, inject } from "vitest";
import { SEARCH_PATH } from "../../storage/postgres/app-role.ts";
import { columnTypes } from "../../storage/postgres/column-types.ts";
import { openDatabase, type Database } from "../../storage/postgres/database.ts";
import { silentLog } from "../../state/log.ts";
import type { MigrationFolder } from "../../storage/postgres/migrate.ts";
import { databaseUrl, projectMigrations } from "./database-url.ts";

/** A database of one's own, with every domain's tables and no rows. */
export interface TestDatabase extends Database {
  /** Its address, for `DATABASE_URL` of a process that a test starts. */
  readonly url: string;
  /** Connections of the database's owner, for controls: no row is hidden from a superuser. */
  readonly owner: Pool;
}

export interface TestDatabaseOptions {
  /** Folders beyond those of the domains that the program ships. */
  readonly migrations?: readonly MigrationFolder[];
  readonly poolSize?: number;
}

/**
 * Opens a database for the tests of one file and drops it after them. To be called at the top level
 * of the file (`const database = await testDatabase();`) or of a `describe`.
 */
export async function testDatabase(options: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const database = await createTestDatabase(options);
  afterAll(() => database.close());
  return database;
}

/** Opens a database that lives until its `close()`, which drops it. */
export async function createTestDatabase(options: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const server = inject("databaseServer");
  const name = `concierge_test_${randomBytes(6).toString("hex")}`;
  await administer(`create database ${name} template ${server.template} strategy file_copy`);
  const url = databaseUrl(server.url, name);
  const database = await openDatabase({
    url,
    dataDir: "",
    migrations: [...projectMigrations(), ...(options.migrations ?? [])],
    log: silentLog,
    poolSize: options.poolSize ?? 10,
  });
  const owner = new Pool({
    connectionString: url,
    options: `-c search_path=${SEARCH_PATH}`,
    types: columnTypes,
  });
  owner.on("error", () => undefined);
  let closing: Promise<void> | null = null;
  return {
    ...database,
    url,
    owner,
    close() {
      closing ??= closeAndDrop({ database, owner, name });
      return closing;
    },
  };
}

async function closeAndDrop(open: {
  database: Database;
  owner: Pool;
  name: string;
}): Promise<void> {
  await Promise.all([open.database.close(), open.owner.end()]);
  await administer(`drop database ${open.name} with (force)`);
}

let administrator: Promise<Client> | null = null;

/** Runs a statement on the server, on one connection of the process: opening one costs it more than a drop. */
async function administer(sql: string): Promise<void> {
  administrator ??= openAdministrator();
  await (await administrator).query(sql);
}

async function openAdministrator(): Promise<Client> {
  const client = new Client({ connectionString: inject("databaseServer").url });
  client.on("error", () => (administrator = null));
  await client.connect();
  return client;
}
