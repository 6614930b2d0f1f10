import type { Archive } from "../nodes/node.ts";
import type { ConversationStore } from "../graph/conversation-store.ts";
import type { MigrationFolder } from "../storage/migrate.ts";
import { openDatabase, type Database } from "../storage/database.ts";
import type { Log } from "../storage/log.ts";
import type { PostgresCheckpointer } from "../storage/checkpointer.ts";
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
  { migrations, log }: { readonly migrations: readonly MigrationFolder[]; readonly log: Log },
): Promise<Storage> {
  // The server starts in a process of its own: what takes long to load is loaded meanwhile.
  const loading = loadStores();
  loading.catch(() => undefined);
  const { databaseUrl: url, dataDir } = config;
  const database = await openDatabase({ url, dataDir, migrations, log });
  try {
    const { createCheckpointer, createTurnArchive, createConversationStore } = await loading;
    const checkpointer = createCheckpointer(database.pool);
    return {
      database,
      checkpointer,
      archive: createTurnArchive(database.pool),
      store: createConversationStore(database.pool, checkpointer),
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function loadStores() {
  const [{ createCheckpointer }, { createTurnArchive }, { createConversationStore }] =
    await Promise.all([
      import("../storage/checkpointer.ts"),
      import("../storage/turn-archive.ts"),
      import("../storage/conversation-store.ts"),
    ]);
  return { createCheckpointer, createTurnArchive, createConversationStore };
}
