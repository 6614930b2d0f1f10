import { isEnded, type CancelAction, type RunRecord } from "../../state/run.ts";
import type { Queryable } from "../../state/store.ts";
import { ringBell } from "../../storage/postgres/bell.ts";
import { finishMessage } from "../../storage/conversations/inbox.ts";
import { isTakenUp } from "../../storage/runs/message-runs.ts";
import { deleteRun, finishRun, lockRun, requestCancel } from "../../storage/runs/runs.ts";
import { asUser } from "../../storage/users/user-data.ts";
import type { Caller, ServerParts } from "../parts.ts";

/** What is to become of which run. */
export interface CancelRequest {
  readonly runId: string;
  readonly action: CancelAction;
}

/**
 * Cancels a run: one that waits ends at once, one that runs is told to. One that a terminal works on
 * is not heard there and ends as it does. One that has ended, or is not there, stays as it is.
 *
 * @throws DatabaseUnavailableError.
 */
export async function cancelRun(
  parts: Pick<ServerParts, "pool">,
  caller: Pick<Caller, "userId">,
  request: CancelRequest,
): Promise<void> {
  await asUser(parts.pool, { userId: caller.userId }, (tx) => cancelInThread(tx, request));
}

/** The same in a transaction of the run's user. */
export async function cancelInThread(tx: Queryable, request: CancelRequest): Promise<void> {
  const run = await lockRun(tx, request.runId);
  if (run === null || isEnded(run.status)) return;
  if (run.status === "pending" && !(await isTakenUp(tx, run))) {
    return endWaiting(tx, run, request.action);
  }
  await requestCancel(tx, request);
  await ringBell(tx, "cancel", run.runId);
}

/** Nothing has been done for it yet. */
async function endWaiting(tx: Queryable, run: RunRecord, action: CancelAction): Promise<void> {
  const { runId, threadId, messageId } = run;
  await finishMessage(tx, { threadId, messageId, outcome: "stopped", turn: null });
  await requestCancel(tx, { runId, action });
  if (action === "rollback") await deleteRun(tx, runId);
  else await finishRun(tx, { runId, status: "interrupted" });
  await ringBell(tx, "run", runId);
}
