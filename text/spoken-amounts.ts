import { readCardinal } from "./count-words.ts";
import { foldWords } from "./fold-words.ts";
import { findSpelledNumbers } from "./spelled-numbers.ts";

/** An amount that is no single number word, and where it stands in a text. */
export interface SpokenAmount {
  /** The numbers that it may mean: "four fifty" is 450 or 4.5. */
  readonly readings: readonly number[];
  readonly at: number;
  readonly end: number;
}

/** A number in words or figures, and where it stands. */
interface NumberPart {
  readonly number: number;
  readonly isInFigures: boolean;
  readonly at: number;
  readonly end: number;
}

/**
 * Finds the amounts that people say in several numbers, in a shipped language: "three twenty-five" in English,
 * "4 and a half" or "viereinhalb", "one point two". Pure.
 *
 * @example
 * findSpokenAmounts("four fifty", "en"); // [{ readings: [450, 4.5], at: 0, end: 10 }]
 */
export function findSpokenAmounts(text: string, language: string): readonly SpokenAmount[] {
  const spoken = language.slice(0, 2);
  const parts = findParts(text, spoken);
  const halves = [
    ...parts.flatMap((part) => readHalf(part, text, spoken)),
    ...findHalfWords(text, spoken),
  ];
  const pairs = spoken === "en" ? findPairs(parts, text) : [];
  const whole = [...halves, ...findDecimals(parts, text, spoken)];
  return [...whole, ...pairs.filter((pair) => !whole.some((one) => overlaps(pair, one)))];
}

/** Returns true for two places that share letters of their text. Pure. */
export function overlaps(
  one: Pick<SpokenAmount, "at" | "end">,
  other: Pick<SpokenAmount, "at" | "end">,
): boolean {
  return one.at < other.end && other.at < one.end;
}

function findParts(text: string, language: string): readonly NumberPart[] {
  const spelled = findSpelledNumbers(text, language).flatMap((part) => splitOne(part, text));
  const words = [...text.matchAll(/(?<![\d.,])\d{1,6}(?![\d.,]\d|\d)|[\p{L}\p{M}]+/gu)].flatMap(
    ({ 0: word, index: at }) => {
      const isInFigures = /^\d/u.test(word);
      const number = isInFigures ? Number(word) : readCardinal(foldWords(word)[0] ?? "");
      return number === null ? [] : [{ number, isInFigures, at, end: at + word.length }];
    },
  );
  const single = words.filter((word) => !spelled.some((part) => overlaps(part, word)));
  return [...single, ...spelled].toSorted((one, other) => one.at - other.at);
}

/** "One fifty" begins with a number of its own, "one hundred" does not. */
function splitOne({ number, at, end }: Omit<NumberPart, "isInFigures">, text: string) {
  const [one = ""] = /^one\s+/iu.exec(text.slice(at, end)) ?? [];
  const own = { number, isInFigures: false, at: at + one.length, end };
  return one === "" || number > SECOND.most
    ? [{ ...own, at }]
    : [{ number: 1, isInFigures: false, at, end: at + one.trim().length }, own];
}

/** A half behind a number, and in English and French behind its unit. */
const HALVES: Readonly<Record<string, RegExp>> = {
  en: /^ (?:\p{L}+ )?and (?:a|one) half(?!\p{L})/iu,
  de: /^ ?(?:und (?:ein(?:e|en)? )?halb(?:e[nrs]?)?|einhalb)(?!\p{L})/iu,
  es: /^ y medi[oa](?!\p{L})/iu,
  fr: /^ (?:\p{L}+ )?et demie?(?!\p{L})/iu,
  it: /^ e mezz[oa](?!\p{L})/iu,
  nl: /^ en (?:een )?hal(?:f|ve)(?!\p{L})/iu,
  pt: /^ e mei[oa](?!\p{L})/iu,
};

