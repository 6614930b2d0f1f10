import { randomUUID } from "node:crypto";
import { openModels, wrapModels } from "../../app/open-models.ts";
import { DEMO_DAY, openDriver } from "./conversation.ts";
import { mealsDomain } from "../../meals/index.ts";
import type { RunSink } from "../../driver/run-source.ts";
import type { LanguageModel } from "../../state/model.ts";
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
  const { store, driver } = openDriver({
    database,
    domain: mealsDomain,
    ...wrapModels(await openModels({ kind: "simulated" }), turn.wrapModel),
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
