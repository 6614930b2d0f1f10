import type { TurnEvent } from "../../driver/events.ts";
import type { TurnDriver } from "../../driver/run-turn.ts";
import type { Assistant } from "../../app/open-assistant.ts";
import type { AppLog } from "../../app/log.ts";
import type { ChatOptions } from "./arguments.ts";
import type { Interrupts } from "./interrupts.ts";
import { sendMessage } from "./send-message.ts";

/** A conversation in progress: who talks, in which thread, to what. */
export interface Chat {
  readonly assistant: Pick<Assistant, "storage" | "limits"> & {
    readonly driver: Pick<TurnDriver, "send" | "replayTurn">;
  };
  readonly options: ChatOptions;
  readonly interrupts: Interrupts;
  readonly log: AppLog;
  /** The day it is for the person, `YYYY-MM-DD`. */
  readonly today: () => string;
  readonly now: () => Date;
  readonly newId: () => string;
  /** A short id that a person can type. */
  readonly newThreadId: () => string;
}

const WAITING =
  "Waiting: another process works on this conversation, or was cut off a moment ago (then it goes on within 15 seconds) …";

/** Sends one message and waits for the end of its turn, which Ctrl-C may bring on. */
export async function sendText(
  chat: Chat,
  message: {
    readonly threadId: string;
    readonly text: string;
    readonly onEvent: (event: TurnEvent) => void;
    /** Takes one line for the person when the answer has to wait. */
    readonly onWaiting: (line: string) => void;
    /** Whether the sending of an earlier message has told what came of this one. */
    readonly isTold?: () => boolean;
  },
): Promise<void> {
  const { assistant, options, interrupts, log, now, newId } = chat;
  const { threadId, text, onEvent, onWaiting, isTold = () => false } = message;
  const { userId, timeZone, locale, trace } = options;
  log.said({ threadId, text });
  await interrupts.runTurn((stop) =>
    sendMessage(
      { threadId, userId, text, today: chat.today(), timeZone, locale },
      {
        driver: assistant.driver,
        onEvent,
        stop,
        trace,
        now,
        newId,
        isReported: isTold,
        onWaiting: () => onWaiting(WAITING),
        onFailure: (error) => log.error(error, "A message could not be sent"),
      },
    ),
  );
}
