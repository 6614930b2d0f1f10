import { randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Pool } from "pg";
import { SEARCH_PATH } from "../../storage/postgres/app-role.ts";
import { columnTypes } from "../../storage/postgres/column-types.ts";
import { startEmbeddedPostgres } from "../../storage/embedded/embedded.ts";
import { silentLog } from "../../state/log.ts";
import { isRunning, nameProcess } from "../../storage/embedded/running-process.ts";
import { databaseUrl, embeddedUrl, runSql } from "../../test/support/database-url.ts";

/** A PostgreSQL server that can be restarted while processes use it. */
export interface RestartablePostgres {
  /** Creates an empty database. */
  createDatabase(): Promise<ChaosDatabase>;
  /** Stops the server as its owner would, cutting what is open, and starts it again. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

export interface ChaosDatabase {
  readonly url: string;
  /** Connections of the owner, from whom no row is hidden. */
  readonly owner: Pool;
  close(): Promise<void>;
}

const POLL_MS = 20;

/** Starts the server in a temporary folder. */
export async function startRestartablePostgres(): Promise<RestartablePostgres> {
  const dataDir = await mkdtemp(join(tmpdir(), "concierge-chaos-"));
  const server = await startEmbeddedPostgres({ dataDir, log: silentLog, durable: false });
  return {
    async createDatabase() {
      const serverUrl = embeddedUrl(server.connection);
      const name = `concierge_chaos_${randomBytes(6).toString("hex")}`;
      await runSql(serverUrl, `create database ${name} encoding 'UTF8' template template0`);
      const url = databaseUrl(serverUrl, name);
      const options = `-c search_path=${SEARCH_PATH}`;
      const owner = new Pool({ connectionString: url, options, types: columnTypes, max: 2 });
      owner.on("error", () => undefined);
      return { url, owner, close: () => owner.end() };
    },
    async restart() {
      const file = await readFile(join(dataDir, "postgres/data/postmaster.pid"), "utf8");
      const pid = Number.parseInt(file, 10);
      const name = nameProcess(pid) ?? "";
      process.kill(pid, "SIGINT");
      await waitForEnd(name);
      await server.ensureRunning();
    },
    async close() {
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function waitForEnd(name: string): Promise<void> {
  while (isRunning(name)) await delay(POLL_MS);
}
