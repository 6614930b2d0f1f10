import type { WaitingMessage } from "../state/conversation-store.ts";
import { TurnEventSchema, type TurnEvent } from "../state/event.ts";
import { isEnded, type RunRecord } from "../state/run.ts";
import type { Queryable } from "../state/store.ts";
import { isDone, lockRunOfWaiting, readSentEvents } from "../storage/runs/message-runs.ts";
import { insertRun, startRun, type NewRun } from "../storage/runs/runs.ts";

/** A run that this process executes. */
export interface ClaimedRun {
  readonly run: RunRecord;
  /** Events it sent before. */
  readonly sentEvents: readonly TurnEvent[];
  /** Number of the last event it sent, in any mode. */
  readonly lastSeq: number;
}

/**
 * Finds the run of a waiting message and marks it as running, in a transaction that locks the run. A
 * failed run is never resumed: a new run retries its message. A message from the terminal gets its
 * first run. Null if the message ended with its run, or was rolled back with it meanwhile.
 */
export async function claimRun(
  tx: Queryable,
  message: WaitingMessage,
  newId: () => string,
): Promise<ClaimedRun | null> {
  const newest = await lockRunOfWaiting(tx, message);
  if (newest === null && (await isDone(tx, message))) return null;
  if (newest !== null && isEnded(newest.status) && !isTriedAgain(newest)) return null;
  const run =
    newest === null || isEnded(newest.status)
      ? await insertRun(tx, followingRun(newest, { runId: newId(), ...message }))
      : newest;
  // Under the lease no other process can have ended the run.
  const started = await startRun(tx, run.runId);
  if (started === null) throw new Error(`Cannot start run "${run.runId}": it has ended`);
  const sent = run.startedAt === null ? { turn: [], last: 0 } : await readSentEvents(tx, run.runId);
  return {
    run: started,
    sentEvents: TurnEventSchema.array().parse(sent.turn),
    lastSeq: sent.last,
  };
}

/** Error code of a run whose message was given up: it is not retried. */
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
