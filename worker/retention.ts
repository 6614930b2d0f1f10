import type { Pool } from "pg";
import {
  removeOldRows,
  type RemovedRows,
  type Retention,
} from "../storage/conversations/remove-old-rows.ts";

export interface RetentionParts {
  readonly database: { readonly pool: Pool; readonly admin: Pool };
  readonly retention: Omit<Retention, "signal">;
  /** Receives the number of removed rows, if this process removed them. */
  readonly onRemoved: (removed: RemovedRows) => void;
  readonly onFailure: (error: unknown) => void;
  /** Interval between removals, in milliseconds. Default: a day. */
  readonly everyMs?: number;
  /** Pause after a failed removal, in milliseconds. Default: ten minutes. */
  readonly againMs?: number;
}

// Not settings: rows are kept for hours and days, so the exact time of their removal does not matter.
const DAY_MS = 86_400_000;
const AGAIN_MS = 600_000;

/**
 * Removes old rows now and then every day; one of several processes does it at a time. Returns a
 * function that stops it after the current batch.
 */
export function startRetention(parts: RetentionParts): () => Promise<void> {
  const { database, retention, everyMs = DAY_MS, againMs = AGAIN_MS } = parts;
  const stopped = new AbortController();
  const { signal } = stopped;
  let timer: NodeJS.Timeout | null = null;
  let underWay = Promise.resolve();

  const remove = async (): Promise<void> => {
    let pause = everyMs;
    try {
      const removed = await removeOldRows(database, { ...retention, signal });
      if (removed !== null) parts.onRemoved(removed);
    } catch (error) {
      pause = againMs;
      parts.onFailure(error);
    }
    if (!signal.aborted) timer = setTimeout(begin, pause);
  };
  const begin = (): void => {
    underWay = remove();
  };
  begin();

  return async () => {
    stopped.abort();
    if (timer !== null) clearTimeout(timer);
    await underWay;
  };
}
