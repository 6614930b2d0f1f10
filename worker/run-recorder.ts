import type { Pool } from "pg";
import type { UserThread, WaitingMessage } from "../state/conversation-store.ts";
import type { TurnEvent } from "../driver/events.ts";
import type { RunEnd, RunObserver } from "../driver/run-observer.ts";
import type { RunError, RunEvent, RunRecord, RunStatus } from "../state/run.ts";
import type { LeaseClaim } from "../state/store.ts";
import { notify } from "../storage/postgres/notifications.ts";
import { finishMessage } from "../storage/conversations/inbox.ts";
import { recordRunEvents } from "../storage/runs/record-run-events.ts";
import { appendRunEvents } from "../storage/runs/run-events.ts";
import { findRun, finishRun, lockRun } from "../storage/runs/runs.ts";
import type { Transaction } from "../storage/postgres/transaction.ts";
import { asUser } from "../storage/users/user-data.ts";
import type { Cancels } from "./cancels.ts";
import { claimRun, GIVEN_UP, type ClaimedRun } from "./claim-run.ts";
import { createEventWriter, type EventWriter } from "./event-writer.ts";
import { isToBeRolledBack, removeRun, rollBackRun } from "./rollback.ts";

export interface RunRecorderOptions {
  readonly pool: Pool;
  readonly thread: UserThread;
  readonly cancels: Cancels;
  /** Mints ids of runs. */
  readonly newId: () => string;
  /** Time that a run may take in this process, in milliseconds. */
  readonly runMs: number;
  /** Gets what kept events from being stored for a while. */
  readonly onFailure: (error: unknown) => void;
}

/** Persists the runs of one thread and their events while the driver works on it. */
export interface RunRecorder extends Required<RunObserver> {
  /** Lets go of a run that was left without an end. */
  close(): Promise<void>;
}

/** The run that is worked on. */
interface OpenRun {
  readonly run: RunRecord;
  readonly message: WaitingMessage;
  readonly lease: LeaseClaim;
  readonly writer: EventWriter;
  readonly stop: AbortSignal;
  readonly isTimedOut: () => boolean;
  /** Ends what waits for a cancel or the time limit. */
  readonly forget: () => void;
  /** The number of the last event. */
  seq: number;
  /** The turn's last event: it is stored with the run's end, or not at all. */
  last: { readonly turn: number; readonly row: RunEvent } | null;
}

/** Time until a failed lookup of a cancel is repeated, in milliseconds. */
const LOOK_AGAIN_MS = 1_000;

/** Makes the recorder of a thread. */
export function createRunRecorder(options: RunRecorderOptions): RunRecorder {
  const { pool, thread } = options;
  let current: OpenRun | null = null;

  const write = <T>(lease: LeaseClaim, work: (tx: Transaction) => Promise<T>): Promise<T> =>
    asUser(pool, { userId: thread.userId, fence: { threadId: thread.threadId, lease } }, work);

  function find(runId: string): OpenRun {
    if (current?.run.runId === runId) return current;
    throw new Error(`Cannot record run "${runId}": it is not worked on here`);
  }

  /** Lets go of the run; what it told and is not known to be stored comes back. */
  async function leave(open: OpenRun): Promise<readonly RunEvent[]> {
    if (current === open) current = null;
    open.forget();
    return open.writer.close();
  }

  async function close(): Promise<void> {
    if (current !== null) await leave(current);
  }

  return {
    close,
    async begin(message, lease) {
      await close();
      const claimed = await write(lease, async (tx) => {
        const claimed = await claimRun(tx, { message, newId: options.newId });
        // Here, while the run is locked: who cancels it after this rings after this.
        if (claimed !== null) current = openRun(claimed, { ...options, message, lease });
        return claimed;
      });
      if (claimed === null) return null;
      const { run, sentEvents } = claimed;
      const { stop } = find(run.runId);
      const { runId, streamModes: modes, trace, createdAt, kwargs } = run;
      const traceparent = kwargs["traceparent"];
      const asked = typeof traceparent === "string" ? { traceparent } : {};
      return { runId, sentEvents, stop, modes, trace, createdAt, ...asked };
    },
    onEvent(event) {
      if (current?.run.runId !== event.run) return;
      const row = numbered(current, { mode: "custom", namespace: [], data: event });
      if (isLast(event)) current.last = { turn: event.turn, row };
      else current.writer.push(row);
    },
    onChunk({ runId, mode, namespace, data }) {
      if (current?.run.runId !== runId) return;
      current.writer.push(numbered(current, { mode, namespace: [...namespace], data }));
    },
    waitForRoom: async () => current?.writer.room(),
    async undo({ runId, turn }) {
      const open = find(runId);
      const stopped = { ...open, turn };
      const isUndone =
        !open.isTimedOut() && (await write(open.lease, (tx) => isToBeRolledBack(tx, stopped)));
      if (!isUndone) return false;
      await leave(open);
      await write(open.lease, (tx) => rollBackRun(tx, stopped));
      return true;
    },
    async end(end) {
      const open = find(end.runId);
      const rest = await leave(open);
      const events = open.last === null ? rest : [...rest, open.last.row];
      return write(open.lease, (tx) => endRun(tx, { open, end, events }));
    },
  };
}

