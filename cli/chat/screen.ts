import { styleText } from "node:util";
import type { Writable } from "node:stream";
import { plainText } from "./plain-text.ts";
import { createWrapper, cutToWidth } from "./wrap.ts";

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
  /** How many columns there are now. */
  columns(): number;
}

const MIN_COLUMNS = 12;
const DEFAULT_COLUMNS = 80;

/** A terminal, or what a test has for one. */
export type TerminalStream = Writable & { readonly columns?: number };

/** How wide a terminal is. One that was given no size says 0. */
export function countColumns({ columns = 0 }: Pick<TerminalStream, "columns">): number {
  return columns === 0 ? DEFAULT_COLUMNS : columns;
}

/**
 * Makes a screen of a terminal. Colours follow `NO_COLOR`, `FORCE_COLOR` and what the terminal can,
 * unless `colours` decides it. Everything is stripped of what a terminal would obey.
 */
export function createScreen(
  terminal: TerminalStream,
  { colours = wantsColours(terminal) }: { readonly colours?: boolean } = {},
): Screen {
  const columns = (): number => Math.max(countColumns(terminal), MIN_COLUMNS);
  const wrapper = createWrapper(columns);
  let passing = false;
  let midLine = false;
  let bold = false;

  function paint(text: string, look: Look): string {
    if (!colours || look === "plain") return text;
    return styleText(look, text, { validateStream: false });
  }
  /** Shows what stands between two asterisks in bold, where there are colours; a line ends it. */
  function emphasise(rows: string): string {
    if (!colours) return rows;
    return rows.replaceAll(/\*\*|\n/g, (mark) => {
      const was = bold;
      bold = mark === "**" && !bold;
      const code = was === bold ? "" : bold ? "\u001B[1m" : "\u001B[22m";
      return mark === "**" ? code : `${code}${mark}`;
    });
  }
  function clear(): void {
    if (passing) terminal.write("\r\u001B[K");
    passing = false;
  }
  function endStream(): void {
    clear();
    const rest = wrapper.end();
    if (rest !== "" || midLine) terminal.write(emphasise(`${rest}\n`));
    midLine = false;
  }
  return {
    clear,
    columns,
    endStream,
    line(text, look = "plain") {
      endStream();
      const rows = wrapper.push(plainText(text)) + wrapper.end();
      terminal.write(`${paint(rows, look)}\n`);
    },
    stream(text) {
      const rows = wrapper.push(plainText(text));
      if (rows === "") return;
      clear();
      terminal.write(emphasise(rows));
      midLine = !rows.endsWith("\n");
    },
    status(text) {
      if (midLine) return;
      clear();
      // A row that is full to its end would wrap and could not be taken back.
      const row = cutToWidth(plainText(text).replaceAll(/\s+/gu, " "), columns() - 3);
      terminal.write(paint(`· ${row}`, "dim"));
      passing = true;
    },
  };
}

function wantsColours(terminal: TerminalStream): boolean {
  return styleText("bold", "x", { stream: terminal }) !== "x";
}
