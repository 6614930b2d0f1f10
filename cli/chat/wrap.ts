/** Breaks text into rows between words, as it arrives. */
export interface Wrapper {
  /** Takes a piece of text and returns what can be written by now. */
  push(text: string): string;
  /** Returns what was held back, and begins a new row. */
  end(): string;
}

/** Characters that take two columns; a row may end after each of them. */
const WIDE =
  /^(?:\p{Emoji_Presentation}|[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6]|[\u{20000}-\u{3FFFD}])/u;
const GRAPHEMES = new Intl.Segmenter("en", { granularity: "grapheme" });

/**
 * Makes a wrapper for rows of so many columns, asked for anew at each row. Rows that go on are
 * indented as they began. A word longer than a row is left to the terminal.
 *
 * Contract: only line ends (and the indentation after them) are put in, in place of spaces; the
 * text may come in any pieces.
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

/** How many columns a text takes. */
export function measureWidth(text: string): number {
  let width = 0;
  for (const { segment } of GRAPHEMES.segment(text)) width += WIDE.test(segment) ? 2 : 1;
  return width;
}

/** Cuts a text of one row to so many columns, with an ellipsis where something is missing. */
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
 * The rows of a text in so many columns, its line ends and runs of spaces taken as one space. A word
 * longer than a row is broken.
 */
export function wrapRows(text: string, columns: number): string[] {
  const words = text.split(/\s+/u).filter((word) => word !== "");
  const wrapper = createWrapper(() => columns);
  const rows = wrapper.push(words.flatMap((word) => breakWord(word, columns)).join(" "));
  return (rows + wrapper.end()).split("\n");
}

/** The rows of a text after a prefix; those that go on stand under its beginning. */
export function hangRows(
  text: string,
  { prefix, columns }: { readonly prefix: string; readonly columns: number },
): string[] {
  const width = measureWidth(prefix);
  const rows = wrapRows(text, Math.max(columns - width, NARROWEST));
  return rows.map((row, index) => `${index === 0 ? prefix : " ".repeat(width)}${row}`);
}

/** In a terminal that leaves less than this beside a prefix, rows are too long rather than unreadable. */
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
