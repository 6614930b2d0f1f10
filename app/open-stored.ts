import { loadConfig } from "./config.ts";
import { createLog } from "./log.ts";
import { openStorage, type Storage } from "./open-storage.ts";

/**
 * Opens the configured database for a command that only looks into it or changes it; closes it
 * afterwards. A domain's tables are taken as they are: the database may be another program's, with a
 * domain of its own.
 */
export async function withStorage<T>(work: (storage: Storage) => Promise<T>): Promise<T> {
  const config = loadConfig();
  const storage = await openStorage(config, { migrations: [], log: createLog(config) });
  try {
    return await work(storage);
  } finally {
    await storage.database.close();
  }
}
