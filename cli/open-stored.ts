import { mealsDomain } from "../domains/meals/index.ts";
import { loadEnvironment, readConfig } from "./config.ts";
import { createLog } from "./log.ts";
import { openStorage, type Storage } from "./open-storage.ts";

/** Opens the configured database for a command that only looks into it or changes it; closes it afterwards. */
export async function withStorage<T>(work: (storage: Storage) => Promise<T>): Promise<T> {
  const config = readConfig(loadEnvironment());
  const { name, migrations: path } = mealsDomain;
  const storage = await openStorage(config, {
    migrations: [{ name, path }],
    log: createLog(config),
  });
  try {
    return await work(storage);
  } finally {
    await storage.database.close();
  }
}
