import { RunSchema } from "../state/turn.ts";
import { createAttempts, type Attempts } from "./attempts.ts";
import { createCleaning, type Cleaning } from "./cleaning.ts";
import { cleanMessage } from "./clean-message.ts";
import type { UserMessage, UserThread } from "../state/conversation-store.ts";
import type { TurnEvent } from "./events.ts";
import { replayTurn } from "./replay-turn.ts";
import type { RunObserver } from "./run-observer.ts";
import type { TurnDriverParts } from "./thread-work.ts";
import { createTitle } from "./thread-title.ts";
import { findDatabaseFault, ForeignThreadError, MessageNotTakenError } from "./turn-errors.ts";
import { recoverBetweenTurns, drainInbox, type DrainResult } from "./drain-inbox.ts";

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
 * Outcome of sending: processed here, answered earlier or by another process, or handed to the
 * process that holds the thread.
 */
export type SendOutcome = "worked-off" | "answered-elsewhere" | "held-elsewhere";

/**
 * Outcome of working on a thread. `worked-off`: nothing waits. `failed`: the turn of the only message
 * that waits failed, and it waits for the next one. `held-elsewhere`: another process has the
 * thread; `lost`: another process took it over. `interrupted`: the database was unavailable. `left`: this
 * process is shutting down. After the last four, the next process continues where the thread is.
 */
export type WorkOutcome =
  | "worked-off"
  | "failed"
  | "held-elsewhere"
  | "lost"
  | "interrupted"
  | "left";

export interface TurnDriver {
  /**
   * Puts a message into its thread and drains the inbox, oldest first, until nothing waits:
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
   * Drains a thread's inbox, oldest message first; `observer` follows every run.
   * A turn that fails is tried again at once where others wait behind it, until it is answered or
   * given up.
   *
   * `stop` leaves the turn that runs as it is, between two of its steps and without an end. `waitMs`
   * is how long to wait for a thread that another process has.
   *
   * @throws what `observer` throws, and errors before a turn begins, unless the database is
   * unavailable.
   */
  work(
    thread: UserThread,
    options: {
      readonly observer: RunObserver;
      readonly stop?: AbortSignal;
      readonly waitMs: number;
    },
  ): Promise<WorkOutcome>;
  /**
   * Replays the replies and record of a message that was processed elsewhere or before, as a turn's
   * events. Returns false if nothing is stored for it.
   */
  replayTurn(message: UserMessage, onEvent: (event: TurnEvent) => void): Promise<boolean>;
}

/** Longest wait for a thread that another process holds. */
const LEASE_WAIT_MS = 120_000;

/** Makes the driver that surrounds the graph: inbox, lease, resumption, stopping, pruning. */
export function createTurnDriver(parts: TurnDriverParts): TurnDriver {
  const { store, now, onFailure } = parts;
  const lasting = {
    attempts: createAttempts(store),
    cleaning: createCleaning({
      store,
      days: parts.limits.repetitionDays,
      now,
      ...(onFailure !== undefined && { onFailure }),
    }),
  };
  return {
    replayTurn: (message, onEvent) => replayTurn(message, { store, now, onEvent }),
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
        title: createTitle(text),
        text,
        run: { runId, threadId, userId, today, timeZone, locale },
      });
      if (queued === "foreign") throw new ForeignThreadError(threadId);
      const worked = await drainUnderLease(parts, {
        thread: { threadId, userId },
        ...lasting,
        observer: createForwardingObserver(onEvent, stop, trace),
        waitMs: LEASE_WAIT_MS,
        signal: stop,
        handOff: undefined,
        retryWhenOthersWait: false,
      });
      if (worked === null || worked.outcome === "lost") return "held-elsewhere";
      const missed = worked.outcome === "worked-off" && !worked.messageIds.includes(messageId);
      return missed ? "answered-elsewhere" : "worked-off";
    },
    work: (thread, { observer, stop, waitMs }) =>
      drainUntilEmpty(parts, {
        thread,
        ...lasting,
        observer,
        waitMs,
        signal: stop,
        handOff: stop,
        retryWhenOthersWait: true,
      }),
  };
}

/** Creates an observer that forwards every event to one listener and stores no run. */
function createForwardingObserver(
  onEvent: (event: TurnEvent) => void,
  stop: AbortSignal | undefined,
  trace: boolean,
): RunObserver {
  // A turn that is retried in this process has the same listener, which must not get a reply twice.
  const sentReplies = new Set<string>();
  return {
    begin: async ({ run }) => {
      const { runId } = RunSchema.parse(run);
      return { runId, sentEvents: null, sentReplies: [...sentReplies], stop, modes: [], trace };
    },
    onEvent(event) {
      if (event.type === "reply") sentReplies.add(event.reply);
      onEvent(event);
    },
    onChunk: () => undefined,
    end: async () => false,
  };
}

interface DrainRequest {
  readonly thread: UserThread;
  readonly attempts: Attempts;
  readonly cleaning: Cleaning;
  readonly observer: RunObserver;
  readonly waitMs: number;
  /** Ends the wait for the thread. */
  readonly signal: AbortSignal | undefined;
  readonly handOff: AbortSignal | undefined;
  readonly retryWhenOthersWait: boolean;
}

/** Null where another process kept the thread. */
async function drainUnderLease(
  parts: TurnDriverParts,
  working: DrainRequest,
): Promise<DrainResult | null> {
  const { thread, waitMs, signal, ...rest } = working;
  let isHeld = false;
  const hold = async (): Promise<DrainResult | null> => {
    const held = await parts.store.holdLease(
      { threadId: thread.threadId, owner: parts.newId(), waitMs, signal: signal ?? null },
      async ({ lease, signal: leaseLost }) => {
        isHeld = true;
        return drainInbox({ ...thread, ...rest, parts, lease, leaseLost });
      },
    );
    return held.held ? held.result : null;
  };
  try {
    return await hold();
  } catch (error) {
    if (isHeld) throw error;
    await recoverBetweenTurns(error, {
      work: { parts, handOff: working.handOff },
      mayRestore: true,
    });
    return hold();
  }
}

async function drainUntilEmpty(
  parts: TurnDriverParts,
  working: DrainRequest,
): Promise<WorkOutcome> {
  const { thread, handOff } = working;
  try {
    for (;;) {
      const worked = await drainUnderLease(parts, working);
      if (worked === null) return "held-elsewhere";
      const { outcome } = worked;
      if (outcome === "unreadable") return "failed";
      if (outcome !== "worked-off" && outcome !== "failed") return outcome;
      // A message that came in at the very end found the thread held.
      const waiting = await parts.store.countWaiting(thread);
      if (waiting <= (outcome === "failed" ? 1 : 0) || handOff?.aborted === true) return outcome;
    }
  } catch (error) {
    if (handOff?.aborted === true) return "left";
    if (findDatabaseFault(error) === null) throw error;
    parts.onFailure?.(error);
    return "interrupted";
  }
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
    if (findDatabaseFault(error) === null) throw new MessageNotTakenError(error);
  }
  try {
    await parts.restore?.();
    return await parts.store.enqueue(message);
  } catch (error) {
    throw new MessageNotTakenError(error);
  }
}
