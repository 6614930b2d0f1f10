/** A line and its relation to code: it is code, or begins, ends or continues code over several lines. */
export interface MarkedLine {
  readonly line: string;
  readonly code: "block" | "span" | null;
}

/** Also in quotes and lists; an opening line of backticks has no others behind them. */
const FENCE = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(`{3,}(?=[^`]*$)|~{3,})/u;
const INDENTED = /^(?: {4}|\t)[ \t]*\S/u;

/** Marks the lines of a Markdown text that are code; doubtful ones as well. */
export function markCode(lines: readonly string[]): readonly MarkedLine[] {
  let fence: string | null = null;
  let indented = false;
  let span: string | null = null;
  let blankBefore = true;
  return lines.map((line) => {
    const mark = FENCE.exec(line)?.[1] ?? null;
    if (fence !== null) {
      if (mark !== null && closes(line, mark, fence)) fence = null;
      blankBefore = false;
      return { line, code: "block" };
    }
    if (mark !== null) {
      [fence, indented, span] = [mark, false, null];
      return { line, code: "block" };
    }
    const blank = line.trim() === "";
    indented = INDENTED.test(line) && (blankBefore || indented);
    blankBefore = blank;
    if (indented || blank) {
      span = null;
      return { line, code: indented ? "block" : null };
    }
    const before: string | null = span;
    span = openSpan(line, before);
    return { line, code: before === null && span === null ? null : "span" };
  });
}

function closes(line: string, mark: string, fence: string): boolean {
  return mark[0] === fence[0] && mark.length >= fence.length && /[`~][ \t]*$/u.test(line);
}

/** The run of backticks that is still open at the end of the line. */
function openSpan(line: string, before: string | null): string | null {
  let open = before;
  for (const [ticks] of line.matchAll(/`+/gu)) {
    if (open === null) open = ticks;
    else if (open === ticks) open = null;
  }
  return open;
}
