import type { TurnEvent } from "../../state/event.ts";
import { continueThread, sendText, type ChatContext, type ThreadReceivers } from "./chat.ts";

/** A message that was sent and is not processed yet. Its turn is found by the text in the events. */
interface SentText {
  readonly text: string;
  /** True once its turn has begun. */
  hasBegun: boolean;
  /** Lets the person send the next message. */
  readonly release: () => void;
}

const WAITING_FOR_OWN = "Your message is next: the experts are being stopped …";

/**
 * The messages of a person in one thread.
 *
 * Messages are sent at once, even while an earlier turn runs: the driver ends that turn and keeps
 * the messages in order. Whichever call processes the thread emits the events of both turns.
 */
export class Dialogue {
  readonly #chat: ChatContext;
  readonly #options: ThreadReceivers;
  readonly #sent = new Set<SentText>();
  readonly #running = new Set<Promise<void>>();
  #current: SentText | null = null;
  /** Lets the person send a message while an older one is continued. */
  #release: (() => void) | null = null;

  constructor(chat: ChatContext, options: ThreadReceivers) {
    this.#chat = chat;
    this.#options = options;
  }

  /**
   * Sends a message and waits until the person may send the next one: until its turn ends, or until
   * only the experts still work on the plan's next step. That turn then ends by itself.
   */
  async send(text: string): Promise<void> {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const { threadId, onWaiting } = this.#options;
    const message: SentText = { text, hasBegun: false, release };
    const isBehindOwn = this.isBusy();
    this.#sent.add(message);
    const sending = sendText(this.#chat, {
      threadId,
      text,
      onEvent: (event) => this.#receive(event),
      onWaiting: (line) => onWaiting(isBehindOwn ? WAITING_FOR_OWN : line),
      isReported: () => message.hasBegun,
    }).finally(() => {
      this.#sent.delete(message);
      this.#running.delete(sending);
    });
    this.#running.add(sending);
    sending.catch((error: unknown) =>
      this.#chat.log.error(error, "The events of a turn could not be received"),
    );
    await Promise.race([released, sending]);
  }

  /**
   * Continues what an earlier process left unfinished in the thread, and waits until the person may
   * send a message, as `send` does.
   */
  async resume(): Promise<void> {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    this.#release = release;
    const { threadId, onWaiting } = this.#options;
    const continuing = continueThread(this.#chat, {
      threadId,
      onEvent: (event) => this.#receive(event),
      onWaiting,
    }).finally(() => this.#running.delete(continuing));
    this.#running.add(continuing);
    await Promise.race([released, continuing]);
  }

  /** Returns true if a message with this text was sent here and is not processed yet. */
  isAwaitingAnswer(text: string): boolean {
    return [...this.#sent].some((message) => isSame(message.text, text));
  }

  /** Returns true while a turn is running. */
  isBusy(): boolean {
    return this.#running.size > 0;
  }

  /** Waits until no turn is running. */
  async waitUntilIdle(): Promise<void> {
    await Promise.allSettled(this.#running);
  }

  #receive(event: TurnEvent): void {
    if (event.type === "turn-start") {
      const same = [...this.#sent].filter(({ text }) => isSame(text, event.message));
      // A turn that has begun already is being tried again.
      this.#current = same.find(({ hasBegun }) => !hasBegun) ?? same[0] ?? null;
      if (this.#current !== null) this.#current.hasBegun = true;
    }
    this.#options.onEvent(event);
    // Step help starts after the last reply: nothing more of this turn needs the person to wait.
    if (event.type !== "expert-start" || event.purpose !== "step-help") return;
    (this.#current?.release ?? this.#release)?.();
  }
}

/** Compares a text with a turn's message, from which the driver has removed NUL characters. */
function isSame(text: string, message: string): boolean {
  return text.replaceAll("\0", "").trim() === message.trim();
}
