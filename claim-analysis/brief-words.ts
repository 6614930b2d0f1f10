import type { AnalyzedClaim, StructuralAnalysis } from "../state/analysis.ts";
import type { CountTokens } from "../state/model.ts";
import { fitLongest, type ShortenOptions } from "../registry/shorten.ts";
import { claimQuotes } from "./quote-claim.ts";

/** Tokens of a claim's label, and of its text in short and in full. */
export const LENGTH = { label: 12, short: 24, full: 50 } as const;

/** Reads one map's texts as words of a brief. */
export interface BriefWords {
  /** Returns a text of the map on one line, within tokens. */
  readonly cut: (text: string, tokens: number) => string;
  readonly label: (claim: AnalyzedClaim) => string;
  /** Returns the label in quotation marks of a claim or of the claim of an id; other words as they are. */
  readonly name: (claim: AnalyzedClaim | string) => string;
}

/** Makes the reader. Texts are cut once: every trial of a brief asks for the same. */
export function createBriefWords(
  analysis: StructuralAnalysis,
  countTokens: CountTokens,
): BriefWords {
  const quotes = claimQuotes(analysis);
  const known = new Map<string, string>();
  const cut = (text: string, tokens: number): string => {
    const key = `${tokens} ${text}`;
    const shown = known.get(key) ?? cutToTokens(quotes.line(text, WHOLE), { tokens, countTokens });
    known.set(key, shown);
    return shown;
  };
  const label = (claim: AnalyzedClaim): string =>
    cut(claim.label, LENGTH.label) || cut(claim.text, LENGTH.label);
  const name = (claim: AnalyzedClaim | string): string => {
    if (typeof claim !== "string") return quotes.quote(label(claim), WHOLE);
    const found = quotes.claim(claim);
    return quotes.quote(found === null ? cut(claim, LENGTH.label) : label(found), WHOLE);
  };
  return { cut, label, name };
}

/** Length is a matter of tokens here. */
const WHOLE = Number.POSITIVE_INFINITY;

/** Code points of a token at most, but in runs of one character. */
const LONGEST_TOKEN = 24;

/** Cuts with `…`, at a space where one is near, never inside a code point. */
function cutToTokens(text: string, options: ShortenOptions): string {
  if (options.countTokens(text) <= options.tokens) return text;
  const points = Array.from(text).slice(0, options.tokens * LONGEST_TOKEN);
  const cut = (size: number): string => {
    const kept = points.slice(0, size).join("");
    const space = kept.lastIndexOf(" ");
    return `${(space > kept.length / 2 ? kept.slice(0, space) : kept).trimEnd()}…`;
  };
  return fitLongest(points.length - 1, cut, options)?.text ?? "";
}
