import { createEventSequence } from "../../driver/events.ts";
import type { TurnEvent } from "../../state/event.ts";
import type { SendOutcome, SentMessage, TurnDriver } from "../../driver/turn-driver.ts";
import {
  describeError,
  ForeignThreadError,
  MessageNotStoredError,
  MessageRefusedError,
} from "../../driver/turn-errors.ts";

export interface SendMessageOptions {
  readonly driver: Pick<TurnDriver, "send" | "replayTurn">;
  readonly onEvent: (event: TurnEvent) => void;
  readonly stop: AbortSignal;
  readonly trace: boolean;
  readonly now: () => Date;
  readonly newId: () => string;
  /** Called once when no event has arrived for a while: another process may hold the thread. */
  readonly onWaiting: () => void;
  /** Returns true once the sending of an earlier message has reported the outcome of this one. */
  readonly isReported: () => boolean;
  /** Receives errors that no turn has reported. */
  readonly onFailure: (error: unknown) => void;
}

/** The time a message waits before `onWaiting` is called. */
export const WAITING_MS = 1_500;

/** The characters of a rejected message that its events repeat. */
const QUOTED_CHARACTERS = 1_000;

/**
 * Sends a message and emits everything that follows as events.
 *
 * Contract: never rejects because of an error that the driver reports. A message that never became a
 * turn (it was rejected, the database is gone, another process holds the thread) gives `turn-start`
 * and `error` with turn 0, so consumers need to know one order only. The answer of another process
 * is replayed as if it had been given here. All events of a message carry the same run.
 */
export async function sendMessage(
  message: SentMessage,
  options: SendMessageOptions,
): Promise<void> {
  const { driver, stop, trace } = options;
  const waiting = setTimeout(options.onWaiting, WAITING_MS);
  const { newId } = options;
  const identity = { messageId: message.messageId ?? newId(), runId: message.runId ?? newId() };
  const sent = { ...message, ...identity };
  let hasEnded = false;
  const onEvent = (event: TurnEvent): void => {
    clearTimeout(waiting);
    if (event.run === sent.runId && (event.type === "error" || event.type === "turn-end")) {
      hasEnded = true;
    }
    options.onEvent(event);
  };
  try {
    const outcome = await driver.send(sent, { onEvent, stop, trace });
    const reason = NOT_ANSWERED_HERE[outcome];
    // The error that ended its own turn is enough.
    if (reason === null || hasEnded || options.isReported()) return;
    if (outcome === "answered-elsewhere" && (await driver.replayTurn(sent, onEvent))) return;
    refuse(sent, options, reason);
  } catch (error) {
    if (stop.aborted && options.isReported()) return;
    if (hasEnded) {
      // An error after its end belongs to the next message.
      options.onFailure(error);
      return;
    }
    const reason = describeFailure(error, stop);
    if (reason.code === "internal") options.onFailure(error);
    refuse(sent, options, reason);
  } finally {
    clearTimeout(waiting);
  }
}

/** The reason why a message was not sent: a stable code and one sentence. */
interface Reason {
  readonly code: string;
  readonly message: string;
}

/** The reason to report for each outcome; null if this process has answered. */
const NOT_ANSWERED_HERE: Readonly<Record<SendOutcome, Reason | null>> = {
  processed: null,
  "answered-elsewhere": {
    code: "answered-elsewhere",
    message: "Another process has answered this message, and its reply is no longer stored",
  },
  "held-elsewhere": {
    code: "thread-busy",
    message:
      "Cannot answer yet: another process is working on this thread; the message is kept and will be answered before the next one",
  },
};

function describeFailure(error: unknown, stop: AbortSignal): Reason {
  // These are never stored, whether the turn was stopped or not.
  const isRefused = error instanceof MessageRefusedError || error instanceof ForeignThreadError;
  if (isRefused || error instanceof MessageNotStoredError) {
    return { code: error.code, message: error.message };
  }
  if (stop.aborted) {
    return {
      code: "stopped",
      message:
        "Stopped before its turn began; the message is kept and will be answered before the next one",
    };
  }
  return describeError(error, "operator");
}

function refuse(
  message: SentMessage & { readonly messageId: string; readonly runId: string },
  { onEvent, now }: SendMessageOptions,
  reason: Reason,
): void {
  const sequence = createEventSequence({
    thread: message.threadId,
    turn: 0,
    run: message.runId,
    now,
    resumed: false,
  });
  const quoted = message.text.slice(0, QUOTED_CHARACTERS).toWellFormed();
  sequence
    .next({ type: "turn-start", messageId: message.messageId, message: quoted })
    .forEach(onEvent);
  sequence.end({ type: "error", ...reason }).forEach(onEvent);
}
