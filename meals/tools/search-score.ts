import { foodWords } from "../food-words.ts";

/** From this similarity on, a word is taken for a misspelling of another. */
const ALIKE = 0.45;

/**
 * Scores a text against a search, from 0 to 1: for each word of the search the best match among
 * the text's words, on average; 0 when a word of the search matches nothing.
 *
 * A word matches as a whole, as a beginning ("shak" in "shakshuka"), or by its trigrams, so that
 * misspellings are found.
 */
export function searchScore(text: string, search: string): number {
  const words = foodWords(text);
  const wanted = foodWords(search);
  const scores = wanted.map((word) => Math.max(0, ...words.map((other) => wordScore(word, other))));
  if (scores.length === 0 || scores.some((score) => score === 0)) return 0;
  return scores.reduce((sum, score) => sum + score, 0) / scores.length;
}

function wordScore(wanted: string, word: string): number {
  if (wanted === word) return 1;
  if (wanted.length >= 3 && word.startsWith(wanted)) return 0.9;
  const score = trigramSimilarity(wanted, word);
  return score >= ALIKE ? score * 0.8 : 0;
}

/** Shared trigrams of two words as a part of all their trigrams, from 0 to 1; 1 only for equal words. */
export function trigramSimilarity(one: string, other: string): number {
  const [first, second] = [trigrams(one), trigrams(other)];
  const shared = [...first].filter((trigram) => second.has(trigram)).length;
  const all = first.size + second.size - shared;
  return all === 0 ? 0 : shared / all;
}

function trigrams(word: string): ReadonlySet<string> {
  const padded = `  ${word} `;
  return new Set(Array.from({ length: padded.length - 2 }, (_, at) => padded.slice(at, at + 3)));
}
