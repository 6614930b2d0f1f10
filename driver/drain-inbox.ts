import { setTimeout as delay } from "node:timers/promises";
import { JsonObjectSchema } from "../state/json.ts";
import type { RunError } from "../state/run.ts";
import { RunSchema, type Run, type TurnState } from "../state/turn.ts";
import {
  finalizeStopped,
  finishTurn,
  failPermanently,
  readTurnOutcome,
  stopTurn,
} from "./close-turn.ts";
import type { WaitingMessage } from "../state/conversation-store.ts";
import { createEventSequence } from "./events.ts";
import type { GraphInput } from "./graph-chunks.ts";
import { isNumbered, loadThread } from "./load-thread.ts";
import type { RunPlan } from "./run-observer.ts";
import {
  discardPendingTasks,
  runSilently,
  streamTurn,
  emitEvents,
  type RunningTurn,
  type ThreadWork,
} from "./thread-work.ts";
import { findDatabaseFault, describeError, isLeaseLost } from "./turn-errors.ts";

/** Outcome of working on a thread under one lease. */
export interface DrainResult {
  /**
   * `failed`, `interrupted` and `left`: the last message stays; `unreadable`: so do all, the thread
   * cannot be read; `lost`: the thread is another process's.
   */
  readonly outcome: "worked-off" | "failed" | "unreadable" | "lost" | "interrupted" | "left";
  /** The messages that were run here. */
  readonly messageIds: readonly string[];
}

const FIRST_PAUSE_MS = 250;

/**
 * Runs what waits in a thread, oldest first. A turn that fails ends it; with `retryWhenOthersWait`
 * it is retried if others wait behind it, after a growing pause.
 */
export async function drainInbox(
  work: ThreadWork & { readonly retryWhenOthersWait: boolean },
): Promise<DrainResult> {
  const messageIds: string[] = [];
  // Once: a turn under which the database goes down again and again is left for later.
  let mayRestore = true;
  let pause = FIRST_PAUSE_MS;
  for (;;) {
    try {
      const message = await work.parts.store.nextMessage(work);
      if (message === null) return { outcome: "worked-off", messageIds };
      if (work.handOff?.aborted === true) return { outcome: "left", messageIds };
      messageIds.push(message.messageId);
      const end = await runMessage(message, work, { mayRestore });
      if (end === "interrupted" || end === "left" || end === "unreadable") {
        return { outcome: end, messageIds };
      }
      if (end === "ended") pause = FIRST_PAUSE_MS;
      if (end === "recovered") mayRestore = false;
      if (end !== "failed") continue;
      if (!work.retryWhenOthersWait || (await work.parts.store.countWaiting(work)) <= 1) {
        return { outcome: "failed", messageIds };
      }
      // The next step reports the reason of an abort.
      await delay(pause, undefined, { signal: work.leaseLost }).catch(() => undefined);
      pause *= 2;
    } catch (error) {
      if (isLeaseLost(error)) return { outcome: "lost", messageIds };
      await recoverBetweenTurns(error, { work, mayRestore });
      mayRestore = false;
    }
  }
}

/**
 * Brings the database back where it went between two turns, or before the first of them.
 *
 * @throws the error that it is about, or what stands in the way.
 */
export async function recoverBetweenTurns(
  error: unknown,
  { work, mayRestore }: { readonly work: RecoverableWork; readonly mayRestore: boolean },
): Promise<void> {
  if (findDatabaseFault(error) === null) throw error;
  const { isBack, failure } = await tryRecovery(work, { mayRestore, stop: undefined });
  if (!isBack) throw failure ?? error;
}

/**
 * Outcome of running a message: `failed`, `interrupted` and `left` keep it for another attempt;
 * `recovered` allows one at once, on a restarted database.
 */
type MessageEnd = "ended" | "failed" | "unreadable" | "recovered" | "interrupted" | "left";

