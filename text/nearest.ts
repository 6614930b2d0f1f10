import { closest, distance } from "fastest-levenshtein";

/** The candidate that a mistyped word most likely means; null where none is near. Case does not matter. */
export function nearest(word: string, candidates: readonly string[]): string | null {
  const typed = word.toLowerCase();
  const lower = candidates.map((candidate) => candidate.toLowerCase());
  const best = closest(typed, lower);
  const allowed = Math.max(2, Math.floor(typed.length / 3));
  if (best === undefined || distance(typed, best) > allowed) return null;
  return candidates[lower.indexOf(best)] ?? null;
}

/** Counts the letters to add, leave out or replace until two words are the same. */
export function measureDistance(one: string, other: string): number {
  return distance(one, other);
}

/** The end of a sentence about a word that is unknown: what was probably meant, or nothing. */
export function didYouMean(word: string, candidates: readonly string[]): string {
  const found = nearest(word, candidates);
  return found === null ? "" : `; did you mean "${found}"?`;
}

/** The candidates that are most like a word, the likest first, at most `count` of them. Case does not matter. */
export function listNearest(
  word: string,
  candidates: readonly string[],
  count: number,
): readonly string[] {
  const typed = word.toLowerCase();
  return candidates
    .map((candidate) => ({ candidate, far: distance(typed, candidate.toLowerCase()) }))
    .toSorted((a, b) => a.far - b.far)
    .slice(0, count)
    .map(({ candidate }) => candidate);
}
