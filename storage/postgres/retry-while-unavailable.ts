import pRetry from "p-retry";
import { asDatabaseError, DatabaseUnavailableError } from "./database-error.ts";

/** Not a setting: the caller bounds the time. */
const PAUSE_MS = 250;

/**
 * Runs `send`, and while the database is unavailable repeats it every quarter of a second, for at
 * most `forMs` and only while `mayWait()`. `send` must be idempotent.
 *
 * @throws the last error of `send`.
 */
export async function retryWhileUnavailable(
  send: () => Promise<void>,
  { forMs, mayWait = () => true }: { readonly forMs: number; readonly mayWait?: () => boolean },
): Promise<void> {
  await pRetry(send, {
    retries: Number.POSITIVE_INFINITY,
    factor: 1,
    minTimeout: PAUSE_MS,
    maxRetryTime: forMs,
    // The retries do not keep the process alive.
    unref: true,
    shouldRetry: ({ error }) =>
      mayWait() && asDatabaseError(error) instanceof DatabaseUnavailableError,
  });
}
