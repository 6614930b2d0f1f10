import type { WaitingMessage } from "../state/conversation-store.ts";
import { TurnEventSchema, type TurnEvent } from "../driver/events.ts";
import { isEnded, type RunRecord } from "../state/run.ts";
import type { Queryable } from "../state/store.ts";
import { isDone, lockRunOfWaiting, readSentEvents } from "../storage/runs/message-runs.ts";
import { insertRun, startRun, type NewRun } from "../storage/runs/runs.ts";

/** A run that is to be worked on. */
export interface ClaimedRun {
  readonly run: RunRecord;
  /** The events it sent before. */
  readonly sentEvents: readonly TurnEvent[];
  /** The number of the last event it sent, in any mode. */
  readonly lastSeq: number;
}

/**
 * Finds the run of a waiting message and notes that it is worked on, in a transaction that holds
 * the run until its end. A run that failed is never gone on with: a new one tries again. A message
 * of the terminal's gets its first. Null where the run's end was the message's, too, and where the
 * run was taken back with its message meanwhile.
 */
export async function claimRun(
  tx: Queryable,
  { message, newId }: { readonly message: WaitingMessage; readonly newId: () => string },
): Promise<ClaimedRun | null> {
  const newest = await lockRunOfWaiting(tx, message);
  if (newest === null && (await isDone(tx, message))) return null;
  if (newest !== null && isEnded(newest.status) && !isTriedAgain(newest)) return null;
  const run =
    newest === null || isEnded(newest.status)
      ? await insertRun(tx, followingRun(newest, { runId: newId(), ...message }))
      : newest;
  // Under the lease nobody else moves the thread on.
  const started = await startRun(tx, run.runId);
  if (started === null) throw new Error(`Cannot start run "${run.runId}": it has ended`);
  const told = run.startedAt === null ? { turn: [], last: 0 } : await readSentEvents(tx, run.runId);
  return {
    run: started,
    sentEvents: TurnEventSchema.array().parse(told.turn),
    lastSeq: told.last,
  };
}

/** The code of a run whose message was given up: it is not tried again. */
export const GIVEN_UP = "given-up";

function isTriedAgain({ status, error }: RunRecord): boolean {
  return status === "error" && error?.code !== GIVEN_UP;
}

function followingRun(
  before: RunRecord | null,
  { runId, threadId, messageId }: Pick<NewRun, "runId" | "threadId" | "messageId">,
): NewRun {
  const own = { runId, threadId, messageId };
  if (before === null) {
    return {
      ...own,
      multitaskStrategy: "enqueue",
      streamModes: [],
      trace: false,
      metadata: {},
      kwargs: {},
    };
  }
  const { multitaskStrategy, streamModes, trace, kwargs } = before;
  const metadata = { ...before.metadata, retryOf: before.runId };
  return { ...own, multitaskStrategy, streamModes, trace, metadata, kwargs };
}
