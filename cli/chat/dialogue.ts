import type { TurnEvent } from "../../driver/events.ts";
import { sendText, type Chat } from "./chat.ts";

/** What a person says in one thread, and what comes of it. */
export interface Dialogue {
  /**
   * Sends a message, and waits until the person may go on: for the end of its turn, or until only
   * the experts still work in it, who look at the plan's next step. The turn then ends by itself.
   */
  send(text: string): Promise<void>;
  /** Whether a message with this text has been sent here and is not worked off yet. */
  isAwaitingAnswer(text: string): boolean;
  /** Whether a turn runs. */
  isBusy(): boolean;
  /** Waits until none runs. */
  waitUntilIdle(): Promise<void>;
}

export interface DialogueOptions {
  readonly threadId: string;
  /** Gets the events of all turns, each turn's in their order. */
  readonly onEvent: (event: TurnEvent) => void;
  /** Takes one line for the person when an answer has to wait. */
  readonly onWaiting: (line: string) => void;
}

/** A message on its way: which turn is its own shows in the events. */
interface SentText {
  readonly text: string;
  /** Whether its turn has begun. */
  begun: boolean;
  /** Lets the person go on. */
  readonly release: () => void;
}

const WAITING_FOR_OWN = "Your message comes next: the experts are just being brought to an end …";

/**
 * Opens the dialogue in a thread.
 *
 * Messages are sent at once, though an earlier turn may still run: the driver brings that one to an
 * end and keeps them in order. Whichever sending works the thread off tells the turns of both.
 */
export function createDialogue(chat: Chat, options: DialogueOptions): Dialogue {
  const { threadId, onEvent, onWaiting } = options;
  const sent = new Set<SentText>();
  const running = new Set<Promise<void>>();
  let current: SentText | null = null;

  function receive(event: TurnEvent): void {
    if (event.type === "turn-start") {
      const same = [...sent].filter(({ text }) => isSame(text, event.message));
      // One that has begun already is tried again.
      current = same.find(({ begun }) => !begun) ?? same[0] ?? null;
      if (current !== null) current.begun = true;
    }
    onEvent(event);
    // It is asked for with the last reply: nothing more is said in this turn.
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
        isTold: () => message.begun,
      }).finally(() => {
        sent.delete(message);
        running.delete(sending);
      });
      running.add(sending);
      sending.catch((error: unknown) => chat.log.error(error, "A turn could not be followed"));
      await Promise.race([released, sending]);
    },
    isAwaitingAnswer: (text) => [...sent].some((message) => isSame(message.text, text)),
    isBusy: () => running.size > 0,
    async waitUntilIdle() {
      await Promise.allSettled(running);
    },
  };
}

/** Whether a turn's message is this one: the driver takes NUL characters out. */
function isSame(text: string, message: string): boolean {
  return text.replaceAll("\0", "").trim() === message.trim();
}
