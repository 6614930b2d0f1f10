import stringWidth from "string-width";
import wrapAnsi from "wrap-ansi";

const GRAPHEMES = new Intl.Segmenter("en", { granularity: "grapheme" });
/** The fewest columns beside a prefix: rows in a narrower terminal are too long rather than unreadable. */
const NARROWEST = 8;

/**
 * Breaks text that arrives in pieces into rows between words. Continuation rows keep the indentation
 * of their first row. A word longer than a row is left to the terminal.
 *
 * Contract: it only replaces spaces with line ends (and the indentation after them); the text may
 * arrive in any pieces.
 */
export class StreamWrapper {
  readonly #columns: () => number;
  #column = 0;
  #indent = "";
  /** The spaces before the word that is arriving. */
  #gap = "";
  #word = "";

  /** `columns` is read for each row: a terminal can be resized. */
  constructor(columns: () => number) {
    this.#columns = columns;
  }

  /** Accepts a piece of text and returns the part that can be written now. */
  push(text: string): string {
    return [...GRAPHEMES.segment(text)].map(({ segment }) => this.#accept(segment)).join("");
  }

  /** Returns the text held back and begins a new row. */
  end(): string {
    const rest = this.#placeWord();
    this.#column = 0;
    this.#gap = "";
    return rest;
  }

  #accept(grapheme: string): string {
    if (grapheme === "\n" || grapheme === "\r\n") return `${this.end()}\n`;
    if (/^\s$/u.test(grapheme)) {
      const rest = this.#placeWord();
      this.#gap += grapheme === "\t" ? "  " : grapheme;
      return rest;
    }
    if (stringWidth(grapheme) < 2) {
      this.#word += grapheme;
      return "";
    }
    // A row may end on either side of a wide character.
    const before = this.#placeWord();
    this.#word = grapheme;
    return before + this.#placeWord();
  }

  #placeWord(): string {
    const [word, gap, width] = [this.#word, this.#gap, stringWidth(this.#word)];
    if (word === "") return "";
    this.#word = "";
    this.#gap = "";
    if (this.#column === 0) this.#indent = gap;
    if (this.#column > 0 && this.#column + gap.length + width > this.#columns()) {
      this.#column = this.#indent.length + width;
      return `\n${this.#indent}${word}`;
    }
    this.#column += gap.length + width;
    return gap + word;
  }
}

/** Cuts a one-row text to the given columns, with an ellipsis if anything is cut. */
export function cutToWidth(text: string, columns: number): string {
  if (stringWidth(text) <= columns) return text;
  let kept = "";
  for (const { segment } of GRAPHEMES.segment(text)) {
    if (stringWidth(`${kept}${segment}…`) > columns) break;
    kept += segment;
  }
  return `${kept}…`;
}

/**
 * Returns the rows of a text wrapped to the given columns. Line ends and runs of spaces count as one
 * space. A word longer than a row is broken.
 */
export function wrapRows(text: string, columns: number): string[] {
  return wrapAnsi(text.trim().replaceAll(/\s+/gu, " "), columns, { hard: true }).split("\n");
}

/** The text that stands before the first of some rows, and the columns for both. */
export interface Hanging {
  readonly prefix: string;
  readonly columns: number;
}

/** Returns the rows of a text after a prefix; continuation rows are indented by its width. */
export function hangRows(text: string, { prefix, columns }: Hanging): string[] {
  const width = stringWidth(prefix);
  const rows = wrapRows(text, Math.max(columns - width, NARROWEST));
  return rows.map((row, index) => `${index === 0 ? prefix : " ".repeat(width)}${row}`);
}
