import { readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { startEmbeddedPostgres } from "../../storage/embedded/embedded.ts";
import { silentLog } from "../../state/log.ts";
import { isRunning } from "../../storage/embedded/running-process.ts";

/** Younger ones may belong to a run that is just starting. */
const ABANDONED_AFTER_MS = 10 * 60_000;

/**
 * Stops and removes the servers of test runs that were killed before they could, in the folders of
 * `parent` whose names begin with `prefix`.
 */
export async function removeAbandonedServers(parent: string, prefix: string): Promise<void> {
  const names = (await readdir(parent)).filter((name) => name.startsWith(prefix));
  for (const dataDir of names.map((name) => join(parent, name))) {
    // Another user's folder, a damaged one, or one that another run is removing, is left alone.
    await removeIfAbandoned(dataDir).catch(() => undefined);
  }
}

async function isAbandoned(dataDir: string): Promise<boolean> {
  const { mtimeMs } = await stat(dataDir);
  if (Date.now() - mtimeMs < ABANDONED_AFTER_MS) return false;
  const users = join(dataDir, "postgres/users");
  const notes = (await readdir(users)).map((note) => readFile(join(users, note), "utf8"));
  return !(await Promise.all(notes)).some(isRunning);
}

async function removeIfAbandoned(dataDir: string): Promise<void> {
  if (!(await isAbandoned(dataDir))) return;
  const server = await startEmbeddedPostgres({ dataDir, log: silentLog, durable: false });
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
}
