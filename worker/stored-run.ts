import type { WaitingMessage } from "../state/conversation-store.ts";
import type { TurnEvent } from "../state/event.ts";
import { RESULTS } from "../driver/results.ts";
import type { BegunTurn, RunChunk, RunEnd, RunSink } from "../driver/run-source.ts";
import type { RunError, RunEvent, RunRecord, RunStatus } from "../state/run.ts";
import type { LeaseClaim } from "../state/store.ts";
import { notify } from "../storage/postgres/notifications.ts";
import { saveTurnView } from "../storage/conversations/archive-rows.ts";
import { finishMessage } from "../storage/conversations/inbox.ts";
import { recordRunEvents } from "../storage/runs/record-run-events.ts";
import { appendRunEvents } from "../storage/runs/run-events.ts";
import { findRun, finishRun, lockRun } from "../storage/runs/runs.ts";
import type { Transaction } from "../storage/postgres/transaction.ts";
import { asUser } from "../storage/users/user-data.ts";
import { GIVEN_UP, type ClaimedRun } from "./claim-run.ts";
import { createEventWriter, type EventWriter } from "./event-writer.ts";
import { findEffectsToUndo, removeRun, rollBackRun } from "./rollback.ts";
import type { StoredRunsOptions } from "./stored-runs.ts";

export interface StoredRunOptions extends StoredRunsOptions {
  readonly message: WaitingMessage;
  readonly lease: LeaseClaim;
}

/** Time until a failed lookup of a cancel is repeated, in milliseconds. Not a setting: it only spares an unavailable database. */
const RETRY_LOOKUP_MS = 1_000;

/** A run in progress: persists its events, and stops it when it is cancelled or takes too long. */
export class StoredRun implements RunSink {
  readonly #run: RunRecord;
  readonly #options: StoredRunOptions;
  readonly #writer: EventWriter;
  readonly #stop = new AbortController();
  readonly #limit: NodeJS.Timeout;
  readonly #unwatch: () => void;
  #retry: NodeJS.Timeout | undefined;
  #isTimedOut = false;
  #isReleased = false;
  #seq: number;
  /** The turn's last event, which is stored with the run's end or not at all. */
  #last: { readonly turn: number; readonly row: RunEvent } | null = null;

