import type { Pool } from "pg";
import type { ConversationStore, UnderLease, UserMessage } from "../../state/conversation-store.ts";
import type { Queryable } from "../../state/store.ts";
import type { PostgresCheckpointer } from "../checkpoints/checkpointer.ts";
import { saveTurnView } from "./archive-rows.ts";
import { cleanUp, removeOldJournal } from "./clean-up.ts";
import { asDatabaseError } from "../postgres/database-error.ts";
import {
  countAttempt,
  countWaiting,
  enqueueMessage,
  uncountAttempt,
  recordFailedAttempt,
  finishMessage,
  nextMessage,
} from "./inbox.ts";
import { holdLease } from "./leases.ts";
import { findAnswer } from "./message-answer.ts";
import { claimThread } from "./threads.ts";
import { preparing } from "../postgres/prepared.ts";
import { asUser, readingAs } from "../users/user-data.ts";
import { DEFAULT_LIMITS } from "../../state/limits.ts";

/** Rows per clean-up. Not a setting: more than the turns between two clean-ups leave, so that none accumulate. */
const CLEANED_AT_ONCE = 1_000;

export interface ConversationStoreOptions {
  /** Connection that renews leases, so that they are kept while the pool is exhausted. Default: the pool. */
  readonly heartbeats?: Queryable;
  /** Connections of the administrator, who removes old rows of the journal. Default: they stay. */
  readonly admin?: Pool;
  /** Milliseconds a lease lasts without renewal, which is how long a thread waits for a process that died. Default: the limit `leaseSeconds`. */
  readonly leaseMs?: number;
}

/** Creates the driver's store of threads, inbox and leases in Postgres. @throws DatabaseUnavailableError, from every method. */
export function createConversationStore(
  pool: Pool,
  checkpointer: PostgresCheckpointer,
  options: ConversationStoreOptions = {},
): ConversationStore {
  const {
    heartbeats = pool,
    admin,
    leaseMs: ttlMs = DEFAULT_LIMITS.leaseSeconds * 1_000,
  } = options;
  /** Sends one statement under the message's lease. */
  const under = <T>(
    message: UserMessage & UnderLease,
    send: (tx: Queryable) => Promise<T>,
  ): Promise<T> =>
    asUser(pool, { userId: message.userId, fence: message }, (tx) => tx.last(() => send(tx)));
  return {
    enqueue: ({ userId, title, ...message }) =>
      asUser(pool, { userId, entry: { keyId: null } }, async (tx) => {
        const claim = await claimThread(tx, { threadId: message.threadId, title });
        if (claim === "foreign") return "foreign";
        const { repeated } = await enqueueMessage(tx, message);
        return repeated ? "repeated" : "queued";
      }),
    nextMessage: ({ userId, threadId }) => nextMessage(readingAs(pool, userId), threadId),
    countWaiting: ({ userId, threadId }) => countWaiting(readingAs(pool, userId), threadId),
    countAttempt: (message) => under(message, (tx) => countAttempt(tx, message)),
    recordFailedAttempt: (message) => under(message, (tx) => recordFailedAttempt(tx, message)),
    uncountAttempt: (message) => under(message, (tx) => uncountAttempt(tx, message)),
    finishMessage: ({ view, ...message }) =>
      under(message, async (tx) => {
        const { threadId } = message;
        await Promise.all([
          finishMessage(tx, message),
          ...(view === undefined ? [] : [saveTurnView(tx, { threadId, ...view })]),
        ]);
      }),
    findAnswer: (message) =>
      asUser(pool, { userId: message.userId, readOnly: true }, (tx) => findAnswer(tx, message)),
    holdLease: (request, work) =>
      withDatabaseError(holdLease(preparing(pool), { ...request, ttlMs, heartbeats }, work)),
    cleanUp: async (userId, { repetitionDays, journalDays }) => {
      const batch = CLEANED_AT_ONCE;
      await asUser(pool, { userId }, (tx) => cleanUp(tx, { days: repetitionDays, batch }));
      if (admin === undefined) return;
      await asUser(admin, { userId }, (tx) => removeOldJournal(tx, { days: journalDays, batch }));
    },
    prune: async ({ threadId, turns, lease }) => {
      await checkpointer.pruneTurns(threadId, turns, lease);
    },
  };
}

async function withDatabaseError<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw asDatabaseError(error);
  }
}
