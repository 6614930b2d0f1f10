import { RunSchema, type Run } from "../state/turn.ts";
import { createAttempts } from "./attempts.ts";
import { cleanMessage } from "./clean-message.ts";
import { finishTurn, giveUpTurn, stopTurn, type EndingTurn } from "./close-turn.ts";
import type { UserMessage, WaitingMessage } from "./conversation-store.ts";
import { createEventSequence, type TurnEvent } from "./events.ts";
import { loadThread } from "./load-thread.ts";
import { retellAnswer } from "./retell.ts";
import {
  abandonTurn,
  streamTurn,
  type GraphInput,
  type ThreadWork,
  type TurnDriverParts,
} from "./thread-work.ts";
import {
  databaseFaultIn,
  describeError,
  ForeignThreadError,
  isLeaseLost,
  MessageNotTakenError,
} from "./turn-errors.ts";

export type { TurnDriverParts } from "./thread-work.ts";

/** A message on its way into a thread. */
export interface SentMessage {
  readonly threadId: string;
  readonly userId: string;
  readonly text: string;
  /** Makes sending idempotent; minted where it is left out. */
  readonly messageId?: string;
  /** Names its run in every event of its turn; minted where it is left out. */
  readonly runId?: string;
  /** `YYYY-MM-DD` in the person's time zone. */
  readonly today: string;
  /** IANA name. */
  readonly timeZone: string;
  /** BCP 47. */
  readonly locale: string;
}

/**
 * How sending ended: worked off here, answered before or by another process, or left to the one
 * that holds the thread, be it that it held it first or took it over.
 */
export type SendOutcome = "worked-off" | "answered-elsewhere" | "held-elsewhere";

export interface TurnDriver {
  /**
   * Puts a message into its thread and works the thread off, oldest first, until nothing waits:
   * first what an earlier run left unfinished, then this message. Every event of every turn goes
   * to `onEvent`; a turn that fails ends with an `error` event and stays resumable. One that the
   * database was lost under goes on at once where `restore` brings it back.
   *
   * `stop` stops the turn that runs, cleanly: what it has done is kept and recorded.
   *
   * @throws MessageRefusedError, ForeignThreadError, MessageNotTakenError: nothing was stored of
   * the message; errors of the database before a turn began: it is kept.
   */
  send(
    message: SentMessage,
    options: {
      readonly onEvent: (event: TurnEvent) => void;
      readonly stop?: AbortSignal;
      /** False leaves `prompt` events out. Default true. */
      readonly trace?: boolean;
    },
  ): Promise<SendOutcome>;
  /**
   * Tells what came of a message that was worked off elsewhere or before: its replies and record,
   * as a turn's events. False where nothing is kept of it.
   */
  retell(message: UserMessage, onEvent: (event: TurnEvent) => void): Promise<boolean>;
}

/** How long a message waits for a thread that another process works on. */
const LEASE_WAIT_MS = 120_000;

/** Makes the driver that surrounds the graph: inbox, lease, resumption, stopping, pruning. */
export function createTurnDriver(parts: TurnDriverParts): TurnDriver {
  const attempts = createAttempts(parts.store);
  return {
    retell: (message, onEvent) =>
      retellAnswer(message, { store: parts.store, now: parts.now, onEvent }),
    send: async (message, { onEvent, stop, trace = true }) => {
      const text = cleanMessage(message.text, parts.limits.messageCharacters);
      const { threadId, userId } = message;
      const { today, timeZone, locale } = message;
      const messageId = message.messageId ?? parts.newId();
      const runId = message.runId ?? parts.newId();
      const queued = await enqueue(parts, {
        threadId,
        userId,
        messageId,
        title: titleOf(text),
        text,
        run: { runId, threadId, userId, today, timeZone, locale },
      });
      if (queued === "foreign") throw new ForeignThreadError(threadId);
      const held = await parts.store.holdLease(
        { threadId, owner: parts.newId(), waitMs: LEASE_WAIT_MS, signal: stop ?? null },
        async ({ lease, signal }) =>
          workOff({ threadId, userId, parts, attempts, onEvent, stop, trace, lease, lost: signal }),
      );
      if (!held.held || held.result === "lost") return "held-elsewhere";
      const missed = held.result !== "failed" && !held.result.includes(messageId);
      return missed ? "answered-elsewhere" : "worked-off";
    },
  };
}

type Enqueued = Parameters<TurnDriverParts["store"]["enqueue"]>[0];

/** Puts a message into the inbox, in a second try where the database was away: its id makes it one. */
async function enqueue(
  parts: TurnDriverParts,
  message: Enqueued,
): Promise<"queued" | "repeated" | "foreign"> {
  try {
    return await parts.store.enqueue(message);
  } catch (error) {
    if (databaseFaultIn(error) === null) throw error;
  }
  try {
    await parts.restore?.();
    return await parts.store.enqueue(message);
  } catch (error) {
    const fault = databaseFaultIn(error);
    throw fault === null ? error : new MessageNotTakenError(fault);
  }
}

/**
 * The messages that were run here; `failed` when a turn failed, and what waits behind it goes on
 * waiting; `lost` when the thread went to another process, which goes on with it.
 */
type WorkedOff = readonly string[] | "failed" | "lost";

