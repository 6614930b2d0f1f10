import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { bundlePrograms, listCommands } from "../../dev/bundle-programs.ts";
import { startEmbeddedPostgres } from "../../storage/embedded/embedded.ts";
import { silentLog } from "../../state/log.ts";
import { migrate } from "../../storage/postgres/migrate.ts";
import { removeAbandonedServers } from "./abandoned-servers.ts";
import { databaseUrl, embeddedUrl, projectMigrations, runSql } from "./database-url.ts";

const PREFIX = "concierge-test-";

/** The databases of test files: a server's address (as a user who may create databases) and the one to clone. */
export interface DatabaseServer {
  readonly url: string;
  readonly template: string;
}

declare module "vitest" {
  // What test files get with `inject`.
  interface ProvidedContext {
    databaseServer: DatabaseServer;
    /** Path of the folder with the bundled programs. */
    programs: string;
  }
}

/** Programs that tests start, beside the commands. */
const PROGRAMS = ["dev/crash/preload", "dev/evaluate/evaluate", "test/driver/driver-process"];

/** Starts the run's PostgreSQL, and bundles the programs that tests start. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const bundling = bundlePrograms([...listCommands(), ...PROGRAMS]);
  const closeServer = await provideServer(project);
  const programs = await bundling;
  project.provide("programs", programs.folder);
  return async () => {
    await Promise.all([closeServer(), programs.remove()]);
  };
}

/** Starts one PostgreSQL for the run (or takes the one in `DATABASE_URL`) and migrates the template that test files clone. */
async function provideServer(project: TestProject): Promise<() => Promise<void>> {
  const server = await openServer(process.env["DATABASE_URL"] ?? "");
  const template = `concierge_template_${randomBytes(4).toString("hex")}`;
  try {
    await runSql(server.url, `create database ${template} encoding 'UTF8' template template0`);
    await migrate(
      { connectionString: databaseUrl(server.url, template) },
      { folders: projectMigrations(), log: silentLog },
    );
  } catch (error) {
    await server.close();
    throw error;
  }
  project.provide("databaseServer", { url: server.url, template });
  return async () => {
    if (!server.temporary) await runSql(server.url, `drop database ${template}`);
    await server.close();
  };
}

async function openServer(url: string) {
  if (url !== "") return { url, temporary: false, close: async () => {} };
  await removeAbandonedServers(tmpdir(), PREFIX);
  const dataDir = await mkdtemp(join(tmpdir(), PREFIX));
  const embedded = await startEmbeddedPostgres({ dataDir, log: silentLog, durable: false });
  return {
    url: embeddedUrl(embedded.connection),
    temporary: true,
    async close() {
      await embedded.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
