import type { AnalyzedClaim, StructuralAnalysis } from "../state/analysis.ts";
import { oneLine } from "../text/fence.ts";

/** Reads texts of a map as words for a concierge. */
export interface ClaimQuotes {
  /** The claim of that id, or null. */
  readonly claim: (id: string) => AnalyzedClaim | null;
  /** Any text of the map on one line, at most so many characters, other claims named by label. */
  readonly line: (text: string, length: number) => string;
  /** The same in quotation marks, without its full stop, for use inside a sentence. */
  readonly quote: (text: string, length: number) => string;
}

/** Mappers give ids such as `c1` or `claim_3`; an id that is a plain word or number may be meant as one. */
const NAMES_A_CLAIM = /^(?=.*\p{L})(?=.*[\p{N}_])/u;
/** In characters: quotes are far shorter. */
const READ = 2_000;

/**
 * Makes the reader of one map's texts.
 *
 * Contract: no text it returns holds an id of a claim or can open a signal block. Reasons of edges
 * often say "c1 needs what c3 gives": there the label stands for the id.
 */
export function claimQuotes({ claims }: Pick<StructuralAnalysis, "claims">): ClaimQuotes {
  const byId = new Map(claims.map((claim) => [claim.id, claim]));
  const named = new Map(
    claims.filter(({ id }) => NAMES_A_CLAIM.test(id)).map(({ id, label }) => [fold(id), label]),
  );
  const ids = matchAnyId([...named.keys()]);
  const withoutIds = (text: string, name: (label: string) => string): string =>
    text.replace(ids, (id) => name(named.get(fold(id)) ?? ""));
  const quoteLabel = (label: string): string => {
    const words = oneLine(label);
    return words === "" || withoutIds(words, () => "") !== words ? "another point" : `“${words}”`;
  };
  const line = (text: string, length: number): string =>
    shorten(withoutIds(oneLine(text.slice(0, READ)), quoteLabel), length);
  return {
    claim: (id) => byId.get(id) ?? null,
    line,
    quote: (text, length) => `“${line(text, length).replace(/[.;,\s]{1,8}$/u, "")}”`,
  };
}

/** Longest first, so that `c12` is not read as `c1`; matches nothing where there are none. */
function matchAnyId(ids: readonly string[]): RegExp {
  const words = ids
    .toSorted((a, b) => b.length - a.length)
    .map((id) => id.replace(/[\\^$.*+?()[\]{}|]/gu, "\\$&"));
  return words.length === 0
    ? /(?!)/u
    : new RegExp(`(?<![\\p{L}\\p{N}_])(?:${words.join("|")})(?![\\p{L}\\p{N}_])`, "giu");
}

function fold(id: string): string {
  return id.toLowerCase();
}

/** Cuts at a space where there is one near the end, and never inside a character. */
function shorten(text: string, length: number): string {
  if (text.length <= length) return text;
  const cut = text.slice(0, Math.max(0, length - 1)).replace(/[\uD800-\uDBFF]$/u, "");
  const space = cut.lastIndexOf(" ");
  return `${(space > length / 2 ? cut.slice(0, space) : cut).trimEnd()}…`;
}
