import type { Archive } from "../state/archive.ts";
import type { ConversationStore } from "../state/conversation-store.ts";
import { openDatabase, type Database, type DatabaseOptions } from "../storage/postgres/database.ts";
import type { PostgresCheckpointer } from "../storage/checkpoints/checkpointer.ts";
import { DatabaseUnavailableError } from "../storage/postgres/database-error.ts";
import { limitsWith } from "../state/limits.ts";
import type { ModelProfileStore } from "../state/model.ts";
import type { SentenceStore } from "../state/sentence-store.ts";
import type { Config } from "./config.ts";

/** The stores in Postgres. */
export interface Storage {
  readonly database: Database;
  readonly checkpointer: PostgresCheckpointer;
  readonly archive: Archive;
  readonly store: ConversationStore;
  readonly modelProfiles: ModelProfileStore;
  readonly sentences: SentenceStore;
}

/**
 * Opens the configured database and the stores in it.
 *
 * @throws as `openDatabase`; an error about an outside server names its host and port.
 */
export async function openStorage(
  config: Pick<Config, "databaseUrl" | "dataDir"> & Partial<Pick<Config, "limits">>,
  options: Pick<DatabaseOptions, "migrations" | "log" | "load" | "poolSize">,
): Promise<Storage> {
  const { databaseUrl: url, dataDir } = config;
  const limits = limitsWith(config.limits ?? {});
  const database = await openDatabase({ url, dataDir, limits, ...options }).catch(
    (error: unknown) => {
      throw nameServer(error, url);
    },
  );
  try {
    const {
      createCheckpointer,
      createTurnArchive,
      createConversationStore,
      createModelProfileStore,
      createSentenceStore,
    } = await loadStores();
    const checkpointer = createCheckpointer(database.pool);
    return {
      database,
      checkpointer,
      archive: createTurnArchive(database.pool),
      store: createConversationStore(database.pool, checkpointer, {
        heartbeats: database.heartbeats,
        admin: database.admin,
        leaseMs: limits.leaseSeconds * 1_000,
      }),
      modelProfiles: createModelProfileStore(database.pool),
      sentences: createSentenceStore(database.pool),
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}

function nameServer(error: unknown, url: string | null): unknown {
  if (url === null || !(error instanceof DatabaseUnavailableError)) return error;
  return new DatabaseUnavailableError(`${error.message} (server: ${describeServer(url)})`, {
    cause: error,
  });
}

/** Returns host and port of an address, never its user or password. */
function describeServer(url: string): string {
  // The driver knows addresses without a host (`user@/database?host=/socket`), the URL class does not.
  const { hostname, port, searchParams } = new URL(url.replace("@/", "@localhost/"));
  const host = searchParams.get("host") ?? hostname;
  return `${host}:${searchParams.get("port") ?? (port === "" ? "5432" : port)}`;
}

/** Imports the modules of the stores. An early call shortens a later wait. */
export async function loadStores() {
  const [checkpoints, archive, conversations, profiles, sentences] = await Promise.all([
    import("../storage/checkpoints/checkpointer.ts"),
    import("../storage/conversations/turn-archive.ts"),
    import("../storage/conversations/conversation-store.ts"),
    import("../storage/models/model-profiles.ts"),
    import("../storage/sentences/sentence-store.ts"),
  ]);
  return { ...checkpoints, ...archive, ...conversations, ...profiles, ...sentences };
}
