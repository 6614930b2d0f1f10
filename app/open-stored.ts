import { loadConfig } from "./config.ts";
import { createLog } from "./log.ts";
import { openStorage, type Storage } from "./open-storage.ts";
import { printIgnored } from "./print-ignored.ts";
import type { ProgramCommand } from "./settings/setting.ts";

/**
 * Opens the configured database for a command that reads or changes rows, and closes it afterwards.
 * Does not migrate the tables of a domain: the database may belong to a program with another domain.
 */
export async function withStorage<T>(
  command: ProgramCommand,
  work: (storage: Storage) => Promise<T>,
): Promise<T> {
  const config = loadConfig(command);
  printIgnored(config);
  const storage = await openStorage(config, { migrations: [], log: createLog(config) });
  try {
    return await work(storage);
  } finally {
    await storage.database.close();
  }
}
