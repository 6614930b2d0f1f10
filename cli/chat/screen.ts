import { styleText } from "node:util";
import type { Writable } from "node:stream";
import { plainText } from "./plain-text.ts";
import { shorten } from "./progress.ts";

/** How a piece of text looks, where colours are wanted at all. */
export type Look = "plain" | "dim" | "bold" | "red";

/** A terminal that is written to: lines, streamed text, and one passing line of what is going on. */
export interface Screen {
  /** Writes a line of its own. */
  line(text: string, look?: Look): void;
  /** Goes on with streamed text. */
  stream(text: string): void;
  /** Ends what was streamed. */
  endStream(): void;
  /** Shows what is going on until something else is written. Cut to one row. */
  status(text: string): void;
  /** Takes the passing line away. */
  clear(): void;
}

/** Characters that may take two columns. */
const WIDE = /[\u1100-\uFFFD]|\p{Extended_Pictographic}/u;

/** A terminal, or what a test has for one. */
export type TerminalStream = Writable & { readonly columns?: number };

/**
 * Makes a screen of a terminal. Colours follow `NO_COLOR`, `FORCE_COLOR` and what the terminal can.
 * Everything is stripped of what a terminal would obey.
 */
export function createScreen(terminal: TerminalStream): Screen {
  let passing = false;
  let midLine = false;

  function paint(text: string, look: Look): string {
    return look === "plain" ? text : styleText(look, text, { stream: terminal });
  }
  function clear(): void {
    if (passing) terminal.write("\r\u001B[K");
    passing = false;
  }
  function endStream(): void {
    clear();
    if (midLine) terminal.write("\n");
    midLine = false;
  }
  return {
    clear,
    endStream,
    line(text, look = "plain") {
      endStream();
      terminal.write(`${paint(plainText(text), look)}\n`);
    },
    stream(text) {
      clear();
      const plain = plainText(text);
      if (plain === "") return;
      terminal.write(plain);
      midLine = !plain.endsWith("\n");
    },
    status(text) {
      if (midLine) return;
      clear();
      // A row that is full to its end would wrap and could not be taken back.
      const columns = Math.max((terminal.columns ?? 80) - 3, 8);
      const room = WIDE.test(text) ? Math.floor(columns / 2) : columns;
      terminal.write(paint(`· ${shorten(plainText(text), room)}`, "dim"));
      passing = true;
    },
  };
}
