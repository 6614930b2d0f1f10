import type { Archive } from "../state/archive.ts";
import type { ConversationStore } from "../state/conversation-store.ts";
import { openDatabase, type Database, type DatabaseOptions } from "../storage/postgres/database.ts";
import type { PostgresCheckpointer } from "../storage/checkpoints/checkpointer.ts";
import type { Config } from "./config.ts";

/** Everything that is kept in Postgres. */
export interface Storage {
  readonly database: Database;
  readonly checkpointer: PostgresCheckpointer;
  readonly archive: Archive;
  readonly store: ConversationStore;
}

/** Opens the configured database and what the program keeps in it. @throws as `openDatabase`. */
export async function openStorage(
  config: Pick<Config, "databaseUrl" | "dataDir">,
  options: Pick<DatabaseOptions, "migrations" | "log" | "whileWaiting" | "poolSize">,
): Promise<Storage> {
  const { databaseUrl: url, dataDir } = config;
  const database = await openDatabase({ url, dataDir, ...options });
  try {
    const { createCheckpointer, createTurnArchive, createConversationStore } = await loadStores();
    const checkpointer = createCheckpointer(database.pool);
    return {
      database,
      checkpointer,
      archive: createTurnArchive(database.pool),
      store: createConversationStore(database.pool, checkpointer, database),
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Modules are loaded once; whoever asks earlier waits less later. */
export async function loadStores() {
  const [{ createCheckpointer }, { createTurnArchive }, { createConversationStore }] =
    await Promise.all([
      import("../storage/checkpoints/checkpointer.ts"),
      import("../storage/conversations/turn-archive.ts"),
      import("../storage/conversations/conversation-store.ts"),
    ]);
  return { createCheckpointer, createTurnArchive, createConversationStore };
}
