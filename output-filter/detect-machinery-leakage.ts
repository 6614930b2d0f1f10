import { LEAK_PHRASES } from "./leak-rules.ts";

/** Names and ids of a turn that nobody but the program knows. Lists may be empty. */
export interface KnownMachinery {
  /** Ids of claims: `c1`. */
  readonly claims: readonly string[];
  /** Ids of batches: `t3-b1`. */
  readonly batches: readonly string[];
  /** Ids of experts: `risk`. */
  readonly experts: readonly string[];
  /** The views that experts are asked to take, as their prompts say them. */
  readonly lenses: readonly string[];
  /** Names of figures that a map has: `alignment`. */
  readonly metrics: readonly string[];
  /** Words of control blocks: `HANDOVER`. */
  readonly markers: readonly string[];
}

/** The part of the machinery that a text shows; `phrase`: an English sentence about how it came about. */
export type LeakKind = "claim" | "batch" | "expert" | "lens" | "metric" | "marker" | "phrase";

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
 * Finds where a text shows how it came about: what the turn holds of ids, names of experts and of
 * figures, views and markers, in a text of any language, and a few English sentences. In the order of the
 * text, each place once; empty for a clean text.
 *
 * Contract: total, linear in the text. An id or a name that is an ordinary word counts only where it
 * stands as one: in brackets, in code, beside a figure. Code blocks are not read.
 *
 * Source: living-plan.md §9, "Leaks".
 *
 * @example
 * const known = { claims: ["c1"], batches: [], experts: [], lenses: [], metrics: [], markers: [] };
 * detectMachineryLeakage("Suppe geht schnell [c1].", known); // [{ kind: "claim", text: "[c1]" }]
 */
export function detectMachineryLeakage(text: string, known: KnownMachinery): readonly Leak[] {
  const prose = text
    .replace(/[‘’]/gu, "'")
    .replace(FENCED, (block) => block.replace(/[^\n]/gu, " "));
  const patterns = [
    ...toPatterns("claim", [listClaimPattern(known.claims)]),
    ...toPatterns("batch", [matchWords(known.batches, "giu")]),
    ...toPatterns("expert", listExpertPatterns(known.experts)),
    ...toPatterns("lens", [listLensPattern(known.lenses)]),
    ...toPatterns("metric", [listMetricPattern(known.metrics)]),
    ...toPatterns("marker", [listMarkerPattern(known.markers)]),
    ...toPatterns("phrase", LEAK_PHRASES),
  ];
  const found = patterns.flatMap(({ kind, pattern }): Found[] =>
    Array.from(prose.matchAll(pattern), ({ 0: match, index: start }) => {
      const end = start + match.length;
      return { kind, text: text.slice(start, end), start, end };
    }),
  );
  return apart(found).map(({ kind, text: shown }) => ({ kind, text: shown }));
}

interface LeakPattern {
  readonly kind: LeakKind;
  readonly pattern: RegExp;
}

function toPatterns(kind: LeakKind, patterns: readonly RegExp[]): readonly LeakPattern[] {
  return patterns.map((pattern) => ({ kind, pattern }));
}

/** Matches nothing. */
const NEVER = /(?!)/gu;
const BEFORE = String.raw`(?<![\p{L}\p{N}_./-])`;
const AFTER = String.raw`(?![\p{L}\p{N}_/]|[.-][\p{L}\p{N}])`;

function anyOfThem(words: readonly string[]): string {
  const escaped = words
    .filter((word) => word.trim() !== "")
    .toSorted((a, b) => b.length - a.length)
    .map((word) => word.replace(/[.*+?^${}()|[\]\\]/gu, "\\$&"));
  return escaped.length === 0 ? "(?!)" : `(?:${escaped.join("|")})`;
}

function matchWords(words: readonly string[], flags: string): RegExp {
  return words.length === 0 ? NEVER : new RegExp(`${BEFORE}${anyOfThem(words)}${AFTER}`, flags);
}

/** Ids as they are written, and in square brackets in any case: `C1` alone may be a level. */
function listClaimPattern(claims: readonly string[]): RegExp {
  if (claims.length === 0) return NEVER;
  const capitals = claims.map((id) => id.toUpperCase());
  const numbers = claims.flatMap(
    (id) => /\d+$/u.exec(id)?.map((number) => `claim ${number}`) ?? [],
  );
  const bracketed = anyOfThem([...new Set([...claims, ...capitals, ...numbers])]);
  const list = String.raw`\[${bracketed}(?:(?:\s?[,;&]\s?| and )${bracketed}){0,19}\](?!\()`;
  return new RegExp(`${list}|${BEFORE}${anyOfThem(claims)}${AFTER}`, "gu");
}

/** An id that is a plain word is one in brackets or code, or behind "expert". */
function listExpertPatterns(experts: readonly string[]): readonly RegExp[] {
  const plain = experts.filter((id) => /^\p{L}+$/u.test(id));
  const others = experts.filter((id) => !plain.includes(id));
  const marked = String.raw`[\[\x60]${anyOfThem(plain)}[\]\x60]|\bexpert ["“']?${anyOfThem(plain)}\b`;
  return [matchWords(others, "giu"), new RegExp(marked, "giu")];
}

/** In words: a shorter piece of a view is anybody's. */
const LENS_WORDS = 5;

/** Whole clauses of a view. */
function listLensPattern(lenses: readonly string[]): RegExp {
  const clauses = lenses
    .flatMap((lens) => lens.split(/[.!?:;]\s*/u))
    .map((clause) => clause.trim())
    .filter((clause) => clause.split(/\s+/u).length >= LENS_WORDS);
  return matchWords(clauses, "giu");
}

/** A figure of a map beside its name: from 0 to 1, with a decimal point or comma. */
function listMetricPattern(metrics: readonly string[]): RegExp {
  if (metrics.length === 0) return NEVER;
  const name = anyOfThem(metrics);
  const between = String.raw`(?: (?:score|ratio|value|index|is|was|of|at|von|ist|de|es|est))*[ :=(]{1,3}`;
  return new RegExp(
    String.raw`${BEFORE}${name}${between}(?:0?[.,]\d{1,3}|1[.,]0)(?![\d.,]*\d)`,
    "giu",
  );
}

/** In capitals within marks; one with an underscore anywhere. */
function listMarkerPattern(markers: readonly string[]): RegExp {
  if (markers.length === 0) return NEVER;
  const word = anyOfThem(markers);
  const alone = anyOfThem(markers.filter((each) => each.includes("_")));
  return new RegExp(
    String.raw`[<＜«\[\x60]{1,4}\/?${word}[>＞»\]\x60]{1,4}|${BEFORE}${alone}${AFTER}`,
    "gu",
  );
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
