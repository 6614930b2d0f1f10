import { PassThrough, Writable } from "node:stream";
import { stripVTControlCharacters } from "node:util";
import type { TerminalStream } from "../../cli/chat/screen.ts";

/** A terminal of a test's own: a person types, and sees. */
export interface VirtualTerminal {
  readonly input: PassThrough;
  readonly output: TerminalStream;
  /** Types keys as they are: "\r" for Enter, "\u0003" for Ctrl-C. */
  type(keys: string): void;
  /**
   * Waits until a text has been written and returns everything up to its end since the last such
   * call. Escape sequences and carriage returns are left out.
   */
  see(text: string): Promise<string>;
}

/** Makes a terminal of so many columns. */
export function virtualTerminal(columns = 80): VirtualTerminal {
  let unseen = "";
  let wanted: { readonly text: string; readonly found: (seen: string) => void } | null = null;
  function look(): void {
    if (wanted === null) return;
    const { text, found } = wanted;
    const at = unseen.indexOf(text);
    if (at === -1) return;
    const seen = unseen.slice(0, at + text.length);
    unseen = unseen.slice(at + text.length);
    wanted = null;
    found(seen);
  }
  const output = new Writable({
    write(chunk: Buffer, _encoding, done) {
      unseen += stripVTControlCharacters(chunk.toString("utf8")).replaceAll("\r", "");
      look();
      done();
    },
  });
  const input = new PassThrough();
  return {
    input,
    output: Object.assign(output, { columns }),
    type: (keys) => void input.write(keys),
    see(text) {
      const { promise, resolve } = Promise.withResolvers<string>();
      wanted = { text, found: resolve };
      look();
      return promise;
    },
  };
}
