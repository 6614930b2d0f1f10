import { setTimeout as delay } from "node:timers/promises";
import { JsonObjectSchema } from "../state/json.ts";
import type { RunError } from "../state/run.ts";
import { RunSchema, type Run, type TurnState } from "../state/turn.ts";
import { closeStopped, finishTurn, giveUpTurn, outcomeOf, stopTurn } from "./close-turn.ts";
import type { WaitingMessage } from "../state/conversation-store.ts";
import { createEventSequence } from "./events.ts";
import type { GraphInput } from "./graph-chunks.ts";
import { isNumbered, loadThread } from "./load-thread.ts";
import type { RunPlan } from "./run-observer.ts";
import {
  abandonTurn,
  runUntold,
  streamTurn,
  tell,
  type RunningTurn,
  type ThreadWork,
} from "./thread-work.ts";
import { databaseFaultIn, describeError, isLeaseLost } from "./turn-errors.ts";

/** What came of working on a thread while its lease was held. */
export interface WorkedOff {
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
 * Runs what waits in a thread, oldest first. A turn that fails ends it; with `isPatient` it is tried
 * again where others wait behind it, after a pause that grows.
 */
export async function workOff(
  work: ThreadWork & { readonly isPatient: boolean },
): Promise<WorkedOff> {
  const messageIds: string[] = [];
  // Once: a turn under which the database goes down again and again is left for later.
  let mayRestore = true;
  let pause = FIRST_PAUSE_MS;
  for (;;) {
    try {
      const message = await work.parts.store.nextMessage(work);
      if (message === null) return { outcome: "worked-off", messageIds };
      if (work.leave?.aborted === true) return { outcome: "left", messageIds };
      messageIds.push(message.messageId);
      const end = await runMessage(message, work, { mayRestore });
      if (end === "interrupted" || end === "left" || end === "unreadable") {
        return { outcome: end, messageIds };
      }
      if (end === "ended") pause = FIRST_PAUSE_MS;
      if (end === "restored") mayRestore = false;
      if (end !== "failed") continue;
      if (!work.isPatient || (await work.parts.store.countWaiting(work)) <= 1) {
        return { outcome: "failed", messageIds };
      }
      // What aborts it is found out by the next step.
      await delay(pause, undefined, { signal: work.lost }).catch(() => undefined);
      pause *= 2;
    } catch (error) {
      if (isLeaseLost(error)) return { outcome: "lost", messageIds };
      await restoreBetween(error, { work, mayRestore });
      mayRestore = false;
    }
  }
}

/**
 * Brings the database back where it went between two turns, or before the first of them.
 *
 * @throws the error that it is about, or what stands in the way.
 */
export async function restoreBetween(
  error: unknown,
  { work, mayRestore }: { readonly work: Restorable; readonly mayRestore: boolean },
): Promise<void> {
  if (databaseFaultIn(error) === null) throw error;
  const { isBack, failure } = await restoreFor(work, { mayRestore, stop: undefined });
  if (!isBack) throw failure ?? error;
}

/**
 * How running a message ended: `failed`, `interrupted` and `left` when it stays to be tried again,
 * `restored` when it can be at once, on a database that was brought back.
 */
type MessageEnd = "ended" | "failed" | "unreadable" | "restored" | "interrupted" | "left";

/** Runs one message's turn to its end. */
async function runMessage(
  message: WaitingMessage,
  work: ThreadWork,
  { mayRestore }: { readonly mayRestore: boolean },
): Promise<MessageEnd> {
  const { parts, lease, observer } = work;
  const plan = await observer.begin(message, lease);
  const loaded = await loadThread(parts.graph, work).catch((error: unknown) =>
    refuseThread(error, { message, work, plan }),
  );
  if (typeof loaded === "string") return loaded;
  const { values, stage, checkpoint } = loaded;
  const taken = values.input?.messageId === message.messageId;
  const isOver = taken && stage === "rested";
  if (plan === null || (isOver && plan.told === null)) {
    // Only the inbox has not heard of it.
    const end = isOver
      ? { outcome: outcomeOf(values), turn: values.turn ?? null }
      : ({ outcome: "stopped", turn: null } as const);
    await parts.store.finishMessage({ ...message, lease, ...end });
    return "ended";
  }
  const run = { ...RunSchema.parse(message.run), runId: plan.runId };
  const begun = taken && isNumbered(stage);
  const turn = openTurn(
    { message, work, plan },
    { turn: (values.turn ?? 0) + (begun ? 0 : 1), taken },
  );
  tell(turn, turn.sequence.next({ type: "turn-start", message: message.text }));
  let isCounted = false;
  try {
    if (isOver) {
      await finishTurn(turn, outcomeOf(values));
      return "ended";
    }
    plan.stop?.throwIfAborted();
    // What was refused nobody waits for: whoever sent it was told.
    if (stage !== "rested" && stage !== "refused" && !taken) await finishOlder(work, values);
    const attempts = await work.attempts.begin({ ...message, lease, from: checkpoint });
    if (attempts === null) {
      await stopTurn(turn);
      return "ended";
    }
    isCounted = true;
    if (attempts > parts.limits.attemptsPerMessage) {
      await giveUpTurn(turn);
      return "ended";
    }
    await streamTurn(taken ? null : inputOf(message, run), { turn });
    await finishTurn(turn, "answered");
    return "ended";
  } catch (error) {
    return failTurn(error, turn, { isCounted, mayRestore });
  }
}

/** A run that is kept ends with what is wrong with its thread; what is wrong for now is thrown on. */
async function refuseThread(
  error: unknown,
  refused: {
    readonly message: WaitingMessage;
    readonly work: ThreadWork;
    readonly plan: RunPlan | null;
  },
): Promise<MessageEnd> {
  const { message, work, plan } = refused;
  if (plan === null || plan.told === null) throw error;
  if (isLeaseLost(error) || databaseFaultIn(error) !== null) throw error;
  work.parts.onFailure?.(error);
  const turn = openTurn({ message, work, plan }, { turn: plan.told[0]?.turn ?? 0, taken: false });
  const told = describeError(error);
  tell(turn, turn.sequence.next({ type: "turn-start", message: message.text }));
  tell(turn, turn.sequence.end({ type: "error", ...told }));
  const end = await endFailed(turn, told);
  return end === "failed" ? "unreadable" : end;
}

function openTurn(
  opened: { readonly message: WaitingMessage; readonly work: ThreadWork; readonly plan: RunPlan },
  { turn, taken }: { readonly turn: number; readonly taken: boolean },
): RunningTurn {
  const { work, plan } = opened;
  const sequence = createEventSequence({
    thread: work.threadId,
    turn,
    run: plan.runId,
    now: work.parts.now,
    resumed: taken,
    ...(plan.told === null ? {} : { told: plan.told }),
    ...(plan.said === undefined ? {} : { said: plan.said }),
  });
  return { ...opened, sequence };
}

function inputOf(message: WaitingMessage, run: Run): GraphInput {
  return { input: { messageId: message.messageId, text: message.text }, run };
}

/** What is known of a try that failed. */
interface FailedTry {
  /** It was noted as an attempt. */
  readonly isCounted: boolean;
  readonly mayRestore: boolean;
}

/**
 * Stops a turn that was told to stop, leaves one that is to be left, and says of any other why it
 * failed.
 *
 * @throws LeaseLostError, after it was told: the turn is another process's by now.
 */
async function failTurn(error: unknown, turn: RunningTurn, failed: FailedTry): Promise<MessageEnd> {
  const { work, plan, sequence } = turn;
  // What a lost lease cuts off fails in many ways: it alone is the reason.
  const { reason }: { readonly reason: unknown } = work.lost;
  let cause = isLeaseLost(reason) ? reason : error;
  if (plan.stop?.aborted === true && !sequence.isEnded() && !isLeaseLost(cause)) {
    try {
      await stopTurn(turn);
      return "ended";
    } catch (failure) {
      cause = failure;
    }
  }
  const excuse = async (): Promise<void> => {
    if (failed.isCounted) await work.attempts.excuse({ ...turn.message, lease: work.lease });
  };
  const fault = isLeaseLost(cause) ? null : databaseFaultIn(cause);
  if (work.leave?.aborted === true && fault === null && !isLeaseLost(cause)) {
    await excuse();
    return "left";
  }
  const restored =
    fault === null ? NOT_TRIED : await restoreFor(work, { ...failed, stop: plan.stop });
  work.parts.onFailure?.(cause);
  const told =
    fault !== null && restored.isBack
      ? { code: "database_unavailable", message: RESTORED }
      : describeError(restored.failure ?? cause);
  const isTold = sequence.isEnded();
  tell(turn, sequence.end({ type: "error", ...told }));
  // Neither is the turn's own failure, and neither ends its run.
  if (fault !== null || isLeaseLost(cause)) {
    await excuse();
    if (isLeaseLost(cause)) throw cause;
    return restored.isBack ? "restored" : "interrupted";
  }
  return isTold ? "failed" : endFailed(turn, told);
}

async function endFailed(
  { message, work, plan }: RunningTurn,
  error: RunError,
): Promise<MessageEnd> {
  try {
    await work.attempts.fail({ ...message, lease: work.lease });
    await work.observer.end({ runId: plan.runId, outcome: "failed", turn: null, error });
    return "failed";
  } catch (failure) {
    if (isLeaseLost(failure) || databaseFaultIn(failure) === null) throw failure;
    work.parts.onFailure?.(failure);
    return "interrupted";
  }
}

/** Without what the error advises: it is done already. */
const RESTORED =
  "Cannot go on at once: the database was lost; it was started again, and your message is taken up once more";

/** Whether the database is back; `failure` is why it could not be brought back. */
interface Restored {
  readonly isBack: boolean;
  readonly failure: unknown;
}

const NOT_TRIED: Restored = { isBack: false, failure: null };

/** What is to go on once the database is back, unless this process was told to leave it. */
type Restorable = Pick<ThreadWork, "parts" | "leave">;

async function restoreFor(
  { parts, leave }: Restorable,
  { mayRestore, stop }: { readonly mayRestore: boolean; readonly stop: AbortSignal | undefined },
): Promise<Restored> {
  const isStopped = stop?.aborted === true || leave?.aborted === true;
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
async function finishOlder(work: ThreadWork, values: Partial<TurnState>): Promise<void> {
  try {
    const stopped = await stoppedTurn(work, values);
    if (stopped === null) await runUntold(work);
    else await closeStopped(stopped);
  } catch (error) {
    const isLeft = work.lost.aborted || work.leave?.aborted === true;
    if (isLeft || isLeaseLost(error) || databaseFaultIn(error) !== null) throw error;
    work.parts.onFailure?.(error);
    await abandonTurn(work);
  }
}

/** The older turn where its message was stopped while nobody worked on it; nobody is told of it any more. */
async function stoppedTurn(
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
      plan: { runId: run.runId, told: null, stop: undefined, modes: [], trace: false },
    },
    { turn, taken: true },
  );
}
