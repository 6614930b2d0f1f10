import { segmentWords } from "./segment-words.ts";

/** Letters of scripts that put no space between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const LETTER = /[\p{L}\p{N}]/u;

/**
 * Returns true where a text holds words as they stand, whatever their case, quotation marks and white
 * space; whole words and numbers only, so that "step 1" is not in "step 11". Nothing holds no words.
 * Linear, total, any language.
 *
 * Source: living-plan.md §1, "Where actions come from".
 */
export function holdsWords(text: string, words: string): boolean {
  const [whole, part] = [foldQuoted(text), foldQuoted(words)];
  if (part === "") return false;
  for (let at = whole.indexOf(part); at >= 0; at = whole.indexOf(part, at + 1)) {
    if (isWhole(whole, at) && isWhole(whole, at + part.length)) return true;
  }
  return false;
}

/** Returns true where a text holds at least half of the words, in any order. Linear, total, any language. */
export function sharesHalf(text: string, words: string): boolean {
  const held = new Set(segmentWords(foldQuoted(text)));
  const wanted = segmentWords(foldQuoted(words));
  return wanted.length > 0 && wanted.filter((word) => held.has(word)).length * 2 >= wanted.length;
}

/** Returns a text by which quotations are compared: lower case, without quotation marks, single spaces. */
export function foldQuoted(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[\p{Pi}\p{Pf}"'`„‚「」『』]/gu, "")
    .replaceAll(/\s+/gu, " ")
    .trim();
}

/** Returns true where no word goes on across a position. */
function isWhole(text: string, at: number): boolean {
  const before = Array.from(text.slice(Math.max(0, at - 2), at)).at(-1) ?? "";
  const after = Array.from(text.slice(at, at + 2))[0] ?? "";
  const isJoined = LETTER.test(before) && LETTER.test(after);
  return !isJoined || UNSPACED.test(before) || UNSPACED.test(after);
}