async function workOff(work: ThreadWork): Promise<WorkedOff> {
  const run: string[] = [];
  // Once: a turn under which the database goes down again and again is left for later.
  let mayRestore = true;
  for (;;) {
    try {
      const message = await work.parts.store.nextMessage(work);
      if (message === null) return run;
      run.push(message.messageId);
      const end = await runMessage(message, work, { mayRestore });
      if (end === "failed") return "failed";
      if (end === "restored") mayRestore = false;
    } catch (error) {
      if (isLeaseLost(error)) return "lost";
      if (databaseFaultIn(error) === null) throw error;
      // Between two turns, or before the first.
      const { isBack, failure } = await restoreFor(work, { mayRestore });
      if (!isBack) throw failure ?? error;
      mayRestore = false;
    }
  }
}

/**
 * How running a message ended: `failed` when it stays to be tried again, `restored` when it can be
 * at once, on a database that was brought back.
 */
type MessageEnd = "ended" | "failed" | "restored";

/** Runs one message's turn to its end. */
async function runMessage(
  message: WaitingMessage,
  work: ThreadWork,
  { mayRestore }: { readonly mayRestore: boolean },
): Promise<MessageEnd> {
  const { parts, threadId, lease } = work;
  const { values, stage } = await loadThread(parts.graph, work);
  const taken = values.input?.messageId === message.messageId;
  if (taken && stage === "rested") {
    // The turn ended and only the inbox did not hear of it.
    const turn = values.turn ?? null;
    await parts.store.finishMessage({ ...message, lease, outcome: "answered", turn });
    return "ended";
  }
  const run = RunSchema.parse(message.run);
  const sequence = createEventSequence({
    thread: threadId,
    turn: (values.turn ?? 0) + (taken && stage === "begun" ? 0 : 1),
    run: run.runId,
    now: parts.now,
    resumed: taken,
  });
  const turn: EndingTurn = { message, work, sequence };
  sequence.next({ type: "turn-start", message: message.text }).forEach(work.onEvent);
  let isCounted = false;
  try {
    if (stage !== "rested" && !taken) await finishOlder(work);
    const attempts = await work.attempts.begin({ ...message, lease });
    isCounted = true;
    if (attempts > parts.limits.attemptsPerMessage) {
      await giveUpTurn(turn);
      return "ended";
    }
    await streamTurn(taken ? null : inputOf(message, run), { work, sequence });
    await finishTurn(turn, "answered");
    return "ended";
  } catch (error) {
    return failTurn(error, turn, { isCounted, mayRestore });
  }
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
 * Stops a turn that was told to stop, and says of any other why it failed.
 *
 * @throws LeaseLostError, after it was told: the turn is another process's by now.
 */
async function failTurn(error: unknown, turn: EndingTurn, failed: FailedTry): Promise<MessageEnd> {
  const { work, sequence } = turn;
  // What a lost lease cuts off fails in many ways: it alone is the reason.
  const { reason }: { readonly reason: unknown } = work.lost;
  let cause = isLeaseLost(reason) ? reason : error;
  if (work.stop?.aborted === true && !isLeaseLost(cause)) {
    try {
      await stopTurn(turn);
      return "ended";
    } catch (failure) {
      cause = failure;
    }
  }
  const fault = isLeaseLost(cause) ? null : databaseFaultIn(cause);
  const restored = fault === null ? NOT_TRIED : await restoreFor(work, failed);
  work.parts.onFailure?.(cause);
  const told =
    fault !== null && restored.isBack
      ? { code: "database_unavailable", message: `${fault.message}. ${RESTORED}` }
      : describeError(restored.failure ?? cause);
  sequence.end({ type: "error", ...told }).forEach(work.onEvent);
  // Neither is the turn's own failure.
  const isExcused = fault !== null || isLeaseLost(cause);
  if (isExcused && failed.isCounted) {
    await work.attempts.excuse({ ...turn.message, lease: work.lease });
  }
  if (isLeaseLost(cause)) throw cause;
  return restored.isBack ? "restored" : "failed";
}

const RESTORED = "It was started again, and your message is taken up once more";

/** Whether the database is back; `failure` is why it could not be brought back. */
interface Restored {
  readonly isBack: boolean;
  readonly failure: unknown;
}

const NOT_TRIED: Restored = { isBack: false, failure: null };

async function restoreFor(
  { parts, stop }: ThreadWork,
  { mayRestore }: Pick<FailedTry, "mayRestore">,
): Promise<Restored> {
  if (parts.restore === undefined || !mayRestore || stop?.aborted === true) return NOT_TRIED;
  try {
    return { isBack: await parts.restore(), failure: null };
  } catch (failure) {
    return { isBack: false, failure };
  }
}

/** An older turn that never reached its end, and for which no message waits, ends before a new one begins. */
async function finishOlder(work: ThreadWork): Promise<void> {
  try {
    await streamTurn(null, { work, sequence: null });
  } catch (error) {
    if (work.lost.aborted || isLeaseLost(error) || databaseFaultIn(error) !== null) throw error;
    work.parts.onFailure?.(error);
    await abandonTurn(work);
  }
}

function titleOf(text: string): string {
  const line = text.replace(/\s+/gu, " ").trim();
  return [...line].slice(0, 60).join("");
}
