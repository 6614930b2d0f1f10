import type { ConversationStore } from "../state/conversation-store.ts";

/** Removes what is left over of a user's older turns. */
export interface Cleaning {
  /** Cleans up at most once an hour; call it after a turn. A failure does not affect the turn. */
  afterTurn(userId: string): Promise<void>;
}

export interface CleaningParts {
  readonly store: Pick<ConversationStore, "cleanUp">;
  /** Days to keep rows that only serve to recognise repeated requests. */
  readonly days: number;
  readonly now: () => Date;
  readonly onFailure?: (error: unknown) => void;
}

const EVERY_MS = 3_600_000;
/** Those of whom no turn was worked on here for longest are forgotten: the next one cleans up. */
const MOST_REMEMBERED = 10_000;

/** Makes one for all threads of a process. */
export function createCleaning({ store, days, now, onFailure }: CleaningParts): Cleaning {
  const cleanedAt = new Map<string, number>();
  return {
    async afterTurn(userId) {
      const time = now().getTime();
      const last = cleanedAt.get(userId);
      if (last !== undefined && time - last < EVERY_MS) return;
      cleanedAt.delete(userId);
      cleanedAt.set(userId, time);
      const [oldest] = cleanedAt.keys();
      if (cleanedAt.size > MOST_REMEMBERED && oldest !== undefined) cleanedAt.delete(oldest);
      try {
        await store.cleanUp({ userId, days });
      } catch (error) {
        onFailure?.(error);
      }
    },
  };
}
