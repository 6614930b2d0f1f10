import { isEnded, type CancelAction, type RunRecord } from "../../state/run.ts";
import type { Queryable } from "../../state/store.ts";
import { notify } from "../../storage/postgres/notifications.ts";
import { finishMessage } from "../../storage/conversations/inbox.ts";
import { isTakenUp } from "../../storage/runs/message-runs.ts";
import { deleteRun, finishRun, lockRun, requestCancel } from "../../storage/runs/runs.ts";
import { asUser } from "../../storage/users/user-data.ts";
import type { Caller, ServerParts } from "../parts.ts";

/** A run to cancel, and the way to cancel it. */
export interface CancelRequest {
  readonly runId: string;
  readonly action: CancelAction;
}

/**
 * Cancels a run: one that waits ends at once, one that runs is notified. A terminal that works on a
 * run does not receive that, and the run ends as it does. One that has ended, or is not there, stays as it is.
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
  await notify(tx, "cancel", run.runId);
}

/** Nothing has been done for it yet. */
async function endWaiting(tx: Queryable, run: RunRecord, action: CancelAction): Promise<void> {
  const { runId, threadId, messageId } = run;
  await finishMessage(tx, { threadId, messageId, outcome: "stopped", turn: null });
  await requestCancel(tx, { runId, action });
  if (action === "rollback") await deleteRun(tx, runId);
  else await finishRun(tx, { runId, status: "interrupted" });
  await notify(tx, "run", runId);
}
