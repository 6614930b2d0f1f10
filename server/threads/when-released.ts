import { setTimeout as delay } from "node:timers/promises";
import { listUnfinishedRuns } from "../../storage/runs/runs.ts";
import { readingAs } from "../../storage/users/user-data.ts";
import type { Caller, ServerParts } from "../parts.ts";

/** Longest time between the event of a run's end and the release of its thread, in milliseconds. Not a setting: a worker releases within moments. */
export const RELEASE_MS = 5_000;
/** Interval of checking for the release, in milliseconds. */
const POLL_MS = 50;

/** A thread, and the caller who acts on it. */
interface CallerThread {
  readonly caller: Pick<Caller, "userId">;
  readonly threadId: string;
}

/**
 * Repeats an attempt that is `busy` while a worker still holds the thread: a run's end is sent a
 * moment before the worker releases it.
 */
export async function whenReleased<T extends string>(
  parts: Pick<ServerParts, "pool">,
  thread: CallerThread,
  attempt: () => Promise<T>,
): Promise<T> {
  const deadline = performance.now() + RELEASE_MS;
  for (;;) {
    const outcome = await attempt();
    if (outcome !== "busy" || performance.now() > deadline) return outcome;
    if (await isAtWork(parts, thread)) return outcome;
    await delay(POLL_MS);
  }
}

/** Tests for a run of the thread that has not ended. */
export async function isAtWork(
  parts: Pick<ServerParts, "pool">,
  { caller, threadId }: CallerThread,
): Promise<boolean> {
  const runs = await listUnfinishedRuns(readingAs(parts.pool, caller.userId), threadId);
  return runs.length > 0;
}
