import type { WaitingMessage } from "../state/conversation-store.ts";
import type { RunRecord } from "../state/run.ts";
import type { Queryable } from "../state/store.ts";
import { notify } from "../storage/postgres/notifications.ts";
import { finishMessage } from "../storage/conversations/inbox.ts";
import { mayRollBack, rollBackTurn, type UndoneTurn } from "../storage/runs/roll-back-turn.ts";
import { deleteRun, findRun } from "../storage/runs/runs.ts";

/** A run that was told to stop, and the turn that was begun for its message, if any. */
export interface StoppedRun {
  readonly run: RunRecord;
  readonly message: WaitingMessage;
  readonly turn: number | null;
}

/** Tests for a run that its client rolls back and that can be: nothing was written yet. */
export async function isToBeRolledBack(tx: Queryable, stopped: StoppedRun): Promise<boolean> {
  const found = await findRun(tx, stopped.run.runId);
  return found?.cancel === "rollback" && mayRollBack(tx, undoneBy(stopped));
}

/** Takes the run back: its turn, itself, and its message from the queue. Under the thread's lease. */
export async function rollBackRun(tx: Queryable, stopped: StoppedRun): Promise<void> {
  await rollBackTurn(tx, undoneBy(stopped));
  await removeRun(tx, { ...stopped, turn: null });
}

/**
 * Removes a run that is not to have been. Its message leaves the queue with it: else who finds it
 * there would run it anew. `turn` is the one that stays of it, with what it wrote.
 */
export async function removeRun(tx: Queryable, { run, message, turn }: StoppedRun): Promise<void> {
  const { threadId, messageId } = message;
  await finishMessage(tx, { threadId, messageId, outcome: "stopped", turn });
  await deleteRun(tx, run.runId);
  await notify(tx, "run", run.runId);
}

function undoneBy({ run, turn }: StoppedRun): UndoneTurn {
  return { threadId: run.threadId, turn, baseCheckpointId: run.baseCheckpointId };
}
