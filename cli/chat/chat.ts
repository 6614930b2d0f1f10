import type { TurnEvent } from "../../state/event.ts";
import type { TurnDriver } from "../../driver/turn-driver.ts";
import type { Assistant } from "../../app/open-assistant.ts";
import type { AppLog } from "../../app/log.ts";
import type { ChatOptions } from "./arguments.ts";
import type { Interrupts } from "./interrupts.ts";
import { sendMessage, WAITING_MS } from "./send-message.ts";

/** A conversation in progress and the parts that it needs. */
export interface ChatContext {
  readonly assistant: Pick<Assistant, "storage" | "limits"> & {
    readonly driver: Pick<TurnDriver, "send" | "resume" | "replayTurn">;
  };
  readonly options: ChatOptions;
  readonly interrupts: Interrupts;
  readonly log: AppLog;
  /** Returns the current day of the person, `YYYY-MM-DD`. */
  readonly today: () => string;
  readonly now: () => Date;
  readonly newId: () => string;
  /** Returns a short id that a person can type. */
  readonly newThreadId: () => string;
}

const WAITING =
  "Waiting: another process is working on this conversation, or was cut off a moment ago (then it resumes within 15 seconds) …";

/** A thread and the receivers of what happens in it. */
export interface ThreadReceivers {
  readonly threadId: string;
  readonly onEvent: (event: TurnEvent) => void;
  /** Receives one line for the person when the answer has to wait. */
  readonly onWaiting: (line: string) => void;
}

/** A message of the person and the receivers of what follows. */
export interface TextToSend extends ThreadReceivers {
  readonly text: string;
  /** Returns true once the sending of an earlier message has reported the outcome of this one. */
  readonly isReported?: () => boolean;
}

/** Sends one message and waits for the end of its turn; Ctrl-C stops the turn. */
export async function sendText(chat: ChatContext, message: TextToSend): Promise<void> {
  const { assistant, options, interrupts, log, now, newId } = chat;
  const { threadId, text, onEvent, onWaiting, isReported = () => false } = message;
  const { userId, timeZone, locale, trace } = options;
  log.noteMessage({ threadId, text });
  await interrupts.runTurn((stop) =>
    sendMessage(
      { threadId, userId, text, today: chat.today(), timeZone, locale, audience: "operator" },
      {
        driver: assistant.driver,
        onEvent,
        stop,
        trace,
        now,
        newId,
        isReported: isReported,
        onWaiting: () => onWaiting(WAITING),
        onFailure: (error) => log.error(error, "A message could not be sent"),
      },
    ),
  );
}

/**
 * Continues the messages of a thread that an earlier process left unfinished; Ctrl-C stops them.
 * Does nothing where none waits. What cannot be continued now is kept, with the reason in the log.
 */
export async function continueThread(chat: ChatContext, to: ThreadReceivers): Promise<void> {
  const { assistant, options, interrupts, log } = chat;
  const waiting = setTimeout(() => to.onWaiting(WAITING), WAITING_MS);
  const onEvent = (event: TurnEvent): void => {
    clearTimeout(waiting);
    to.onEvent(event);
  };
  try {
    const thread = { threadId: to.threadId, userId: options.userId };
    await interrupts.runTurn((stop) =>
      assistant.driver.resume(thread, { onEvent, stop, trace: options.trace }),
    );
  } catch (error) {
    log.error(error, "An unfinished message could not be continued");
  } finally {
    clearTimeout(waiting);
  }
}
