import { setTimeout as delay } from "node:timers/promises";
import { listUnfinishedRuns } from "../../storage/runs/runs.ts";
import { readingAs } from "../../storage/users/user-data.ts";
import type { Caller, ServerParts } from "../parts.ts";

/** Time that a thread may be held without an active run, and the interval of checking, in milliseconds. */
const HELD_MS = 5_000;
const LOOK_MS = 50;

/**
 * Tries something that is `busy` while the thread is held. A run's end is sent a moment before its
 * worker releases the thread: an attempt in between is repeated for a while.
 */
export async function whenReleased<T extends string>(
  parts: Pick<ServerParts, "pool">,
  { caller, threadId }: { readonly caller: Pick<Caller, "userId">; readonly threadId: string },
  attempt: () => Promise<T>,
): Promise<T> {
  const deadline = performance.now() + HELD_MS;
  for (;;) {
    const outcome = await attempt();
    if (outcome !== "busy" || performance.now() > deadline) return outcome;
    if (await isAtWork(parts, { caller, threadId })) return outcome;
    await delay(LOOK_MS);
  }
}

/** Tests for a run of the thread that has not ended. */
export async function isAtWork(
  parts: Pick<ServerParts, "pool">,
  { caller, threadId }: { readonly caller: Pick<Caller, "userId">; readonly threadId: string },
): Promise<boolean> {
  const runs = await listUnfinishedRuns(readingAs(parts.pool, caller.userId), threadId);
  return runs.length > 0;
}
