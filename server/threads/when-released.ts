import { setTimeout as delay } from "node:timers/promises";
import { listUnfinishedRuns } from "../../storage/runs/runs.ts";
import { readingAs } from "../../storage/users/user-data.ts";
import type { Caller, ServerParts } from "../parts.ts";

/** How long a thread without a run under way may be held, and how often that is looked at, in milliseconds. */
const HELD_MS = 5_000;
const LOOK_MS = 50;

/**
 * Tries something that is `busy` while the thread is held. A run's end is told a moment before its
 * worker lets go of the thread: what comes in between is tried again for a while.
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

/** Whether a run of the thread has not ended. */
export async function isAtWork(
  parts: Pick<ServerParts, "pool">,
  { caller, threadId }: { readonly caller: Pick<Caller, "userId">; readonly threadId: string },
): Promise<boolean> {
  const runs = await listUnfinishedRuns(readingAs(parts.pool, caller.userId), threadId);
  return runs.length > 0;
}
