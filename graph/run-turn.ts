import { RunSchema, type Run } from "../state/turn.ts";
import { cleanMessage } from "./clean-message.ts";
import { finishTurn, giveUpTurn, stopTurn, type EndingTurn } from "./close-turn.ts";
import type { WaitingMessage } from "./conversation-store.ts";
import { createEventSequence, type TurnEvent } from "./events.ts";
import { loadThread } from "./load-thread.ts";
import {
  abandonTurn,
  streamTurn,
  type GraphInput,
  type ThreadWork,
  type TurnDriverParts,
} from "./thread-work.ts";
import { describeError, ForeignThreadError, isLeaseLost } from "./turn-errors.ts";

export type { TurnDriverParts } from "./thread-work.ts";

/** A message on its way into a thread. */
export interface SentMessage {
  readonly threadId: string;
  readonly userId: string;
  readonly text: string;
  /** Makes sending idempotent; minted where it is left out. */
  readonly messageId?: string;
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
   * to `onEvent`; a turn that fails ends with an `error` event and stays resumable.
   *
   * `stop` stops the turn that runs, cleanly: what it has done is kept and recorded.
   *
   * @throws MessageRefusedError, ForeignThreadError; errors of the database before a turn began.
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
}

/** How long a message waits for a thread that another process works on. */
const LEASE_WAIT_MS = 120_000;

/** Makes the driver that surrounds the graph: inbox, lease, resumption, stopping, pruning. */
export function createTurnDriver(parts: TurnDriverParts): TurnDriver {
  return {
    send: async (message, { onEvent, stop, trace = true }) => {
      const text = cleanMessage(message.text, parts.limits.messageCharacters);
      const { threadId, userId } = message;
      const { today, timeZone, locale } = message;
      const messageId = message.messageId ?? parts.newId();
      const queued = await parts.store.enqueue({
        threadId,
        userId,
        messageId,
        title: titleOf(text),
        text,
        run: { runId: parts.newId(), threadId, userId, today, timeZone, locale },
      });
      if (queued === "foreign") throw new ForeignThreadError(threadId);
      const held = await parts.store.holdLease(
        { threadId, owner: parts.newId(), waitMs: LEASE_WAIT_MS, signal: stop ?? null },
        async ({ lease, signal }) =>
          workOff({ threadId, userId, parts, onEvent, stop, trace, lease, lost: signal }),
      );
      if (!held.held || held.result === "lost") return "held-elsewhere";
      const missed = held.result !== "failed" && !held.result.includes(messageId);
      return missed ? "answered-elsewhere" : "worked-off";
    },
  };
}

/**
 * The messages that were run here; `failed` when a turn failed, and what waits behind it goes on
 * waiting; `lost` when the thread went to another process, which goes on with it.
 */
type WorkedOff = readonly string[] | "failed" | "lost";

async function workOff(work: ThreadWork): Promise<WorkedOff> {
  const run: string[] = [];
  try {
    for (;;) {
      const message = await work.parts.store.nextMessage(work);
      if (message === null) return run;
      run.push(message.messageId);
      const finished = await runMessage(message, work);
      if (!finished) return "failed";
    }
  } catch (error) {
    if (isLeaseLost(error)) return "lost";
    throw error;
  }
}

/** Runs one message's turn to its end; false when it failed and stays to be tried again. */
async function runMessage(message: WaitingMessage, work: ThreadWork): Promise<boolean> {
  const { parts, threadId, lease } = work;
  const { values, stage } = await loadThread(parts.graph, work);
  const taken = values.input?.messageId === message.messageId;
  if (taken && stage === "rested") {
    // The turn ended and only the inbox did not hear of it.
    await parts.store.finishMessage({ ...message, lease, outcome: "answered" });
    return true;
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
  try {
    if (stage !== "rested" && !taken) await finishOlder(work);
    const attempts = await parts.store.countAttempt({ ...message, lease });
    if (attempts > parts.limits.attemptsPerMessage) {
      await giveUpTurn(turn);
      return true;
    }
    await streamTurn(taken ? null : inputOf(message, run), { work, sequence });
    await finishTurn(turn, "answered");
    return true;
  } catch (error) {
    return failTurn(error, turn);
  }
}

function inputOf(message: WaitingMessage, run: Run): GraphInput {
  return { input: { messageId: message.messageId, text: message.text }, run };
}

/**
 * Stops a turn that was told to stop, and says of any other why it failed; false when it stays to be tried again.
 *
 * @throws LeaseLostError, after it was told: the turn is another process's by now.
 */
async function failTurn(error: unknown, turn: EndingTurn): Promise<boolean> {
  const { work, sequence } = turn;
  // What a lost lease cuts off fails in many ways: it alone is the reason.
  const { reason }: { readonly reason: unknown } = work.lost;
  let cause = isLeaseLost(reason) ? reason : error;
  if (work.stop?.aborted === true && !isLeaseLost(cause)) {
    try {
      await stopTurn(turn);
      return true;
    } catch (failure) {
      cause = failure;
    }
  }
  work.parts.onFailure?.(cause);
  sequence.end({ type: "error", ...describeError(cause) }).forEach(work.onEvent);
  if (isLeaseLost(cause)) throw cause;
  return false;
}

/** An older turn that never reached its end, and for which no message waits, ends before a new one begins. */
async function finishOlder(work: ThreadWork): Promise<void> {
  try {
    await streamTurn(null, { work, sequence: null });
  } catch (error) {
    if (work.lost.aborted || isLeaseLost(error)) throw error;
    work.parts.onFailure?.(error);
    await abandonTurn(work);
  }
}

function titleOf(text: string): string {
  const line = text.replace(/\s+/gu, " ").trim();
  return [...line].slice(0, 60).join("");
}
