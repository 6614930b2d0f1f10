import { z } from "zod";
import { StateVersionError } from "../driver/turn-errors.ts";
import type { ArchivedBatch } from "../state/archive.ts";
import { ConstraintSchema } from "../state/constraint.ts";
import {
  ConciergePhaseStateSchema,
  ConciergeThreadSchema,
  ExpertThreadSchema,
  INITIAL_PHASE_STATE,
  NO_CONCIERGE_THREAD,
  OpeningSchema,
} from "../state/phase.ts";
import { JourneyPlanSchema } from "../state/journey-plan.ts";
import { RegistrySchema } from "../state/registry.ts";
import { PendingSchema } from "../state/pending.ts";
import type { Queryable } from "../state/store.ts";
import { readStateVersion, SCHEMA_VERSION } from "../state/migrate-state.ts";
import type { TurnState } from "../state/turn.ts";
import {
  EMPTY_HISTORY,
  HistorySchema,
  LedgerLineSchema,
  TurnExecutionSummarySchema,
} from "../state/turn-summary.ts";
import { readTurns, type StoredTurn } from "../storage/conversations/archive-rows.ts";
import { listThreads, type Thread } from "../storage/conversations/threads.ts";
import type { Storage } from "../app/open-storage.ts";
import { sumUsage, type ThreadUsage } from "./thread-usage.ts";

/** The state that a thread carries from turn to turn. */
const ThreadStateSchema = z.object({
  schemaVersion: z.number().int().default(SCHEMA_VERSION),
  turn: z.number().int().default(0),
  registry: RegistrySchema.default({
    entries: [],
    counters: [],
    listed: [],
    choices: [],
    journalSeen: null,
  }),
  turnExecutionSummaries: z.array(TurnExecutionSummarySchema).default([]),
  ledger: z.array(LedgerLineSchema).default([]),
  history: HistorySchema.default(EMPTY_HISTORY),
  constraints: z.array(ConstraintSchema).default([]),
  pending: PendingSchema.nullable().default(null),
  concierge: ConciergePhaseStateSchema.default(INITIAL_PHASE_STATE),
  journeyPlan: JourneyPlanSchema.nullable().default(null),
  opening: OpeningSchema.nullable().default(null),
  conciergeThread: ConciergeThreadSchema.default(NO_CONCIERGE_THREAD),
  expertThreads: z.array(ExpertThreadSchema).default([]),
  unansweredMessages: z.array(z.string()).default([]),
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
  const reading = readStateVersion(values);
  switch (reading.kind) {
    case "current":
      return ThreadStateSchema.parse(values);
    case "migrated":
      // The next turn reads the same state and stores it.
      return ThreadStateSchema.parse({ ...values, ...reading.update });
    case "unreadable":
      throw new StateVersionError(threadId, { stored: reading.version, current: SCHEMA_VERSION });
    default:
      return reading satisfies never;
  }
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
