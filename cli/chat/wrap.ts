/** Breaks text into rows between words, as it arrives. */
export interface Wrapper {
  /** Accepts a piece of text and returns the part that can be written now. */
  push(text: string): string;
  /** Returns the text held back and begins a new row. */
  end(): string;
}

/** Characters that take two columns; a row may end after each of them. */
const WIDE =
  /^(?:\p{Emoji_Presentation}|[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6]|[\u{20000}-\u{3FFFD}])/u;
const GRAPHEMES = new Intl.Segmenter("en", { granularity: "grapheme" });

/**
 * Creates a wrapper for rows whose width is asked for at each row. Continuation rows keep the
 * indentation of their first row. A word longer than a row is left to the terminal.
 *
 * Contract: it only replaces spaces with line ends (and the indentation after them); the text may
 * arrive in any pieces.
 */
export function createWrapper(columns: () => number): Wrapper {
  let column = 0;
  let indent = "";
  let gap = "";
  let word = "";

  function place(text: string, width: number): string {
    if (column === 0) indent = gap;
    const before = gap;
    gap = "";
    if (column > 0 && column + before.length + width > columns()) {
      column = indent.length + width;
      return `\n${indent}${text}`;
    }
    column += before.length + width;
    return before + text;
  }
  function placeWord(): string {
    const text = word;
    word = "";
    return text === "" ? "" : place(text, measureWidth(text));
  }
  function take(grapheme: string): string {
    if (grapheme === "\n" || grapheme === "\r\n") {
      const rest = placeWord();
      column = 0;
      gap = "";
      return `${rest}\n`;
    }
    if (/^\s$/u.test(grapheme)) {
      const rest = placeWord();
      gap += grapheme === "\t" ? "  " : grapheme;
      return rest;
    }
    if (WIDE.test(grapheme)) return placeWord() + place(grapheme, 2);
    word += grapheme;
    return "";
  }
  return {
    push: (text) => [...GRAPHEMES.segment(text)].map(({ segment }) => take(segment)).join(""),
    end() {
      const rest = placeWord();
      column = 0;
      gap = "";
      return rest;
    },
  };
}

/** Returns the number of columns that a text takes. */
export function measureWidth(text: string): number {
  let width = 0;
  for (const { segment } of GRAPHEMES.segment(text)) width += WIDE.test(segment) ? 2 : 1;
  return width;
}

/** Cuts a one-row text to the given columns, with an ellipsis if anything is cut. */
export function cutToWidth(text: string, columns: number): string {
  if (measureWidth(text) <= columns) return text;
  let kept = "";
  let width = 1;
  for (const { segment } of GRAPHEMES.segment(text)) {
    width += measureWidth(segment);
    if (width > columns) break;
    kept += segment;
  }
  return `${kept}…`;
}

/**
 * Returns the rows of a text wrapped to the given columns. Line ends and runs of spaces count as one
 * space. A word longer than a row is broken.
 */
export function wrapRows(text: string, columns: number): string[] {
  const words = text.split(/\s+/u).filter((word) => word !== "");
  const wrapper = createWrapper(() => columns);
  const rows = wrapper.push(words.flatMap((word) => breakWord(word, columns)).join(" "));
  return (rows + wrapper.end()).split("\n");
}

/** Returns the rows of a text after a prefix; continuation rows are indented by its width. */
export function hangRows(
  text: string,
  { prefix, columns }: { readonly prefix: string; readonly columns: number },
): string[] {
  const width = measureWidth(prefix);
  const rows = wrapRows(text, Math.max(columns - width, NARROWEST));
  return rows.map((row, index) => `${index === 0 ? prefix : " ".repeat(width)}${row}`);
}

/** The fewest columns beside a prefix: rows in a narrower terminal are too long rather than unreadable. */
const NARROWEST = 8;

function breakWord(word: string, columns: number): string[] {
  const pieces: string[] = [];
  let piece = "";
  let width = 0;
  for (const { segment } of GRAPHEMES.segment(word)) {
    const added = measureWidth(segment);
    if (piece !== "" && width + added > columns) {
      pieces.push(piece);
      piece = "";
      width = 0;
    }
    piece += segment;
    width += added;
  }
  return [...pieces, piece];
}
