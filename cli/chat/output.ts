import { once } from "node:events";
import type { Writable } from "node:stream";

/** A stream such as standard output whose reader may go away: its errors end nothing. */
export class Output {
  readonly #stream: Writable;
  #isOpen = true;
  #failure: Error | null = null;

  constructor(stream: Writable) {
    this.#stream = stream;
    stream.on("error", (error: NodeJS.ErrnoException) => {
      this.#isOpen = false;
      if (error.code !== "EPIPE" && error.code !== "ERR_STREAM_DESTROYED") this.#failure ??= error;
    });
  }

  write(text: string): void {
    if (this.#isOpen) this.#stream.write(text);
  }

  /** Returns false once the reader has gone away: what is written then is discarded. */
  isOpen(): boolean {
    return this.#isOpen;
  }

  /** Waits until the stream accepts more, so that a slow reader slows the program down. */
  async drain(): Promise<void> {
    if (!this.#isOpen || !this.#stream.writableNeedDrain) return;
    // `once` rejects when the stream fails, which the listener above has noted by then.
    await once(this.#stream, "drain").catch(() => undefined);
  }

  /** Returns the error that writing failed with; null if the reader just went away. */
  failure(): Error | null {
    return this.#failure;
  }
}
