import { setTimeout as delay } from "node:timers/promises";
import type { MessageOutcome, UserThread, WaitingMessage } from "../state/conversation-store.ts";
import { JsonObjectSchema } from "../state/json.ts";
import type { TurnState } from "../state/turn.ts";
import type { Attempts } from "./attempts.ts";
import type { Cleaning } from "./cleaning.ts";
import { LeasedThread, type ThreadLease } from "./leased-thread.ts";
import { isNumbered, type LoadedThread } from "./load-thread.ts";
import { MessageTurn, readTurnOutcome, type OpenedTurn } from "./message-turn.ts";
import { RESULTS, type ThreadResult, type TurnResult } from "./results.ts";
import type { OpenedRun, RunSource } from "./run-source.ts";
import { describeError, findDatabaseFault, isLeaseLost } from "./turn-errors.ts";
import type { DriverParts } from "./driver-parts.ts";

/** Work on one thread. */
export interface ThreadWork {
  readonly thread: UserThread;
  readonly runs: RunSource;
  /** Longest wait for a thread that another process holds, in milliseconds. */
  readonly waitMs: number;
  /** Ends the wait for the thread. */
  readonly cancelWait: AbortSignal | undefined;
  /** Leaves the running turn as it is, between two of its steps, for another process to continue. */
  readonly handOff: AbortSignal | undefined;
  /** True retries a turn that failed, after a growing pause, while other messages wait behind it. */
  readonly retryWhenOthersWait: boolean;
}

/** Collaborators of the processor that all threads of a process share. */
export interface ProcessorParts extends DriverParts {
  readonly attempts: Attempts;
  readonly cleaning: Cleaning;
}

/** Result of the work on a thread. */
export interface ProcessedThread {
  readonly result: ThreadResult;
  /** The messages that were run here. */
  readonly messageIds: readonly string[];
}

/** Pause before the first retry, which doubles. Not a setting: `attemptsPerMessage` bounds the retries. */
const FIRST_PAUSE_MS = 250;

/**
 * Processes one thread: takes its lease, then runs what waits in its inbox, oldest message first,
 * and releases it.
 *
 * A message is `queued` (in the inbox only), `accepted` (in the thread's state), `running` (its turn
 * has a number), and then `answered`, `stopped`, `failed` or `given-up`. `results.ts` has the effect
 * of each result on message, run, job and lease.
 */
export class ThreadProcessor {
  readonly #parts: ProcessorParts;
  readonly #work: ThreadWork;

  constructor(parts: ProcessorParts, work: ThreadWork) {
    this.#parts = parts;
    this.#work = work;
  }

  /** @throws errors of the database before or between turns, and what the source of runs throws. */
  async process(): Promise<ProcessedThread> {
    const { thread, waitMs, cancelWait, handOff } = this.#work;
    const { store, newId } = this.#parts;
    const request = { ...thread, owner: newId(), waitMs, signal: cancelWait ?? null };
    const held = await store.holdLease(request, ({ lease, signal }) =>
      this.#drainInbox({ lease, lost: signal, handOff }),
    );
    return held.held ? held.result : { result: "held-elsewhere", messageIds: [] };
  }

  async #drainInbox(held: ThreadLease): Promise<ProcessedThread> {
    const thread = new LeasedThread(this.#work.thread, held, this.#parts);
    const messageIds: string[] = [];
    let pause = FIRST_PAUSE_MS;
    try {
      for (;;) {
        const message = await this.#parts.store.nextMessage(thread.key);
        if (message === null) return { result: "processed", messageIds };
        if (isAborted(held.handOff)) return { result: "handed-off", messageIds };
        messageIds.push(message.messageId);
        const result = await this.#runMessage(message, thread);
        if (endsMessage(result)) pause = FIRST_PAUSE_MS;
        else if (result === "failed" && (await this.#isToBeRetried())) {
          // The next step reports the reason of an abort.
          await delay(pause, undefined, { signal: held.lost }).catch(() => undefined);
          pause *= 2;
        } else return { result, messageIds };
      }
    } catch (error) {
      if (isLeaseLost(error)) return { result: "lease-lost", messageIds };
      throw error;
    }
  }

  async #isToBeRetried(): Promise<boolean> {
    const { thread, retryWhenOthersWait } = this.#work;
    return retryWhenOthersWait && (await this.#parts.store.countWaiting(thread)) > 1;
  }

  /** Runs one message's turn to its end, from wherever an earlier process left it. */
  async #runMessage(message: WaitingMessage, thread: LeasedThread): Promise<TurnResult> {
    const run = await this.#work.runs.open(message, thread.lease);
    const loaded = await thread.load().catch((error: unknown) => error);
    if (!isLoaded(loaded)) return this.#reportUnreadable(loaded, { message, run }, thread);
    const { values } = loaded;
    const state = readMessageState(loaded, message);
    if (run === null || (state === "over" && run.plan.sentEvents === null)) {
      return this.#removeEnded(message, thread, state === "over" ? values : null);
    }
    const number = (values.turn ?? 0) + (state === "queued" || state === "accepted" ? 1 : 0);
    const turn = this.#openTurn({ message, run, number, resumed: state !== "queued" }, thread);
    turn.start();
    try {
      const outcome =
        state === "over"
          ? await turn.finish(readTurnOutcome(values))
          : await this.#attemptTurn(turn, { thread, loaded, isNew: state === "queued" });
      await this.#tidyUp(thread, number);
      return outcome;
    } catch (error) {
      return this.#leaveTurn(error, turn, thread);
    }
  }

