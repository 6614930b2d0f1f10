import { randomUUID } from "node:crypto";
import { openModels, wrapModels } from "../../app/open-models.ts";
import { DEMO_DAY } from "./conversation.ts";
import { mealsDomain } from "../../meals/index.ts";
import { createConciergeGraph } from "../../graph/create-concierge-graph.ts";
import type { RunSink } from "../../driver/run-source.ts";
import { createTurnDriver } from "../../driver/turn-driver.ts";
import { countTokens } from "../../models/tokens.ts";
import { DEFAULT_LIMITS } from "../../state/limits.ts";
import type { LanguageModel } from "../../state/model.ts";
import { createCheckpointer } from "../../storage/checkpoints/checkpointer.ts";
import { createConversationStore } from "../../storage/conversations/conversation-store.ts";
import { createTurnArchive } from "../../storage/conversations/turn-archive.ts";
import { watchThreads, type RunWatchers } from "../../telemetry/watch-runs.ts";
import type { TestDatabase } from "./database.ts";

/** A message that is worked off as a worker does it, by the simulated model, and watched. */
export interface WatchedTurn extends RunWatchers {
  readonly database: TestDatabase;
  readonly wrapModel?: (model: LanguageModel) => LanguageModel;
  readonly threadId: string;
  readonly text: string;
  /** Default: keeps nothing. */
  readonly sink?: Partial<RunSink>;
}

/** Puts the message into its thread and works it off. Its run is named after the thread. */
export async function workOffWatched(turn: WatchedTurn): Promise<void> {
  const { database, threadId, text } = turn;
  const userId = `user-${threadId}`;
  const checkpointer = createCheckpointer(database.pool);
  const graph = createConciergeGraph({
    domain: mealsDomain,
    ...wrapModels(await openModels({ kind: "simulated" }), turn.wrapModel),
    countTokens,
    storage: {
      checkpointer,
      userData: database.userData,
      archive: createTurnArchive(database.pool),
    },
  });
  const store = createConversationStore(database.pool, checkpointer);
  const driver = createTurnDriver({
    graph,
    store,
    limits: DEFAULT_LIMITS,
    now: () => new Date(),
    newId: randomUUID,
  });
  const runId = `run-${threadId}`;
  const run = { runId, threadId, userId, ...DEMO_DAY };
  await store.enqueue({ threadId, userId, messageId: randomUUID(), title: "", text, run });
  const plan = { runId, sentEvents: [], stop: undefined, modes: [], trace: false };
  const sink = {
    onEvent: () => undefined,
    onChunk: () => undefined,
    end: async () => false,
    ...turn.sink,
  };
  await watchThreads(driver, turn).processThread(
    { threadId, userId },
    { runs: { open: async () => ({ plan, sink }) }, waitMs: 0 },
  );
}
