import { distance } from "fastest-levenshtein";
import { stem } from "./stem.ts";

/** Mends one word; a word that is right or unlike any known one comes back as it is. */
export type Spell = (word: string) => string;

/** What a speller knows. */
interface KnownWords {
  /** Words that a slip most likely means: names and words of what is spoken of. */
  readonly likely: Iterable<string>;
  /** Words that are right as they stand. */
  readonly common: Iterable<string>;
}

/**
 * Makes a speller.
 *
 * A word becomes the known word it is one slip away from (two for long words): a letter too many,
 * too few, wrong, or swapped with its neighbour. In words of three letters one may be missing or
 * two swapped; first letters are right but for that.
 */
export function createSpeller(known: KnownWords): Spell {
  const likely = new Set([...known.likely].filter((word) => word.length > 2));
  const likelyStems = new Set([...likely].map(stem));
  const all = new Set([...likely, ...[...known.common].filter((word) => word.length > 2)]);
  return (word) => {
    if (word.length < 3 || /[^\p{L}]/u.test(word) || all.has(word)) return word;
    if (likelyStems.has(stem(word))) return word;
    const best = nearest(word, likely);
    if (best !== null && best.cost <= 1) return best.word;
    if (isInflected(word, all)) return word;
    return nearer(best, nearest(word, commonFor(word, all)))?.word ?? word;
  };
}

/** A short word with another letter in it is sooner a word of its own ("figs" is no "fits"). */
function commonFor(word: string, words: ReadonlySet<string>): readonly string[] {
  return [...words].filter(
    (other) => word.length > 4 || other.length !== word.length || isSwap(word, other),
  );
}

interface Candidate {
  readonly word: string;
  readonly cost: number;
}

function nearer(one: Candidate | null, other: Candidate | null): Candidate | null {
  if (one === null || other === null) return one ?? other;
  return other.cost < one.cost ? other : one;
}

/** "carrots" and "planned" are right where "carrot" and "plan" are. */
function isInflected(word: string, words: ReadonlySet<string>): boolean {
  return ["s", "es", "ed", "d", "ing", "ly", "er"].some((ending) => {
    const base = word.slice(0, word.length - ending.length);
    return word.endsWith(ending) && base.length > 2 && (words.has(base) || words.has(`${base}e`));
  });
}

/** The candidate that is fewest slips away; of equals the longer one: a letter is sooner forgotten than added. */
function nearest(word: string, candidates: Iterable<string>): Candidate | null {
  let best: Candidate | null = null;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - word.length) > 2) continue;
    const cost = slips(word, candidate);
    if (cost > allowed(word)) continue;
    const longer = best !== null && cost === best.cost && candidate.length > best.word.length;
    if (best === null || cost < best.cost || longer) best = { word: candidate, cost };
  }
  return best;
}

function allowed(word: string): number {
  return word.length < 7 ? 1 : 2;
}

/** Two swapped neighbours are the likeliest slip of all. */
const SWAP = 0.9;

function slips(word: string, candidate: string): number {
  if (isSwap(word, candidate)) return SWAP;
  if (word.charAt(0) !== candidate.charAt(0)) return Infinity;
  if (word.length < 4 && candidate.length !== word.length + 1) return Infinity;
  return distance(word, candidate);
}

function isSwap(word: string, candidate: string): boolean {
  if (word.length !== candidate.length) return false;
  const at = [...word].findIndex((letter, index) => letter !== candidate[index]);
  return (
    at !== -1 &&
    word[at] === candidate[at + 1] &&
    word[at + 1] === candidate[at] &&
    word.slice(at + 2) === candidate.slice(at + 2)
  );
}
