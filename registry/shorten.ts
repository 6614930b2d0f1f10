import type { CountTokens } from "../state/model.ts";

export interface ShortenOptions {
  readonly tokens: number;
  readonly countTokens: CountTokens;
}

/**
 * The text with its middle left out and marked, so that it counts at most `tokens`.
 *
 * Contract: never over the budget (a budget too small for the mark gives the beginning, or nothing),
 * never inside a code point; a text that fits is returned as it is.
 */
export function shorten(text: string, options: ShortenOptions): string {
  const { tokens, countTokens } = options;
  const total = countTokens(text);
  if (total <= tokens) return text;
  const points = Array.from(text);
  const cut = (kept: number): string => {
    const { head, tail } = splitEnds(points, kept);
    const left = Math.max(1, total - countTokens(head) - countTokens(tail));
    return `${head.trimEnd()} [… ${left} tokens left out …] ${tail.trimStart()}`.trim();
  };
  return (
    fitLongest(points.length - 1, cut, options)?.text ??
    fitLongest(points.length - 1, (kept) => points.slice(0, kept).join(""), options)?.text ??
    ""
  );
}

/** The text cut after that many characters, with `…`; never inside a code point. */
export function clip(text: string, characters: number): string {
  const points = Array.from(text);
  if (points.length <= characters) return text;
  return `${points
    .slice(0, Math.max(0, characters - 1))
    .join("")
    .trimEnd()}…`;
}

/** Splits what is kept: two thirds before the cut, because beginnings carry more information. */
function splitEnds(points: readonly string[], kept: number): { head: string; tail: string } {
  const before = Math.ceil((kept * 2) / 3);
  return {
    head: points.slice(0, before).join(""),
    tail: kept === before ? "" : points.slice(before - kept).join(""),
  };
}

/** A size, and the text that it gives. */
interface SizedText {
  readonly size: number;
  readonly text: string;
}

/** Returns the text of the largest size that fits, found by halving; null where not even none fits. */
export function fitLongest(
  most: number,
  render: (size: number) => string,
  { tokens, countTokens }: ShortenOptions,
): SizedText | null {
  let best: SizedText | null = null;
  let [low, high] = [0, most];
  while (low <= high) {
    const size = (low + high) >> 1;
    const text = render(size);
    if (countTokens(text) <= tokens) {
      best = { size, text };
      low = size + 1;
    } else {
      high = size - 1;
    }
  }
  return best;
}
