import type { ConversationStore, UnderLease, UserMessage } from "../state/conversation-store.ts";

/**
 * Counts how often the turn of a message itself was tried. What the database did to it does not
 * count, nor a process's death after which the turn is further than before.
 */
export interface Attempts {
  /**
   * Notes another attempt, at the checkpoint `from`, and returns how many count by now. Noted before
   * the turn, so that a process that dies of it counts. Null where the message was taken out of the
   * queue meanwhile.
   */
  begin(attempt: UserMessage & UnderLease & { readonly from: string }): Promise<number | null>;
  /** Notes that the attempt that was begun last ended with the turn failing. */
  fail(message: UserMessage & UnderLease): Promise<void>;
  /** Takes the attempt that was begun last back: at once where storage can be told, else with the next one. */
  excuse(message: UserMessage & UnderLease): Promise<void>;
}

/** More messages than ever wait for a database at once. Those that another process finishes stay behind. */
const MOST_REMEMBERED = 1_000;

/** Makes the count over a store; one for all threads of a process. */
export function createAttempts(
  store: Pick<ConversationStore, "countAttempt" | "excuseAttempt" | "failAttempt">,
): Attempts {
  const excused = new Map<string, number>();
  return {
    async begin(attempt) {
      const key = keyOf(attempt);
      const attempts = await store.countAttempt({ ...attempt, excused: excused.get(key) ?? 0 });
      excused.delete(key);
      return attempts;
    },
    fail: (message) => store.failAttempt(message),
    async excuse(message) {
      try {
        await store.excuseAttempt(message);
      } catch {
        // The database is still away, or the thread is another's by now.
        const key = keyOf(message);
        const before = excused.get(key) ?? 0;
        excused.delete(key);
        excused.set(key, before + 1);
        const [oldest] = excused.keys();
        if (excused.size > MOST_REMEMBERED && oldest !== undefined) excused.delete(oldest);
      }
    },
  };
}

function keyOf({ threadId, messageId }: UserMessage): string {
  return JSON.stringify([threadId, messageId]);
}
