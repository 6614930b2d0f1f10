import type { TurnEvent } from "../../driver/events.ts";
import { sendText, type Chat } from "./chat.ts";

/** The messages of a person in one thread, sent one after the other. */
export interface Dialogue {
  /**
   * Sends a message and waits until the person may send the next one: until its turn ends, or until
   * only the experts still work on the plan's next step. The turn then ends by itself.
   */
  send(text: string): Promise<void>;
  /** Returns true if a message with this text was sent here and is not processed yet. */
  isAwaitingAnswer(text: string): boolean;
  /** Returns true while a turn is running. */
  isBusy(): boolean;
  /** Waits until no turn is running. */
  waitUntilIdle(): Promise<void>;
}

export interface DialogueOptions {
  readonly threadId: string;
  /** Receives the events of all turns; those of one turn arrive in order. */
  readonly onEvent: (event: TurnEvent) => void;
  /** Receives one line for the person when an answer has to wait. */
  readonly onWaiting: (line: string) => void;
}

/** A message that was sent and is not processed yet. Its turn is found by the text in the events. */
interface SentText {
  readonly text: string;
  /** True once its turn has begun. */
  begun: boolean;
  /** Lets the person send the next message. */
  readonly release: () => void;
}

const WAITING_FOR_OWN = "Your message is next: the experts are being stopped …";

/**
 * Opens the dialogue in a thread.
 *
 * Messages are sent at once, even while an earlier turn runs: the driver ends that turn and keeps
 * the messages in order. Whichever call processes the thread emits the events of both turns.
 */
export function createDialogue(chat: Chat, options: DialogueOptions): Dialogue {
  const { threadId, onEvent, onWaiting } = options;
  const sent = new Set<SentText>();
  const running = new Set<Promise<void>>();
  let current: SentText | null = null;

  function receive(event: TurnEvent): void {
    if (event.type === "turn-start") {
      const same = [...sent].filter(({ text }) => isSame(text, event.message));
      // A turn that has begun already is being tried again.
      current = same.find(({ begun }) => !begun) ?? same[0] ?? null;
      if (current !== null) current.begun = true;
    }
    onEvent(event);
    // Step help starts after the last reply: this turn has nothing more to say.
    if (event.type === "expert-start" && event.purpose === "step-help") current?.release();
  }

  return {
    async send(text) {
      const { promise: released, resolve: release } = Promise.withResolvers<void>();
      const message: SentText = { text, begun: false, release };
      const behindOwn = running.size > 0;
      sent.add(message);
      const sending = sendText(chat, {
        threadId,
        text,
        onEvent: receive,
        onWaiting: (line) => onWaiting(behindOwn ? WAITING_FOR_OWN : line),
        isReported: () => message.begun,
      }).finally(() => {
        sent.delete(message);
        running.delete(sending);
      });
      running.add(sending);
      sending.catch((error: unknown) =>
        chat.log.error(error, "The events of a turn could not be received"),
      );
      await Promise.race([released, sending]);
    },
    isAwaitingAnswer: (text) => [...sent].some((message) => isSame(message.text, text)),
    isBusy: () => running.size > 0,
    async waitUntilIdle() {
      await Promise.allSettled(running);
    },
  };
}

/** Compares a text with a turn's message, from which the driver has removed NUL characters. */
function isSame(text: string, message: string): boolean {
  return text.replaceAll("\0", "").trim() === message.trim();
}
