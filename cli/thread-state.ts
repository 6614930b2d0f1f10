import { z } from "zod";
import { upgradeValues } from "../driver/load-thread.ts";
import type { ArchivedBatch } from "../state/archive.ts";
import type { Queryable } from "../state/store.ts";
import { ThreadFieldsSchema, type TurnState } from "../state/turn.ts";
import { readTurns, type StoredTurn } from "../storage/conversations/archive-rows.ts";
import { listThreads, type Thread } from "../storage/conversations/threads.ts";
import type { Storage } from "../app/open-storage.ts";
import { sumUsage, type ThreadUsage } from "./thread-usage.ts";

/** The state that a thread carries from turn to turn. */
const ThreadStateSchema = ThreadFieldsSchema.pick({
  schemaVersion: true,
  turn: true,
  registry: true,
  turnExecutionSummaries: true,
  ledger: true,
  history: true,
  constraints: true,
  pending: true,
  concierge: true,
  journeyPlan: true,
  opening: true,
  conciergeThread: true,
  expertThreads: true,
  unansweredMessages: true,
});
export type ThreadState = z.infer<typeof ThreadStateSchema>;

/** The values of a checkpoint of any version. */
const StoredValuesSchema = z.custom<Partial<TurnState>>(
  (value) => typeof value === "object" && value !== null,
);

/** A message whose turn has not ended. */
const WaitingSchema = z.object({
  messageId: z.string(),
  text: z.string(),
  attempts: z.number().int(),
});

/** Everything that is stored of a thread. For developers: registry entries contain database ids. */
export interface ThreadReport {
  readonly thread: Thread;
  readonly state: ThreadState;
  /** Messages that wait, or whose turn failed and is tried again with the next message. */
  readonly waiting: readonly z.infer<typeof WaitingSchema>[];
  readonly usage: ThreadUsage;
  /** The last turns, oldest first, each with the last prompt's manifest of every node. */
  readonly lastTurns: readonly StoredTurn[];
  /** The last batch of questions to the experts, with their answers; null without one. */
  readonly lastBatch: ArchivedBatch | null;
}

/** The thread to read, its user, and the number of last turns. */
export interface ThreadQuery {
  readonly threadId: string;
  readonly userId: string;
  readonly turns: number;
}

/**
 * Reads a thread of a user; null if the user has no such thread.
 *
 * @throws StateVersionError if a newer version of the program has written it.
 */
export async function readThread(
  storage: Omit<Storage, "modelProfiles" | "sentences">,
  query: ThreadQuery,
): Promise<ThreadReport | null> {
  const { threadId, userId } = query;
  const { userData } = storage.database;
  const threads = await userData.read(userId, listThreads);
  const thread = threads.find((one) => one.threadId === threadId);
  if (thread === undefined) return null;
  const state = await readThreadState(storage, threadId);
  const { waiting, usage, lastTurns } = await userData.read(userId, async (tx) => ({
    waiting: await readWaiting(tx, threadId),
    usage: await sumUsage(tx, threadId),
    lastTurns: await readTurns(tx, { threadId, limit: query.turns }),
  }));
  const [lastBatch = null] = await storage.archive.listBatches({ threadId, userId, limit: 1 });
  return { thread, state, waiting, usage, lastTurns, lastBatch };
}

/** Reads the newest stored state of a thread; an empty state before its first turn. @throws StateVersionError. */
export async function readThreadState(
  { checkpointer }: Pick<Storage, "checkpointer">,
  threadId: string,
): Promise<ThreadState> {
  const tuple = await checkpointer.getTuple({ configurable: { thread_id: threadId } });
  const values = StoredValuesSchema.parse(tuple?.checkpoint.channel_values ?? {});
  return ThreadStateSchema.parse(upgradeValues(threadId, values));
}

async function readWaiting(tx: Queryable, threadId: string) {
  const { rows } = await tx.query(
    `select message_id as "messageId", text, attempts from inbox
      where thread_id = $1 and finished_at is null
      order by seq`,
    [threadId],
  );
  return z.array(WaitingSchema).parse(rows);
}
