import type { BegunTurn } from "../driver/run-source.ts";
import type { UserThread, WaitingMessage } from "../state/conversation-store.ts";
import type { RunRecord } from "../state/run.ts";
import type { LeaseClaim, Queryable } from "../state/store.ts";
import { notify } from "../storage/postgres/notifications.ts";
import { finishMessage } from "../storage/conversations/inbox.ts";
import {
  listEffectsInForce,
  mayRollBack,
  rollBackTurn,
  type UndoneTurn,
} from "../storage/runs/roll-back-turn.ts";
import { deleteRun, findRun } from "../storage/runs/runs.ts";

/** A run that is to stop, and the turn that was begun for its message, if any. */
export interface StoppedRun {
  readonly run: RunRecord;
  readonly message: WaitingMessage;
  readonly begun: BegunTurn | null;
}

/** Effects of a run that is rolled back: they are undone first. */
export interface EffectsOfRun extends UserThread {
  readonly lease: LeaseClaim;
  readonly runId: string;
  readonly effectIds: readonly number[];
}

/** Undoes effects, all or none; false where one of them cannot be undone. */
export type UndoEffectsOfRun = (effects: EffectsOfRun) => Promise<boolean>;

/** Returns the effects to undo if the client requested a rollback and the state before the turn exists; else null. */
export async function findEffectsToUndo(
  tx: Queryable,
  stopped: StoppedRun,
): Promise<readonly number[] | null> {
  const found = await findRun(tx, stopped.run.runId);
  const isWanted = found?.cancel === "rollback" && (await mayRollBack(tx, undoneBy(stopped)));
  return isWanted ? listEffectsInForce(tx, undoneBy(stopped)) : null;
}

/** Rolls the run back: removes its turn, the run and its message. To be called under the thread's lease. */
export async function rollBackRun(tx: Queryable, stopped: StoppedRun): Promise<void> {
  await rollBackTurn(tx, undoneBy(stopped));
  await removeRun(tx, { ...stopped, turn: null });
}

/** A run that is to be removed; `turn` is the turn of it that is kept, with its writes, or null. */
export interface RemovedRun extends Pick<StoppedRun, "run" | "message"> {
  readonly turn: number | null;
}

/**
 * Removes a run. Its message leaves the queue with it: otherwise another process would run the message
 * again.
 */
export async function removeRun(tx: Queryable, removed: RemovedRun): Promise<void> {
  const { run, message, turn } = removed;
  const { threadId, messageId } = message;
  await finishMessage(tx, { threadId, messageId, outcome: "stopped", turn });
  await deleteRun(tx, run.runId);
  await notify(tx, "run", run.runId);
}

function undoneBy({ run, begun }: StoppedRun): UndoneTurn {
  return { threadId: run.threadId, begun, baseCheckpointId: run.baseCheckpointId };
}
