import { randomUUID } from "node:crypto";
import { createTurnDriver } from "../../driver/turn-driver.ts";
import {
  createConciergeGraph,
  type ConciergeGraphOptions,
} from "../../graph/create-concierge-graph.ts";
import type { TurnGraph } from "../../graph/turn-graph.ts";
import { mealsDomain } from "../../meals/index.ts";
import { countTokens } from "../../models/tokens.ts";
import { startServer } from "../../server/listen.ts";
import { createConversationStore } from "../../storage/conversations/conversation-store.ts";
import { startWorker } from "../../worker/worker.ts";
import { createTestDatabase, type TestDatabase } from "./database.ts";
import { openServerParts, type Noted, type ServerPartsOptions } from "./server-parts.ts";

/** A server that listens, with the worker that runs its turns. */
export interface ServedGraph {
  readonly url: string;
  /** For reading states. */
  readonly graph: TurnGraph;
  /** Unexpected errors. */
  readonly noted: Noted;
  readonly database: TestDatabase;
  close(): Promise<void>;
}

type ServedParts = Pick<ConciergeGraphOptions, "models" | "experts"> &
  Pick<ServerPartsOptions, "limits">;

/** Starts server and worker in this process, on a database of their own. */
export async function serveGraph({ limits = {}, ...asked }: ServedParts): Promise<ServedGraph> {
  const database = await createTestDatabase({ poolSize: 20 });
  const parts = await openServerParts({ database, limits });
  const graph = createConciergeGraph({
    domain: mealsDomain,
    ...asked,
    countTokens,
    storage: { ...parts, userData: database.userData },
  });
  const driver = createTurnDriver({
    graph,
    store: createConversationStore(database.pool, parts.checkpointer, {
      heartbeats: database.heartbeats,
    }),
    limits: parts.limits,
    now: () => new Date(),
    newId: randomUUID,
  });
  const { pool, notifications, jobs, log, noted } = parts;
  const worker = startWorker({
    pool,
    notifications,
    jobs,
    log,
    driver,
    newId: randomUUID,
    onFailure: (error) => void noted.errors.push(error),
  });
  const server = await startServer({ ...parts, graph }, { host: "127.0.0.1", port: 0 });
  return {
    url: server.url,
    graph,
    noted,
    database,
    async close() {
      await server.close();
      await worker.stop();
      await parts.close();
      await database.close();
    },
  };
}