function openRun(
  { run, lastSeq }: ClaimedRun,
  options: RunRecorderOptions & Pick<OpenRun, "message" | "lease">,
): OpenRun {
  const { pool, thread, cancels, runMs, onFailure, message, lease } = options;
  const { runId } = run;
  const stop = new AbortController();
  let timedOut = false;
  let isForgotten = false;
  const look = async (): Promise<void> => {
    const found = await asUser(pool, { userId: thread.userId }, (tx) => findRun(tx, runId));
    if (found === null || found.cancel !== null) stop.abort(new Error("The run was cancelled"));
  };
  let again: NodeJS.Timeout | undefined;
  // A notification comes once: a lookup that failed is repeated.
  const checkCancel = (): void => {
    clearTimeout(again);
    look().catch((error: unknown) => {
      onFailure(error);
      if (!isForgotten) again = setTimeout(checkCancel, LOOK_AGAIN_MS);
    });
  };
  const unwatch = cancels.watch(runId, checkCancel);
  const limit = setTimeout(() => {
    timedOut = !stop.signal.aborted;
    stop.abort(new Error("The run took too long"));
  }, runMs);
  if (run.cancel !== null) stop.abort(new Error("The run was cancelled"));
  return {
    run,
    message,
    lease,
    stop: stop.signal,
    isTimedOut: () => timedOut,
    forget() {
      isForgotten = true;
      unwatch();
      clearTimeout(limit);
      clearTimeout(again);
    },
    writer: createEventWriter({
      onFailure,
      write: (events) => recordRunEvents(pool, { ...thread, lease, runId, events }),
    }),
    seq: lastSeq,
    last: null,
  };
}

function numbered(open: OpenRun, event: Omit<RunEvent, "seq">): RunEvent {
  open.seq += 1;
  return { seq: open.seq, ...event };
}

function isLast({ type }: TurnEvent): boolean {
  return type === "turn-end" || type === "error";
}

/**
 * The run's last events and its end are durable together, so a run that has not ended has more to
 * tell. Its message leaves the queue with them, unless it failed: then it waits. True where it left.
 */
async function endRun(
  tx: Transaction,
  ending: { readonly open: OpenRun; readonly end: RunEnd; readonly events: readonly RunEvent[] },
): Promise<boolean> {
  const { open, end, events } = ending;
  const { runId, threadId, messageId } = open.run;
  const { outcome, turn } = end;
  const found = await lockRun(tx, runId);
  if (found === null) return false;
  if (end.outcome === "stopped" && found.cancel === "rollback" && !open.isTimedOut()) {
    await removeRun(tx, { ...open, turn: open.last?.turn ?? null });
    return true;
  }
  await tx.last(() =>
    Promise.all([
      appendRunEvents(tx, { runId, events }),
      finishRun(tx, { runId, ...toRunStatus(end, open) }),
      ...(outcome === "failed" ? [] : [finishMessage(tx, { threadId, messageId, outcome, turn })]),
      notify(tx, "run", runId),
    ]),
  );
  return outcome !== "failed";
}

function toRunStatus(
  { outcome, error }: RunEnd,
  open: OpenRun,
): { readonly status: RunStatus; readonly error?: RunError } {
  switch (outcome) {
    case "answered":
      return { status: "success" };
    case "stopped":
      return open.isTimedOut()
        ? { status: "timeout", error: TIMED_OUT }
        : { status: "interrupted" };
    case "given-up":
      return { status: "error", error: { code: GIVEN_UP, message: error?.message ?? FAILED } };
    case "failed":
      return { status: "error", error: error ?? { code: "internal", message: FAILED } };
    default:
      return outcome satisfies never;
  }
}

const FAILED = "Cannot finish the turn: it failed";
const TIMED_OUT: RunError = {
  code: "run_timeout",
  message: "Cannot go on with the run: it took too long and was stopped; what it did is kept",
};
