import { toCardinal as de } from "n2words/de-DE";
import { toCardinal as en } from "n2words/en-US";
import { toCardinal as es } from "n2words/es-ES";
import { toCardinal as fr } from "n2words/fr-FR";
import { toCardinal as it } from "n2words/it-IT";
import { toCardinal as nl } from "n2words/nl-NL";
import { toCardinal as pt } from "n2words/pt-PT";
import { cacheByLanguage } from "./cache-by-language.ts";
import { foldWords } from "./fold-words.ts";

const SPELL: Readonly<Record<string, (number: number) => string>> = { de, en, es, fr, it, nl, pt };

/** A number in words, and where it stands in a text. */
export interface SpelledNumber {
  readonly number: number;
  readonly at: number;
  readonly end: number;
}

/**
 * Finds the numbers from eleven on that a text in a shipped language has in words: all up to 1,000, and
 * round ones up to 10,000. Pure.
 *
 * @example
 * findSpelledNumbers("thirty-eight heads", "en"); // [{ number: 38, at: 0, end: 12 }]
 */
export function findSpelledNumbers(text: string, language: string): readonly SpelledNumber[] {
  const forms = listForms(language.slice(0, 2));
  const words = [...text.matchAll(/[\p{L}\p{M}]+/gu)].map(({ 0: word, index }) => {
    return { at: index, end: index + word.length };
  });
  const found: SpelledNumber[] = [];
  for (let first = 0; first < words.length; first += 1) {
    const at = words[first]?.at ?? 0;
    for (let last = Math.min(first + MOST_WORDS, words.length) - 1; last >= first; last -= 1) {
      const end = words[last]?.end ?? 0;
      const written = text.slice(at, end);
      const isNumber = ONLY_WORDS.test(written) && !ENDS_OPEN.test(written);
      const number = isNumber ? forms.get(foldNumber(written)) : undefined;
      if (number === undefined) continue;
      found.push({ number, at, end });
      first = last;
      break;
    }
  }
  return found;
}

const FIRST = 11;
const LAST = 1_000;
const ROUND = 50;
const LAST_ROUND = 10_000;

/** Words of the longest of these numbers: "nine thousand nine hundred and fifty". */
const MOST_WORDS = 6;

const ONLY_WORDS = /^[\p{L}\p{M}\s-]+$/u;
/** "Twelve and". */
const ENDS_OPEN = /\s(?:and|y|et|e)$/iu;

/** The numbers of a language by their words; made once, when a message first needs them. */
const listForms = cacheByLanguage((language) => {
  const spell = SPELL[language] ?? en;
  const small = Array.from({ length: LAST - FIRST + 1 }, (_, index) => FIRST + index);
  const round = Array.from({ length: LAST_ROUND / ROUND }, (_, index) => (index + 1) * ROUND);
  return new Map(
    [...small, ...round.filter((number) => number > LAST)].map((number) => [
      foldNumber(spell(number)),
      number,
    ]),
  );
});

/** Words that stand between the parts of a number, in one of its forms. */
const AND = new Set("and y et e".split(" "));
/** Words that stand before "hundred", in one of its forms. */
const A = new Set("a one un".split(" "));

/** One form for those in which people write a number: "two hundred and ten", "zweihundertzehn", "doscientas". */
function foldNumber(text: string): string {
  const words = foldWords(text.replaceAll("ß", "ss"));
  return words
    .filter((word, at) => words.length === 1 || !(at === 0 ? A : AND).has(word))
    .map((word) =>
      word
        .replace(/^ein(?=hundert|tausend)/u, "")
        .replace(/(?<=cient|gent|zent|hent|quinient)as$/u, "os")
        .replace(/^(cent|vingt)s$/u, "$1"),
    )
    .join(" ");
}
