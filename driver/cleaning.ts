import type { ConversationStore } from "../state/conversation-store.ts";
import type { Limits } from "../state/limits.ts";

/** Removes rows that older turns of a user no longer need. */
export interface Cleaning {
  /** Cleans up, at most once per `cleanUpMinutes`; call it after a turn. A failure does not affect the turn. */
  afterTurn(userId: string): Promise<void>;
}

export interface CleaningParts {
  readonly store: Pick<ConversationStore, "cleanUp">;
  readonly limits: Pick<Limits, "cleanUpMinutes" | "repetitionDays" | "journalDays">;
  readonly now: () => Date;
  readonly onFailure?: (error: unknown) => void;
}

/** Not a setting: beyond it the user whose turn is longest ago is forgotten, and cleaned up early. */
const MOST_REMEMBERED = 10_000;

/** Creates the clean-up for all threads of a process. */
export function createCleaning({ store, limits, now, onFailure }: CleaningParts): Cleaning {
  const pauseMs = limits.cleanUpMinutes * 60_000;
  const cleanedAt = new Map<string, number>();
  return {
    async afterTurn(userId) {
      const time = now().getTime();
      const last = cleanedAt.get(userId);
      if (last !== undefined && time - last < pauseMs) return;
      cleanedAt.delete(userId);
      cleanedAt.set(userId, time);
      const [oldest] = cleanedAt.keys();
      if (cleanedAt.size > MOST_REMEMBERED && oldest !== undefined) cleanedAt.delete(oldest);
      try {
        await store.cleanUp(userId, limits);
      } catch (error) {
        onFailure?.(error);
      }
    },
  };
}
