import { styleText } from "node:util";
import type { Writable } from "node:stream";
import { plainText } from "./plain-text.ts";
import { cutToWidth, StreamWrapper } from "../wrap.ts";

/** The style of a piece of text, where colours are on. */
export type Look = "plain" | "dim" | "bold" | "red";

const MIN_COLUMNS = 12;
const DEFAULT_COLUMNS = 80;

/** A terminal, or its replacement in a test. */
export type TerminalStream = Writable & { readonly columns?: number };

/** Returns the width of a terminal, the default for one that reports 0. */
export function countColumns({ columns = 0 }: Pick<TerminalStream, "columns">): number {
  return columns === 0 ? DEFAULT_COLUMNS : columns;
}

const FRAMES = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏";
const FRAME_MS = 120;

/**
 * A terminal for output: lines, streamed text, and one moving row for the current activity.
 *
 * Colours follow `NO_COLOR`, `FORCE_COLOR` and the abilities of the terminal, unless they are given.
 * Control characters are removed from every text.
 */
export class Screen {
  readonly #terminal: TerminalStream;
  readonly #colours: boolean;
  readonly #wrapper = new StreamWrapper(() => this.columns());
  /** The current activity; null while nothing is, or while a reply is streamed. */
  #activity: string | null = null;
  #hasStatusRow = false;
  #midLine = false;
  #bold = false;
  #workSince = performance.now();
  #timer: NodeJS.Timeout | undefined;

  constructor(terminal: TerminalStream, colours = wantsColours(terminal)) {
    this.#terminal = terminal;
    this.#colours = colours;
  }

  /** Returns the current number of columns. */
  columns(): number {
    return Math.max(countColumns(this.#terminal), MIN_COLUMNS);
  }

  /** Writes a separate line; the activity moves below it. */
  line(text: string, look: Look = "plain"): void {
    const activity = this.#activity;
    this.endStream();
    const rows = this.#wrapper.push(plainText(text)) + this.#wrapper.end();
    this.#terminal.write(`${this.#paint(rows, look)}\n`);
    if (activity !== null) this.status(activity);
  }

  /** Appends streamed text. */
  stream(text: string): void {
    const rows = this.#wrapper.push(plainText(text));
    if (rows === "") return;
    this.clear();
    this.#terminal.write(this.#emphasise(rows));
    this.#midLine = !rows.endsWith("\n");
  }

  /** Ends the streamed text. */
  endStream(): void {
    this.clear();
    const rest = this.#wrapper.end();
    if (rest !== "" || this.#midLine) this.#terminal.write(this.#emphasise(`${rest}\n`));
    this.#midLine = false;
  }

  /** Starts the clock of the activity row. */
  startClock(): void {
    this.#workSince = performance.now();
  }

  /** Shows the current activity in one row, with the seconds since the start of the clock. */
  status(text: string): void {
    if (this.#midLine) return;
    this.#activity = plainText(text).replaceAll(/\s+/gu, " ");
    this.#drawStatus();
    this.#timer ??= setInterval(() => this.#drawStatus(), FRAME_MS).unref();
  }

  /** Removes the activity row. */
  clear(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#activity = null;
    if (this.#hasStatusRow) this.#terminal.write("\r\u001B[K");
    this.#hasStatusRow = false;
  }

  #drawStatus(): void {
    const ms = performance.now() - this.#workSince;
    const frame = FRAMES[Math.floor(ms / FRAME_MS) % FRAMES.length];
    const clock = ms < 1_000 ? "" : ` ${Math.floor(ms / 1_000)} s`;
    // A row that is full to its end would wrap and could not be taken back.
    const row = cutToWidth(this.#activity ?? "", this.columns() - 3 - clock.length);
    const start = this.#hasStatusRow ? "\r\u001B[K" : "";
    this.#terminal.write(start + this.#paint(`${frame} ${row}${clock}`, "dim"));
    this.#hasStatusRow = true;
  }

  #paint(text: string, look: Look): string {
    if (!this.#colours || look === "plain") return text;
    return styleText(look, text, { validateStream: false });
  }

  /** Shows what stands between two asterisks in bold, where there are colours; a line ends it. */
  #emphasise(rows: string): string {
    if (!this.#colours) return rows;
    return rows.replaceAll(/\*\*|\n/g, (mark) => {
      const was = this.#bold;
      this.#bold = mark === "**" && !was;
      const code = was === this.#bold ? "" : this.#bold ? "\u001B[1m" : "\u001B[22m";
      return mark === "**" ? code : `${code}${mark}`;
    });
  }
}

function wantsColours(terminal: TerminalStream): boolean {
  return styleText("bold", "x", { stream: terminal }) !== "x";
}
