import type { Database } from "../storage/postgres/database.ts";
import type { ServiceLog } from "./log.ts";

/**
 * Makes a check that restarts an embedded database that has ended. Logs the reason why it cannot be
 * restarted once, and again only after the database was back or the reason changed.
 */
export function createDatabaseCheck(
  database: Pick<Database, "ensureRunning">,
  log: Pick<ServiceLog, "error">,
): () => Promise<void> {
  let logged = "";
  return async () => {
    try {
      await database.ensureRunning();
      logged = "";
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (reason !== logged) log.error(error, "The database could not be restarted");
      logged = reason;
    }
  };
}
