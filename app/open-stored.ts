import { loadConfig } from "./config.ts";
import { createLog } from "./log.ts";
import { openStorage, type Storage } from "./open-storage.ts";

/**
 * Opens the configured database for a command that reads or changes rows, and closes it afterwards.
 * Does not migrate the tables of a domain: the database may belong to a program with another domain.
 */
export async function withStorage<T>(work: (storage: Storage) => Promise<T>): Promise<T> {
  const config = loadConfig();
  for (const line of config.ignored) process.stderr.write(`${line}\n`);
  const storage = await openStorage(config, { migrations: [], log: createLog(config) });
  try {
    return await work(storage);
  } finally {
    await storage.database.close();
  }
}