function readHalf(
  { number, at, end }: NumberPart,
  text: string,
  language: string,
): readonly SpokenAmount[] {
  const half = HALVES[language]?.exec(text.slice(end))?.[0];
  return half === undefined ? [] : [{ readings: [number + 0.5], at, end: end + half.length }];
}

/** The decimal point as it is spoken. */
const POINTS: Readonly<Record<string, RegExp>> = {
  en: /^ point $/iu,
  de: /^ komma $/iu,
  es: /^ (?:coma|punto) $/iu,
  fr: /^ virgule $/iu,
  it: /^ virgola $/iu,
  nl: /^ komma $/iu,
  pt: /^ vírgula $/iu,
};

function findDecimals(
  parts: readonly NumberPart[],
  text: string,
  language: string,
): readonly SpokenAmount[] {
  return parts.flatMap((first, at) => {
    const second = parts[at + 1];
    if (second === undefined) return [];
    const isPoint = POINTS[language]?.test(text.slice(first.end, second.at)) === true;
    if (!isPoint || second.number > SECOND.most) return [];
    const readings = [Number(`${first.number}.${second.number}`)];
    return [{ readings, at: first.at, end: second.end }];
  });
}

/** Numbers and a half in one word: "anderthalb", "viereinhalb", "tweeënhalf"; in English "a page and a half". */
const HALF_WORDS: Readonly<Record<string, RegExp>> = {
  en: /(?<!\p{L})an? \p{L}+ and a half(?!\p{L})/giu,
  de: /(?<!\p{L})(?:andert|(?<number>\p{L}+?)ein)halb(?:e[nmrs]?)?(?!\p{L})/giu,
  nl: /(?<!\p{L})(?:ander|(?<number>\p{L}+?)[eë]n)hal(?:f|ve)(?!\p{L})/giu,
};

function findHalfWords(text: string, language: string): readonly SpokenAmount[] {
  const form = HALF_WORDS[language];
  if (form === undefined) return [];
  return [...text.matchAll(form)].flatMap(({ 0: word, groups = {}, index: at }) => {
    const { number = "" } = groups;
    const whole = number === "" || number === "ein" ? 1 : readCardinal(foldWords(number)[0] ?? "");
    return whole === null ? [] : [{ readings: [whole + 0.5], at, end: at + word.length }];
  });
}

/** The first number of an amount in two, and the second: "twelve fifty". */
const FIRST = { least: 1, most: 19 };
const SECOND = { least: 10, most: 99 };
/** Words behind two numbers that make something else of them: "four fifty thousand", "four fifty pm". */
const OF_ANOTHER = /^[\s-]*(?:hundred|thousand|million|[ap]\.?m\b|o['’]?clock)/iu;
/** Other languages have words for numbers that English has for other things. */
const ENGLISH =
  /^(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\p{L}+teen|\p{L}+ty(?:[\s-]\p{L}+)?)$/iu;

function findPairs(parts: readonly NumberPart[], text: string): readonly SpokenAmount[] {
  const numbers = parts.filter(
    ({ at, end, isInFigures }) => !isInFigures && ENGLISH.test(text.slice(at, end)),
  );
  const isBeside = (one: NumberPart | undefined, other: NumberPart | undefined): boolean =>
    one !== undefined && other !== undefined && /^\s+$/u.test(text.slice(one.end, other.at));
  return numbers.flatMap((first, at): readonly SpokenAmount[] => {
    const second = numbers[at + 1];
    const isPair =
      second !== undefined &&
      isWithin(first.number, FIRST) &&
      isWithin(second.number, SECOND) &&
      isBeside(first, second) &&
      !isBeside(numbers[at - 1], first) &&
      !isBeside(second, numbers[at + 2]) &&
      !OF_ANOTHER.test(text.slice(second.end));
    if (!isPair) return [];
    const readings = [first.number * 100 + second.number, first.number + second.number / 100];
    return [{ readings, at: first.at, end: second.end }];
  });
}

interface Range {
  readonly least: number;
  readonly most: number;
}

function isWithin(number: number, { least, most }: Range): boolean {
  return number >= least && number <= most;
}
