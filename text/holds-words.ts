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

const SEGMENTS = new Intl.Segmenter(undefined, { granularity: "word" });

/** Returns true where a text holds at least half of the words, in any order. Linear, total, any language. */
export function sharesHalf(text: string, words: string): boolean {
  const [known, wanted] = [text, words].map(listWords);
  if (known === undefined || wanted === undefined || wanted.length === 0) return false;
  const held = new Set(known);
  return wanted.filter((word) => held.has(word)).length * 2 >= wanted.length;
}

function listWords(text: string): string[] {
  return Array.from(SEGMENTS.segment(foldQuoted(text))).flatMap(({ segment, isWordLike }) =>
    isWordLike === true ? [segment] : [],
  );
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
