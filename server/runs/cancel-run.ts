import { isEnded, type CancelAction, type RunRecord } from "../../state/run.ts";
import type { Queryable } from "../../state/store.ts";
import { notify } from "../../storage/postgres/notifications.ts";
import { finishMessage } from "../../storage/conversations/inbox.ts";
import { isTakenUp } from "../../storage/runs/message-runs.ts";
import {
  deleteRun,
  finishRun,
  lockRun,
  requestCancel,
  type CancelRequest,
} from "../../storage/runs/runs.ts";
import { asUser } from "../../storage/users/user-data.ts";
import type { Caller, ServerParts } from "../parts.ts";

/**
 * Cancels a run: a waiting one ends at once, the process of a running one is notified. A terminal that
 * works on the run does not receive that, so the run ends as usual. A run that has ended or does not
 * exist is left as it is.
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

/** Cancels a run in a transaction of the run's user. */
export async function cancelInThread(tx: Queryable, request: CancelRequest): Promise<void> {
  const run = await lockRun(tx, request.runId);
  if (run === null || isEnded(run.status)) return;
  if (run.status === "pending" && !(await isTakenUp(tx, run))) {
    return endWaiting(tx, run, request.action);
  }
  await requestCancel(tx, request);
  await notify(tx, "cancel", run.runId);
}

/** Ends a run for which nothing was done yet. */
async function endWaiting(tx: Queryable, run: RunRecord, action: CancelAction): Promise<void> {
  const { runId, threadId, messageId } = run;
  await finishMessage(tx, { threadId, messageId, outcome: "stopped", turn: null });
  await requestCancel(tx, { runId, action });
  if (action === "rollback") await deleteRun(tx, runId);
  else await finishRun(tx, { runId, status: "interrupted" });
  await notify(tx, "run", runId);
}