/** Runs one message's turn to its end. */
async function runMessage(
  message: WaitingMessage,
  work: ThreadWork,
  { mayRestore }: { readonly mayRestore: boolean },
): Promise<MessageEnd> {
  const { parts, lease, observer } = work;
  const plan = await observer.begin(message, lease);
  const loaded = await loadThread(parts.graph, work).catch((error: unknown) =>
    reportUnreadableThread(error, { message, work, plan }),
  );
  if (typeof loaded === "string") return loaded;
  const { values, stage, checkpoint } = loaded;
  const isAccepted = values.input?.messageId === message.messageId;
  const isOver = isAccepted && stage === "idle";
  if (plan === null || (isOver && plan.sentEvents === null)) {
    // The run has ended already; only the inbox still has the message.
    const end = isOver
      ? { outcome: readTurnOutcome(values), turn: values.turn ?? null }
      : ({ outcome: "stopped", turn: null } as const);
    await parts.store.finishMessage({ ...message, lease, ...end });
    return "ended";
  }
  const run = { ...RunSchema.parse(message.run), runId: plan.runId };
  const isUnderWay = isAccepted && isNumbered(stage);
  const turn = openTurn(
    { message, work, plan },
    { turn: (values.turn ?? 0) + (isUnderWay ? 0 : 1), taken: isAccepted },
  );
  emitEvents(turn, turn.sequence.next({ type: "turn-start", message: message.text }));
  let isCounted = false;
  try {
    if (isOver) {
      await finishTurn(turn, readTurnOutcome(values));
      return "ended";
    }
    plan.stop?.throwIfAborted();
    // A rejected message needs no turn: its sender got the error.
    if (stage !== "idle" && stage !== "rejected" && !isAccepted)
      await finishOlderTurn(work, values);
    const attempts = await work.attempts.count({ ...message, lease, from: checkpoint });
    if (attempts === null) {
      await stopTurn(turn);
      return "ended";
    }
    isCounted = true;
    if (attempts > parts.limits.attemptsPerMessage) {
      await failPermanently(turn);
      return "ended";
    }
    await streamTurn(isAccepted ? null : createInput(message, run), { turn });
    await finishTurn(turn, "answered");
    return "ended";
  } catch (error) {
    return handleFailure(error, turn, { isCounted, mayRestore });
  }
}

/** A message whose thread cannot be loaded. */
interface UnreadableMessage {
  readonly message: WaitingMessage;
  readonly work: ThreadWork;
  readonly plan: RunPlan | null;
}

/** A run that is kept ends with what is wrong with its thread; what is wrong for now is thrown on. */
async function reportUnreadableThread(
  error: unknown,
  refused: UnreadableMessage,
): Promise<MessageEnd> {
  const { message, work, plan } = refused;
  if (plan === null || plan.sentEvents === null) throw error;
  if (isLeaseLost(error) || findDatabaseFault(error) !== null) throw error;
  work.parts.onFailure?.(error);
  const turn = openTurn(
    { message, work, plan },
    { turn: plan.sentEvents[0]?.turn ?? 0, taken: false },
  );
  const told = describeError(error);
  emitEvents(turn, turn.sequence.next({ type: "turn-start", message: message.text }));
  emitEvents(turn, turn.sequence.end({ type: "error", ...told }));
  const end = await endFailedRun(turn, told);
  return end === "failed" ? "unreadable" : end;
}

function openTurn(
  opened: Omit<RunningTurn, "sequence">,
  { turn, taken }: { readonly turn: number; readonly taken: boolean },
): RunningTurn {
  const { work, plan } = opened;
  const sequence = createEventSequence({
    thread: work.threadId,
    turn,
    run: plan.runId,
    now: work.parts.now,
    resumed: taken,
    ...(plan.sentEvents === null ? {} : { sentEvents: plan.sentEvents }),
    ...(plan.sentReplies === undefined ? {} : { sentReplies: plan.sentReplies }),
  });
  return { ...opened, sequence };
}

function createInput(message: WaitingMessage, run: Run): GraphInput {
  return { input: { messageId: message.messageId, text: message.text }, run };
}

/** Facts about a failed attempt. */
interface FailedAttempt {
  /** It was noted as an attempt. */
  readonly isCounted: boolean;
  readonly mayRestore: boolean;
}

/**
 * Stops a turn after a stop request, hands it off after a hand-off request, and reports any other
 * failure.
 *
 * @throws LeaseLostError after reporting it: another process has the turn.
 */