  /** Makes one attempt at a turn, unless it is to be stopped or has failed too often. */
  async #attemptTurn(turn: MessageTurn, started: StartedTurn): Promise<MessageOutcome> {
    const { thread, loaded, isNew } = started;
    const { attempts, limits } = this.#parts;
    turn.throwIfStopped();
    if (isNew && isUnfinished(loaded)) await this.#finishOlderTurn(thread, loaded.values);
    const attempt = { ...turn.message, lease: thread.lease, from: loaded.checkpoint };
    const count = await attempts.count(attempt);
    // Null: the message was taken out of the queue meanwhile.
    if (count === null) return turn.stop();
    turn.isCounted = true;
    if (count > limits.attemptsPerMessage) return turn.giveUp();
    await turn.stream(isNew ? turn.createInput() : null);
    return turn.finish("answered");
  }

  /** Stops a turn after a request to stop it; leaves any other that failed as it is. */
  async #leaveTurn(error: unknown, turn: MessageTurn, thread: LeasedThread): Promise<TurnResult> {
    let cause = findLeaseLoss(thread) ?? error;
    if (turn.isToBeStopped && !isLeaseLost(cause)) {
      try {
        const outcome = await turn.stop();
        await this.#tidyUp(thread, turn.number);
        return outcome;
      } catch (failure) {
        cause = findLeaseLoss(thread) ?? failure;
      }
    }
    const result = classifyFailure(cause, thread);
    if (turn.isCounted && !RESULTS[result].counts) {
      await this.#parts.attempts.uncount({ ...turn.message, lease: thread.lease });
    }
    if (result === "handed-off") return result;
    return this.#reportFailure(cause, { turn, thread, result });
  }

  /** Emits the error as the turn's last event; a turn that failed ends its run with it. */
  async #reportFailure(cause: unknown, failed: FailedTurn): Promise<TurnResult> {
    const { turn, thread, result } = failed;
    const { store, onFailure } = this.#parts;
    onFailure?.(cause);
    const report = describeError(cause, turn.audience);
    const isNew = turn.reportError(report);
    if (RESULTS[result].run !== "error" || !isNew) return result;
    try {
      await store.recordFailedAttempt({ ...turn.message, lease: thread.lease });
      await turn.endFailed(report);
      return result;
    } catch (failure) {
      if (isLeaseLost(failure) || findDatabaseFault(failure) === null) throw failure;
      onFailure?.(failure);
      return "unavailable";
    }
  }

  /** A stored run ends with what is wrong with its thread; a fault that may pass is thrown on. */
  async #reportUnreadable(
    error: unknown,
    { message, run }: MessageRun,
    thread: LeasedThread,
  ): Promise<TurnResult> {
    const sentEvents = run?.plan.sentEvents ?? null;
    const mayPass = isLeaseLost(error) || findDatabaseFault(error) !== null;
    if (run === null || sentEvents === null || mayPass) throw error;
    const number = sentEvents[0]?.turn ?? 0;
    const turn = this.#openTurn({ message, run, number, resumed: false }, thread);
    turn.start();
    return this.#reportFailure(error, { turn, thread, result: "unreadable" });
  }

  /** Removes a message whose run has ended: only the inbox still has it. */
  async #removeEnded(
    message: WaitingMessage,
    { lease }: LeasedThread,
    values: Partial<TurnState> | null,
  ): Promise<MessageOutcome> {
    const outcome = values === null ? "stopped" : readTurnOutcome(values);
    const turn = values?.turn ?? null;
    await this.#parts.store.finishMessage({ ...message, lease, outcome, turn });
    return outcome;
  }

  /**
   * Ends an older turn that never reached its end, and for which no message waits, before a new one
   * begins: one whose message was stopped meanwhile with what it has done.
   */
  async #finishOlderTurn(thread: LeasedThread, values: Partial<TurnState>): Promise<void> {
    try {
      const stopped = await this.#findStoppedTurn(thread, values);
      if (stopped === null) await thread.runGraph(null);
      else await stopped.finalizeStopped();
    } catch (error) {
      if (classifyFailure(findLeaseLoss(thread) ?? error, thread) !== "failed") throw error;
      this.#parts.onFailure?.(error);
      await thread.discardPendingTasks();
    }
  }

  /** Finds an older turn whose message was stopped while no process worked on it; it emits no events. */
  async #findStoppedTurn(
    thread: LeasedThread,
    { input, run: context, turn = 0 }: Partial<TurnState>,
  ): Promise<MessageTurn | null> {
    if (!input || !context) return null;
    const { messageId, text } = input;
    const answer = await this.#parts.store.findAnswer({ ...thread.key, messageId });
    if (answer?.outcome !== "stopped") return null;
    const message = { ...thread.key, messageId, text, run: JsonObjectSchema.parse(context) };
    const run = createSilentRun(context.runId);
    return this.#openTurn({ message, run, number: turn, resumed: true }, thread);
  }

  /** Removes checkpoints and rows that no turn needs any more. */
  async #tidyUp(thread: LeasedThread, turn: number): Promise<void> {
    const { store, limits, cleaning } = this.#parts;
    // As many as are kept may be there: nothing can be too old.
    if (turn > limits.checkpointTurns) {
      await store.prune({ ...thread.key, lease: thread.lease, turns: limits.checkpointTurns });
    }
    await cleaning.afterTurn(thread.userId);
  }

  #openTurn(opened: OpenedTurn, thread: LeasedThread): MessageTurn {
    return new MessageTurn(opened, thread, this.#parts);
  }
}

