import type { Pool } from "pg";
import {
  removeOldRows,
  type RemovedRows,
  type Retention,
} from "../storage/conversations/remove-old-rows.ts";

export interface RetentionParts {
  readonly pool: Pool;
  readonly retention: Omit<Retention, "signal">;
  /** Gets what went, where it was this process that removed it. */
  readonly onRemoved: (removed: RemovedRows) => void;
  readonly onFailure: (error: unknown) => void;
  /** Between two times, in milliseconds. Default: a day. */
  readonly everyMs?: number;
  /** After a time that failed, in milliseconds. Default: ten minutes. */
  readonly againMs?: number;
}

const DAY_MS = 86_400_000;
const AGAIN_MS = 600_000;

/**
 * Removes what is too old, now and every day; of several processes one does it at a time. Returns
 * how to stop, which lets the batch that is under way end.
 */
export function startRetention(parts: RetentionParts): () => Promise<void> {
  const { pool, retention, everyMs = DAY_MS, againMs = AGAIN_MS } = parts;
  const stopped = new AbortController();
  const { signal } = stopped;
  let timer: NodeJS.Timeout | null = null;
  let underWay = Promise.resolve();

  const remove = async (): Promise<void> => {
    let pause = everyMs;
    try {
      const removed = await removeOldRows(pool, { ...retention, signal });
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
