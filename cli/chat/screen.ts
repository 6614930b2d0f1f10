import { styleText } from "node:util";
import type { Writable } from "node:stream";
import { plainText } from "./plain-text.ts";
import { createWrapper, cutToWidth } from "./wrap.ts";

/** The style of a piece of text, where colours are on. */
export type Look = "plain" | "dim" | "bold" | "red";

/** A terminal for output: lines, streamed text, and one passing row for the current activity. */
export interface Screen {
  /** Writes a separate line. */
  line(text: string, look?: Look): void;
  /** Appends streamed text. */
  stream(text: string): void;
  /** Ends the streamed text. */
  endStream(): void;
  /** Shows the current activity in one row until something else is written. */
  status(text: string): void;
  /** Removes the status row. */
  clear(): void;
  /** Returns the current number of columns. */
  columns(): number;
}

const MIN_COLUMNS = 12;
const DEFAULT_COLUMNS = 80;

/** A terminal, or its replacement in a test. */
export type TerminalStream = Writable & { readonly columns?: number };

/** Returns the width of a terminal, the default for one that reports 0. */
export function countColumns({ columns = 0 }: Pick<TerminalStream, "columns">): number {
  return columns === 0 ? DEFAULT_COLUMNS : columns;
}

/**
 * Creates a screen on a terminal. Colours follow `NO_COLOR`, `FORCE_COLOR` and the abilities of the
 * terminal, unless `colours` is given. Removes control characters from every text.
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
