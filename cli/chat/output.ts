import { once } from "node:events";
import type { Writable } from "node:stream";

/** A stream to print to whose reader may go away. */
export interface Output {
  write(text: string): void;
  /** False once the reader has gone away: what is written then goes nowhere. */
  isOpen(): boolean;
  /** Waits until what was written is on its way, so that a slow reader slows the program down. */
  drained(): Promise<void>;
  /** Why writing failed; null where it has not, or where the reader just went away. */
  failure(): Error | null;
}

/** Wraps a stream such as standard output; from then on its errors end nothing. */
export function createOutput(stream: Writable): Output {
  let open = true;
  let failure: Error | null = null;
  stream.on("error", (error: NodeJS.ErrnoException) => {
    open = false;
    if (error.code !== "EPIPE" && error.code !== "ERR_STREAM_DESTROYED") failure ??= error;
  });
  return {
    write(text) {
      if (open) stream.write(text);
    },
    isOpen: () => open,
    async drained() {
      if (!open || !stream.writableNeedDrain) return;
      // `once` rejects when the stream fails, which the listener above has noted by then.
      await once(stream, "drain").catch(() => undefined);
    },
    failure: () => failure,
  };
}
