import { createEventSequence, type TurnEvent } from "../../graph/events.ts";
import type { SentMessage, TurnDriver } from "../../graph/run-turn.ts";
import { describeError, ForeignThreadError, MessageRefusedError } from "../../graph/turn-errors.ts";

export interface SendOptions {
  readonly driver: TurnDriver;
  readonly onEvent: (event: TurnEvent) => void;
  readonly stop: AbortSignal;
  readonly trace: boolean;
  readonly now: () => Date;
  readonly newId: () => string;
  /** Gets errors that no turn has reported. */
  readonly onFailure: (error: unknown) => void;
}

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
  const { driver, onEvent, stop, trace } = options;
  try {
    const outcome = await driver.send(message, { onEvent, stop, trace });
    if (outcome === "held-elsewhere") {
      refuse(message, options, {
        code: "thread-busy",
        message:
          "Cannot answer yet: another process is working on this thread; the message is kept and will be answered before the next one",
      });
    }
  } catch (error) {
    const reason = reasonOf(error, stop);
    if (reason.code === "internal") options.onFailure(error);
    refuse(message, options, reason);
  }
}

/** Why a message was not sent: a stable code and one sentence. */
interface Reason {
  readonly code: string;
  readonly message: string;
}

function reasonOf(error: unknown, stop: AbortSignal): Reason {
  if (error instanceof MessageRefusedError || error instanceof ForeignThreadError) {
    return { code: error.code, message: error.message };
  }
  if (stop.aborted) {
    return {
      code: "stopped",
      message:
        "Stopped while another process works on this thread; the message is kept and will be answered before the next one",
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
