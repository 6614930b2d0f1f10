import pRetry from "p-retry";
import { errorCode } from "./error-code.ts";

/** SQLSTATEs of a transaction that the server ended because another one stood in its way: nothing of it was stored. */
const CONFLICTS: ReadonlySet<string> = new Set(["40P01", "40001"]);

// Not settings: the other transaction goes on at once, so the next attempt nearly always succeeds.
const RETRIES = 3;
const PAUSE_MS = 20;

/**
 * Runs a transaction again that the server has ended because of a deadlock or a serialization
 * failure, at most three times.
 *
 * @throws the last error of `transact`; at once any other error.
 */
export async function retryConflicts<T>(transact: () => Promise<T>): Promise<T> {
  return pRetry(transact, {
    retries: RETRIES,
    minTimeout: PAUSE_MS,
    randomize: true,
    shouldRetry: ({ error }) => CONFLICTS.has(errorCode(error)),
  });
}
