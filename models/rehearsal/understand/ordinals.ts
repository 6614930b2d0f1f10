import type { Reference } from "./references.ts";

const NUMBERS: Readonly<Record<string, number>> = {
  first: 1,
  second: 2,
  third: 3,
  fourth: 4,
  fifth: 5,
  sixth: 6,
  seventh: 7,
  eighth: 8,
  ninth: 9,
  tenth: 10,
};
const NUMBERED =
  /\b(?:(first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth)|(\d+)(?:st|nd|rd|th)|(?:number|recipe|option|dish|item|one|game) (\d+)(?: and (\d+)\b(?! \w+day))?|(last)(?= one\b| recipe\b| dish\b| on\b| for\b| to\b|$))\b/g;
const ALL = /\b(?:all of them|all \d+|all|both|everything)\b/;

/** What a phrase means by place in a list: "the first and the third", "number 2", "the first 2", "both". */
export function ordinalReferences(phrase: string, listed: readonly string[]): Reference[] {
  const few = /\bfirst (\d+)\b/.exec(phrase)?.[1];
  if (few !== undefined)
    return listed.slice(0, Number(few)).map((ref) => byPlace(`first ${few}`, ref));
  const numbered = numberedReferences(phrase, listed);
  if (numbered.length > 0) return numbered;
  const all = ALL.exec(phrase)?.[0];
  return all === undefined ? [] : listed.map((ref) => byPlace(all, ref));
}

/** The same without "all" and "both". */
export function numberedReferences(phrase: string, listed: readonly string[]): Reference[] {
  return [...phrase.matchAll(NUMBERED)].flatMap(([text, word, digits, number, second, last]) => {
    const places = [
      last === undefined
        ? (word === undefined ? Number(digits ?? number) : (NUMBERS[word] ?? 0)) - 1
        : -1,
      ...(second === undefined ? [] : [Number(second) - 1]),
    ];
    return places.flatMap((place) => {
      const ref = listed.at(place);
      return ref === undefined ? [] : [byPlace(text, ref)];
    });
  });
}

function byPlace(text: string, ref: string): Reference {
  return { text, ref, how: "ordinal" };
}
