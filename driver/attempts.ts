import type { ConversationStore, UnderLease, UserMessage } from "../state/conversation-store.ts";

/**
 * Counts failed attempts at a message's turn. An attempt that the database interrupted does not
 * count, nor one whose process died after the turn had got further.
 */
export interface Attempts {
  /**
   * Notes another attempt, at the checkpoint `from`, and returns how many count by now. Noted before
   * the turn, so that a process that dies of it counts. Null where the message was taken out of the
   * queue meanwhile.
   */
  count(attempt: UserMessage & UnderLease & { readonly from: string }): Promise<number | null>;
  /** Removes the last attempt from the count: at once if storage is reachable, else with the next one. */
  uncount(message: UserMessage & UnderLease): Promise<void>;
}

/** Not a setting: more messages than wait for a database at once. Messages that another process finishes stay until they are evicted. */
const MOST_REMEMBERED = 1_000;

/** Makes the count over a store; one for all threads of a process. */
export function createAttempts(
  store: Pick<ConversationStore, "countAttempt" | "uncountAttempt">,
): Attempts {
  const uncounted = new Map<string, number>();
  return {
    async count(attempt) {
      const key = messageKey(attempt);
      const attempts = await store.countAttempt({ ...attempt, uncounted: uncounted.get(key) ?? 0 });
      uncounted.delete(key);
      return attempts;
    },
    async uncount(message) {
      try {
        await store.uncountAttempt(message);
      } catch {
        // The database is still away, or the thread is another's by now.
        const key = messageKey(message);
        const before = uncounted.get(key) ?? 0;
        uncounted.delete(key);
        uncounted.set(key, before + 1);
        const [oldest] = uncounted.keys();
        if (uncounted.size > MOST_REMEMBERED && oldest !== undefined) uncounted.delete(oldest);
      }
    },
  };
}

function messageKey({ threadId, messageId }: UserMessage): string {
  return JSON.stringify([threadId, messageId]);
}