async function handleFailure(
  error: unknown,
  turn: RunningTurn,
  failed: FailedAttempt,
): Promise<MessageEnd> {
  const { work, plan, sequence } = turn;
  // What a lost lease cuts off fails in many ways: it alone is the reason.
  const { reason }: { readonly reason: unknown } = work.leaseLost;
  let cause = isLeaseLost(reason) ? reason : error;
  if (plan.stop?.aborted === true && !sequence.isEnded() && !isLeaseLost(cause)) {
    try {
      await stopTurn(turn);
      return "ended";
    } catch (failure) {
      cause = failure;
    }
  }
  const uncountAttempt = async (): Promise<void> => {
    if (failed.isCounted) await work.attempts.uncount({ ...turn.message, lease: work.lease });
  };
  const fault = isLeaseLost(cause) ? null : findDatabaseFault(cause);
  if (work.handOff?.aborted === true && fault === null && !isLeaseLost(cause)) {
    await uncountAttempt();
    return "left";
  }
  const recovery =
    fault === null ? NOT_TRIED : await tryRecovery(work, { ...failed, stop: plan.stop });
  work.parts.onFailure?.(cause);
  const report =
    fault !== null && recovery.isBack
      ? { code: "database_unavailable", message: RECOVERED }
      : describeError(recovery.failure ?? cause);
  const isReported = sequence.isEnded();
  emitEvents(turn, sequence.end({ type: "error", ...report }));
  // Neither is the turn's own failure, and neither ends its run.
  if (fault !== null || isLeaseLost(cause)) {
    await uncountAttempt();
    if (isLeaseLost(cause)) throw cause;
    return recovery.isBack ? "recovered" : "interrupted";
  }
  return isReported ? "failed" : endFailedRun(turn, report);
}

async function endFailedRun(
  { message, work, plan }: RunningTurn,
  error: RunError,
): Promise<MessageEnd> {
  try {
    await work.attempts.recordFailure({ ...message, lease: work.lease });
    await work.observer.end({ runId: plan.runId, outcome: "failed", turn: null, error });
    return "failed";
  } catch (failure) {
    if (isLeaseLost(failure) || findDatabaseFault(failure) === null) throw failure;
    work.parts.onFailure?.(failure);
    return "interrupted";
  }
}

/** Without what the error advises: it is done already. */
const RECOVERED =
  "Cannot go on at once: the database was lost; it was started again, and your message is taken up once more";

/** Result of a recovery; `failure` is the reason it did not succeed. */
interface Recovery {
  readonly isBack: boolean;
  readonly failure: unknown;
}

const NOT_TRIED: Recovery = { isBack: false, failure: null };

/** Work to continue once the database is back, unless it is to be handed off. */
type RecoverableWork = Pick<ThreadWork, "parts" | "handOff">;

async function tryRecovery(
  { parts, handOff }: RecoverableWork,
  { mayRestore, stop }: { readonly mayRestore: boolean; readonly stop: AbortSignal | undefined },
): Promise<Recovery> {
  const isStopped = stop?.aborted === true || handOff?.aborted === true;
  if (parts.restore === undefined || !mayRestore || isStopped) return NOT_TRIED;
  try {
    return { isBack: await parts.restore(), failure: null };
  } catch (failure) {
    return { isBack: false, failure };
  }
}

/**
 * An older turn that never reached its end, and for which no message waits, ends before a new one
 * begins: one whose message was stopped meanwhile with what it has done.
 */
async function finishOlderTurn(work: ThreadWork, values: Partial<TurnState>): Promise<void> {
  try {
    const stopped = await findStoppedTurn(work, values);
    if (stopped === null) await runSilently(work);
    else await finalizeStopped(stopped);
  } catch (error) {
    const isLeft = work.leaseLost.aborted || work.handOff?.aborted === true;
    if (isLeft || isLeaseLost(error) || findDatabaseFault(error) !== null) throw error;
    work.parts.onFailure?.(error);
    await discardPendingTasks(work);
  }
}

/** Finds an older turn whose message was stopped while no process worked on it; it emits no events. */
async function findStoppedTurn(
  work: ThreadWork,
  { input, run, turn = 0 }: Partial<TurnState>,
): Promise<RunningTurn | null> {
  if (!input || !run) return null;
  const { threadId, userId, parts } = work;
  const { messageId, text } = input;
  const answer = await parts.store.findAnswer({ threadId, userId, messageId });
  if (answer?.outcome !== "stopped") return null;
  const silent = { ...work.observer, onEvent: () => undefined, onChunk: () => undefined };
  return openTurn(
    {
      message: { threadId, userId, messageId, text, run: JsonObjectSchema.parse(run) },
      work: { ...work, observer: silent },
      plan: { runId: run.runId, sentEvents: null, stop: undefined, modes: [], trace: false },
    },
    { turn, taken: true },
  );
}
