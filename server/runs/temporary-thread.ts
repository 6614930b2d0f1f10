import { deleteThread } from "../../storage/delete-thread.ts";
import type { RunRecord } from "../../state/run.ts";
import { asUser } from "../../storage/user-data.ts";
import type { RouteParts } from "../parts.ts";
import { whenReleased } from "../threads/when-released.ts";
import { awaitRun } from "./stream-run.ts";

/** How long a client that was cut off may come back to what the thread's run has told, in milliseconds. */
const GRACE_MS = 60_000;

/** Deletes the thread that was made for a run alone, some time after the run's end. What fails is noted, and the thread stays. */
export function deleteThreadAfter(
  parts: Pick<RouteParts, "feed" | "pool" | "log">,
  run: Pick<RunRecord, "runId" | "threadId" | "userId">,
  graceMs: number = GRACE_MS,
): void {
  const { userId, threadId } = run;
  const remove = async (): Promise<void> => {
    await whenReleased(parts, { caller: { userId }, threadId }, () =>
      asUser(parts.pool, { userId }, (tx) => deleteThread(tx, threadId)),
    );
  };
  const note = (error: unknown): void =>
    parts.log.error(error, "A thread that was made for one run could not be deleted");
  awaitRun(parts, run, new AbortController().signal)
    .then(() => setTimeout(() => void remove().catch(note), graceMs).unref())
    .catch(note);
}