/** A message and its run; null if the run has ended. */
interface MessageRun {
  readonly message: WaitingMessage;
  readonly run: OpenedRun | null;
}

/** A turn at the start of an attempt, and the thread as it was then. */
interface StartedTurn {
  readonly thread: LeasedThread;
  readonly loaded: LoadedThread;
  /** True while its message is in the inbox only. */
  readonly isNew: boolean;
}

interface FailedTurn {
  readonly turn: MessageTurn;
  readonly thread: LeasedThread;
  readonly result: TurnResult;
}

/** `over`: the turn has ended, but the message is still in the inbox. */
type MessageState = "queued" | "accepted" | "running" | "over";

function readMessageState(
  { values, stage }: LoadedThread,
  { messageId }: WaitingMessage,
): MessageState {
  if (values.input?.messageId !== messageId) return "queued";
  if (stage === "idle") return "over";
  return isNumbered(stage) ? "running" : "accepted";
}

/** A rejected message needs no turn: its sender got the error. */
function isUnfinished({ stage }: LoadedThread): boolean {
  return stage !== "idle" && stage !== "rejected";
}

function isLoaded(loaded: unknown): loaded is LoadedThread {
  return typeof loaded === "object" && loaded !== null && "stage" in loaded;
}

function isAborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true;
}

function endsMessage(result: TurnResult): result is MessageOutcome {
  return RESULTS[result].message === "leaves";
}

/** The lost lease, if it is lost: what it cuts off fails in many ways. */
function findLeaseLoss({ held }: LeasedThread): Error | null {
  const reason: unknown = held.lost.reason;
  return isLeaseLost(reason) ? reason : null;
}

function classifyFailure(cause: unknown, { held }: LeasedThread): LeftResult {
  if (isLeaseLost(cause)) return "lease-lost";
  if (findDatabaseFault(cause) !== null) return "unavailable";
  return isAborted(held.handOff) ? "handed-off" : "failed";
}

type LeftResult = "lease-lost" | "unavailable" | "handed-off" | "failed";

function createSilentRun(runId: string): OpenedRun {
  return {
    plan: { runId, sentEvents: null, stop: undefined, modes: [], trace: false },
    sink: { onEvent: () => undefined, onChunk: () => undefined, end: async () => false },
  };
}
