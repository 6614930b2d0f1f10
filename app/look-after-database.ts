import type { Database } from "../storage/postgres/database.ts";
import type { ServiceLog } from "./log.ts";

/**
 * Makes a look at the database, which brings an embedded one back where it was ended. What stands in
 * the way of that may stay there for long: it is said once, and again after it was back.
 */
export function createDatabaseCheck(
  database: Pick<Database, "restore">,
  log: Pick<ServiceLog, "error">,
): () => Promise<void> {
  let told = "";
  return async () => {
    try {
      await database.restore();
      told = "";
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (reason !== told) log.error(error, "The database could not be brought back");
      told = reason;
    }
  };
}