  constructor({ run, lastSeq }: ClaimedRun, options: StoredRunOptions) {
    const { pool, thread, cancels, lease, runMs, onFailure } = options;
    const { runId } = run;
    this.#run = run;
    this.#options = options;
    this.#seq = lastSeq;
    this.#writer = createEventWriter({
      onFailure,
      write: (events) => recordRunEvents(pool, { ...thread, lease, runId, events }),
    });
    this.#unwatch = cancels.watch(runId, () => this.#lookUpCancel());
    this.#limit = setTimeout(() => {
      this.#isTimedOut = !this.stop.aborted;
      this.#stop.abort(new Error("The run took too long"));
    }, runMs);
    if (run.cancel !== null) this.#cancel();
  }

  /** Aborts when the run is cancelled or has taken too long. */
  get stop(): AbortSignal {
    return this.#stop.signal;
  }

  onEvent(event: TurnEvent): void {
    const row = this.#number({ mode: "custom", namespace: [], data: event });
    const isLast = event.type === "turn-end" || event.type === "error";
    if (isLast) this.#last = { turn: event.turn, row };
    else this.#writer.push(row);
  }

  onChunk({ mode, namespace, data }: RunChunk): void {
    this.#writer.push(this.#number({ mode, namespace: [...namespace], data }));
  }

  waitForRoom(): Promise<void> {
    return this.#writer.room();
  }

  async rollBack(begun: BegunTurn | null): Promise<boolean> {
    const stopped = { run: this.#run, message: this.#options.message, begun };
    const effectIds = this.#isTimedOut
      ? null
      : await this.#write((tx) => findEffectsToUndo(tx, stopped));
    if (effectIds === null || !(await this.#undo(effectIds))) return false;
    await this.release();
    await this.#write((tx) => rollBackRun(tx, stopped));
    return true;
  }

  /** Undoes what the run has changed; false where that cannot be undone: the turn is kept then. */
  async #undo(effectIds: readonly number[]): Promise<boolean> {
    if (effectIds.length === 0) return true;
    const { thread, lease, undoEffects } = this.#options;
    const { runId } = this.#run;
    return (await undoEffects?.({ ...thread, lease, runId, effectIds })) ?? false;
  }

  async end(end: RunEnd): Promise<boolean> {
    const rest = await this.release();
    const events = this.#last === null ? rest : [...rest, this.#last.row];
    return this.#write((tx) => this.#finish(tx, end, events));
  }

  /** Stops watching and writing; returns the events that may not be stored. */
  async release(): Promise<readonly RunEvent[]> {
    this.#isReleased = true;
    this.#unwatch();
    clearTimeout(this.#limit);
    clearTimeout(this.#retry);
    return this.#writer.close();
  }

  /**
   * Stores the run's last events and its turn's view together with its end, so that a reader never sees the last event of
   * an unfinished run. The message leaves the queue in the same transaction, unless the run failed.
   * True if it left.
   */
  async #finish(tx: Transaction, end: RunEnd, events: readonly RunEvent[]): Promise<boolean> {
    const { runId, threadId, messageId } = this.#run;
    const { outcome, turn, view } = end;
    const found = await lockRun(tx, runId);
    if (found === null) return false;
    if (outcome === "stopped" && found.cancel === "rollback" && !this.#isTimedOut) {
      const { message } = this.#options;
      if (view !== undefined) await saveTurnView(tx, { threadId, ...view });
      await removeRun(tx, { run: this.#run, message, turn: this.#last?.turn ?? null });
      return true;
    }
    await tx.last(() =>
      Promise.all([
        appendRunEvents(tx, { runId, events }),
        finishRun(tx, { runId, ...readEnd(end, this.#isTimedOut) }),
        ...(view === undefined ? [] : [saveTurnView(tx, { threadId, ...view })]),
        ...(outcome === "failed"
          ? []
          : [finishMessage(tx, { threadId, messageId, outcome, turn })]),
        notify(tx, "run", runId),
      ]),
    );
    return outcome !== "failed";
  }

  #number(event: Omit<RunEvent, "seq">): RunEvent {
    this.#seq += 1;
    return { seq: this.#seq, ...event };
  }

  #write<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const { pool, thread, lease } = this.#options;
    const { threadId, userId } = thread;
    return asUser(pool, { userId, fence: { threadId, lease } }, work);
  }

  /** A notification comes once: a lookup that failed is repeated. */
  #lookUpCancel(): void {
    clearTimeout(this.#retry);
    this.#findCancel().catch((error: unknown) => {
      this.#options.onFailure(error);
      if (this.#isReleased) return;
      this.#retry = setTimeout(() => this.#lookUpCancel(), RETRY_LOOKUP_MS);
    });
  }

  async #findCancel(): Promise<void> {
    const { pool, thread } = this.#options;
    const { userId } = thread;
    const found = await asUser(pool, { userId }, (tx) => findRun(tx, this.#run.runId));
    if (found === null || found.cancel !== null) this.#cancel();
  }

  #cancel(): void {
    this.#stop.abort(new Error("The run was cancelled"));
  }
}

/** The status of a run that has ended, with the reason for one that failed. */
interface EndedStatus {
  readonly status: RunStatus;
  readonly error?: RunError;
}

function readEnd({ outcome, error }: RunEnd, isTimedOut: boolean): EndedStatus {
  if (outcome === "stopped" && isTimedOut) return { status: "timeout", error: TIMED_OUT };
  // A turn whose model gave no answer has done with its message, and its run has failed.
  const isFailed = outcome === "answered" && error !== undefined;
  const status = isFailed ? "error" : (RESULTS[outcome].run ?? "error");
  if (status !== "error") return { status };
  if (outcome !== "given-up") return { status, error: error ?? FAILED };
  return { status, error: { ...(error ?? FAILED), code: GIVEN_UP } };
}

const FAILED: RunError = { code: "internal", message: "Cannot finish the turn: it failed" };
const TIMED_OUT: RunError = {
  code: "run_timeout",
  message: "Cannot continue the run: it took too long and was stopped; its results so far are kept",
};
