import pRetry from "p-retry";
import { asDatabaseError, DatabaseUnavailableError } from "./database-error.ts";

const PAUSE_MS = 250;

/**
 * Gives back what others wait for: where the database is away, again every quarter of a second,
 * for at most `forMs`, and while `mayWait`. What is given back more than once has to be the same.
 *
 * @throws what giving it back failed with last.
 */
export async function giveBack(
  give: () => Promise<void>,
  { forMs, mayWait = () => true }: { readonly forMs: number; readonly mayWait?: () => boolean },
): Promise<void> {
  await pRetry(give, {
    retries: Number.POSITIVE_INFINITY,
    factor: 1,
    minTimeout: PAUSE_MS,
    maxRetryTime: forMs,
    // A process that has nothing else to do ends.
    unref: true,
    shouldRetry: ({ error }) =>
      mayWait() && asDatabaseError(error) instanceof DatabaseUnavailableError,
  });
}
