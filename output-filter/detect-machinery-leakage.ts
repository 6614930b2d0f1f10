import { LEAK_RULES, type LeakKind } from "./leak-rules.ts";

export type { LeakKind } from "./leak-rules.ts";

/** One place where a text shows the machinery. */
export interface Leak {
  readonly kind: LeakKind;
  /** The matched text, unchanged. */
  readonly text: string;
}

interface Found extends Leak {
  readonly start: number;
  readonly end: number;
}

const FENCED = /^ {0,3}(```|~~~)[^\n]*\n[\s\S]*?(?:^ {0,3}\1[`~]* *$|(?![\s\S]))/gmu;

/**
 * Finds where a text shows how it came about: ids, metrics, who was asked, what was made of it. In
 * the order of the text, each place once; empty for a clean text.
 *
 * Contract: total, linear in the text. Words that a trade uses of its own (structural engineers,
 * pricing models, patent claims) are read by their sentence. Code blocks are not read.
 *
 * @example
 * detectMachineryLeakage("Soup is quick."); // []
 */
export function detectMachineryLeakage(text: string): readonly Leak[] {
  const prose = text
    .replace(/[‘’]/gu, "'")
    .replace(FENCED, (block) => block.replace(/[^\n]/gu, " "));
  const found = LEAK_RULES.flatMap(({ kind, pattern, unless }): Found[] =>
    Array.from(prose.matchAll(pattern)).flatMap(({ 0: match, index }) => {
      const [start, end] = [index, index + match.length];
      if (unless?.test(sentenceAround(prose, { start, end })) === true) return [];
      return [{ kind, text: text.slice(start, end), start, end }];
    }),
  );
  return apart(found).map(({ kind, text }) => ({ kind, text }));
}

/** In characters, on either side. */
const SENTENCE = 160;

function sentenceAround(text: string, { start, end }: Pick<Found, "start" | "end">): string {
  const before = text.slice(Math.max(0, start - SENTENCE), start);
  const after = text.slice(end, end + SENTENCE);
  const begin = /[\s\S]*(?:[.!?](?=\s)|\n)/u.exec(before)?.[0].length ?? 0;
  const stop = /[.!?](?=\s|$)|\n/u.exec(after)?.index ?? after.length;
  return before.slice(begin) + text.slice(start, end) + after.slice(0, stop);
}

/** Of places that overlap, the first; of those that begin together, the longest. */
function apart(found: readonly Found[]): Found[] {
  const kept: Found[] = [];
  for (const each of found.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = kept.at(-1);
    if (last === undefined || each.start >= last.end) kept.push(each);
  }
  return kept;
}
