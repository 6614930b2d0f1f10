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
  /** Rows of the screen now, as many as have been written to. */
  rows(): string[];
}

/** Makes a terminal of so many columns. */
export function virtualTerminal(columns = 80): VirtualTerminal {
  let unseen = "";
  let written = "";
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
      written += chunk.toString("utf8");
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
    rows: () => layOutRows(written, columns),
  };
}

/** Returns the screen of a terminal of so many columns after this output; colours are left out. */
function layOutRows(written: string, columns: number): string[] {
  const rows: string[][] = [[]];
  let row = 0;
  let column = 0;
  const at = (index: number): string[] => (rows[index] ??= []);
  const lineFeed = (): void => {
    row += 1;
    column = 0;
    at(row);
  };
  // oxlint-disable-next-line no-control-regex -- It is what terminals obey.
  for (const [piece, count, command] of written.matchAll(/\u001B\[(\??\d*)([A-Za-z])|[^]/gu)) {
    const times = Number(count === "" ? "1" : count);
    if (command === "A") row = Math.max(0, row - times);
    else if (command === "B") row += times;
    else if (command === "C") column += times;
    else if (command === "D") column = Math.max(0, column - times);
    else if (command === "G") column = times - 1;
    else if (command === "K" || command === "J") {
      at(row).length = Math.min(at(row).length, column);
      if (command === "J") rows.length = row + 1;
    } else if (command === "m" || command === "h" || command === "l") continue;
    else if (command !== undefined) throw new Error(`Cannot show ${JSON.stringify(piece)}`);
    else if (piece === "\n") lineFeed();
    else if (piece === "\r") column = 0;
    else {
      if (column === columns) lineFeed();
      const cells = at(row);
      while (cells.length < column) cells.push(" ");
      cells[column] = piece;
      column += 1;
    }
  }
  return rows.map((cells) => cells.join(""));
}
