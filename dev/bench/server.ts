import { domainFolder } from "../../domain/list-grants.ts";
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mealsDomain } from "../../meals/index.ts";
import { openDatabase } from "../../storage/postgres/database.ts";
import { startEmbeddedPostgres } from "../../storage/embedded/embedded.ts";
import type { MigrationFolder } from "../../storage/postgres/migrate.ts";
import { silentLog } from "../../state/log.ts";
import { databaseUrl, embeddedUrl, runSql } from "../../test/support/database-url.ts";
import type { BenchDatabase } from "./measurement.ts";

/** The PostgreSQL of a run, started when the first measurement asks for a database. */
export interface BenchServer {
  /** Opens a migrated database of its own; closing it drops it. */
  readonly openDatabase: () => Promise<BenchDatabase>;
  /** The server's version; null while no database was opened. */
  readonly version: () => string | null;
  /** Drops what is left and stops an embedded server. */
  readonly close: () => Promise<void>;
}

interface RunningServer {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/** Makes the server of a run: the one at the address, or an embedded one, durable as in production. */
export function createBenchServer(
  outside: string | null,
  folders: readonly MigrationFolder[] = [domainFolder(mealsDomain)],
): BenchServer {
  const open = new Set<BenchDatabase>();
  let server: Promise<RunningServer> | null = null;
  let version: string | null = null;
  return {
    openDatabase: async () => {
      server ??= outside === null ? startOwn() : Promise.resolve({ url: outside, async stop() {} });
      const database = await createDatabase((await server).url, {
        folders,
        onClose: (closed) => open.delete(closed),
      });
      open.add(database);
      const { rows } = await database.pool.query<{ server_version: string }>("show server_version");
      version = rows[0]?.server_version ?? null;
      return database;
    },
    version: () => version,
    close: async () => {
      await Promise.allSettled([...open].map((database) => database.close()));
      await (await server)?.stop();
    },
  };
}

async function startOwn(): Promise<RunningServer> {
  const dataDir = await mkdtemp(join(tmpdir(), "concierge-bench-"));
  const remove = (): Promise<void> => rm(dataDir, { recursive: true, force: true });
  try {
    const embedded = await startEmbeddedPostgres({ dataDir, log: silentLog });
    return {
      url: embeddedUrl(embedded.connection),
      stop: () => embedded.stop().then(remove),
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

interface DatabaseParts {
  readonly folders: readonly MigrationFolder[];
  readonly onClose: (closed: BenchDatabase) => void;
}

async function createDatabase(
  serverUrl: string,
  { folders, onClose }: DatabaseParts,
): Promise<BenchDatabase> {
  const name = `concierge_bench_${randomBytes(6).toString("hex")}`;
  await runSql(serverUrl, `create database ${name} encoding 'UTF8' template template0`);
  const drop = (): Promise<void> => runSql(serverUrl, `drop database ${name} with (force)`);
  const url = databaseUrl(serverUrl, name);
  try {
    const database = await openDatabase({
      url,
      dataDir: "",
      migrations: folders,
      log: silentLog,
    });
    let closing: Promise<void> | null = null;
    const bench: BenchDatabase = {
      ...database,
      url,
      close() {
        closing ??= database
          .close()
          .then(drop)
          .finally(() => onClose(bench));
        return closing;
      },
    };
    return bench;
  } catch (error) {
    await drop();
    throw error;
  }
}
