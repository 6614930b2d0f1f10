import { createEventSequence, type TurnEvent } from "../../graph/events.ts";
import type { SendOutcome, SentMessage, TurnDriver } from "../../graph/run-turn.ts";
import { describeError, ForeignThreadError, MessageRefusedError } from "../../graph/turn-errors.ts";

export interface SendOptions {
  readonly driver: TurnDriver;
  readonly onEvent: (event: TurnEvent) => void;
  readonly stop: AbortSignal;
  readonly trace: boolean;
  readonly now: () => Date;
  readonly newId: () => string;
  /** Called once when nothing has come of the message for a while: another process may hold the thread. */
  readonly onWaiting: () => void;
  /** Whether what came of the message has been told by the sending of an earlier one. */
  readonly isTold: () => boolean;
  /** Gets errors that no turn has reported. */
  readonly onFailure: (error: unknown) => void;
}

/** How long a message waits in silence. */
const WAITING_MS = 1_500;

/** How much of a message that is refused is repeated. */
const QUOTED_CHARACTERS = 1_000;

/**
 * Sends a message and tells everything that comes of it as events.
 *
 * Contract: never rejects for what the driver reports. A message that never became a turn (refused,
 * the database is gone, another process keeps the thread) is told as a run of `turn-start` and
 * `error` with turn 0, so that consumers need to know one order only.
 */
export async function sendMessage(message: SentMessage, options: SendOptions): Promise<void> {
  const { driver, stop, trace } = options;
  const waiting = setTimeout(options.onWaiting, WAITING_MS);
  const onEvent = (event: TurnEvent): void => {
    clearTimeout(waiting);
    options.onEvent(event);
  };
  try {
    const outcome = await driver.send(message, { onEvent, stop, trace });
    const reason = NOT_ANSWERED_HERE[outcome];
    if (reason !== null && !options.isTold()) refuse(message, options, reason);
  } catch (error) {
    if (stop.aborted && options.isTold()) return;
    const reason = reasonOf(error, stop);
    if (reason.code === "internal") options.onFailure(error);
    refuse(message, options, reason);
  } finally {
    clearTimeout(waiting);
  }
}

/** Why a message was not sent: a stable code and one sentence. */
interface Reason {
  readonly code: string;
  readonly message: string;
}

/** What a message came to that this process has not answered; null where it has. */
const NOT_ANSWERED_HERE: Readonly<Record<SendOutcome, Reason | null>> = {
  "worked-off": null,
  "answered-elsewhere": {
    code: "answered-elsewhere",
    message:
      "Another process that works on this thread has answered this message; inspect shows its reply",
  },
  "held-elsewhere": {
    code: "thread-busy",
    message:
      "Cannot answer yet: another process is working on this thread; the message is kept and will be answered before the next one",
  },
};

function reasonOf(error: unknown, stop: AbortSignal): Reason {
  if (error instanceof MessageRefusedError || error instanceof ForeignThreadError) {
    return { code: error.code, message: error.message };
  }
  if (stop.aborted) {
    return {
      code: "stopped",
      message:
        "Stopped before its turn came; the message is kept and will be answered before the next one",
    };
  }
  return describeError(error);
}

function refuse(message: SentMessage, { onEvent, now, newId }: SendOptions, reason: Reason): void {
  const sequence = createEventSequence({
    thread: message.threadId,
    turn: 0,
    run: newId(),
    now,
    resumed: false,
  });
  const quoted = message.text.slice(0, QUOTED_CHARACTERS).toWellFormed();
  sequence.next({ type: "turn-start", message: quoted }).forEach(onEvent);
  sequence.end({ type: "error", ...reason }).forEach(onEvent);
}
