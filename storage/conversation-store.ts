import type { Pool } from "pg";
import type { ConversationStore } from "../graph/conversation-store.ts";
import type { PostgresCheckpointer } from "./checkpointer.ts";
import { asDatabaseError } from "./database-error.ts";
import { countAttempt, countWaiting, enqueueMessage, finishMessage, nextMessage } from "./inbox.ts";
import { holdLease } from "./leases.ts";
import { claimThread } from "./threads.ts";
import { asUser } from "./user-data.ts";

/** How long a lease lasts without renewal, in milliseconds. */
const LEASE_MS = 15_000;

/** Keeps threads, inbox and leases in Postgres, for the driver. @throws DatabaseUnavailableError when it is gone. */
export function createConversationStore(
  pool: Pool,
  checkpointer: PostgresCheckpointer,
): ConversationStore {
  return {
    enqueue: ({ userId, title, ...message }) =>
      asUser(pool, { userId }, async (tx) => {
        const claim = await claimThread(tx, { threadId: message.threadId, title });
        if (claim === "foreign") return "foreign";
        const { repeated } = await enqueueMessage(tx, message);
        return repeated ? "repeated" : "queued";
      }),
    nextMessage: ({ userId, threadId }) =>
      asUser(pool, { userId }, (tx) => nextMessage(tx, threadId)),
    countWaiting: ({ userId, threadId }) =>
      asUser(pool, { userId }, (tx) => countWaiting(tx, threadId)),
    countAttempt: (message) =>
      asUser(pool, { userId: message.userId, fence: message }, (tx) => countAttempt(tx, message)),
    finishMessage: (message) =>
      asUser(pool, { userId: message.userId, fence: message }, (tx) => finishMessage(tx, message)),
    holdLease: (request, work) => explained(holdLease(pool, { ...request, ttlMs: LEASE_MS }, work)),
    prune: async ({ userId, threadId, lease, turns }) => {
      await asUser(pool, { userId, fence: { threadId, lease } }, async () => undefined);
      await checkpointer.pruneTurns(threadId, turns);
    },
  };
}

async function explained<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw asDatabaseError(error);
  }
}
