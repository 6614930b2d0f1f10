import { cacheByLanguage } from "./cache-by-language.ts";
import { readCardinal } from "./count-words.ts";
import { foldWords } from "./fold-words.ts";
import { findSpelledNumbers } from "./spelled-numbers.ts";
import { isAmountMore } from "./read-amount-way.ts";
import { findSpokenAmounts, overlaps } from "./spoken-amounts.ts";
import { isMoney, isPercent, listUnitScales } from "./unit-scales.ts";

/** A number as a text has it. */
export interface WrittenNumber {
  /** The numbers that it may mean: one, or two where the text leaves it open ("1.000" in French). */
  readonly readings: readonly number[];
  /** The factors by which its unit may be given otherwise: 60 and 1/60 of hours; 1 alone where it has none. */
  readonly scales: readonly number[];
  /** True for a sum of money: "15 euros". */
  readonly isMoney: boolean;
  /** True for the distance of two numbers: "by 10", "um 10", "10 more", "dez a menos". */
  readonly isDifference: boolean;
  /** True for hundredth parts: "10 %". */
  readonly isPercent: boolean;
  readonly isInFigures: boolean;
  /** The place of its first letter in the text, and of what stands behind it. */
  readonly at: number;
  readonly end: number;
}

/**
 * Returns the numbers of a text, those in words, too, but "one", which stands for other things. A
 * separator before three figures is read as the language has it, and in both ways where the text's other
 * numbers are written otherwise. Pure.
 *
 * @example
 * readNumbers("7,500 and 8k", "en").flatMap(({ readings }) => readings); // [7500, 8000]
 * readNumbers("1.000", "de").flatMap(({ readings }) => readings); // [1000]
 */
export function readNumbers(text: string, language: string): readonly WrittenNumber[] {
  return findNumbers(text, language).flatMap(({ readings, isInFigures, at, end }) => {
    const [before, after] = [text.slice(0, at), text.slice(end)];
    const scales = listUnitScales(before, after);
    const isDifference = isAmountMore(before, after, language);
    const isShare = isPercent(after);
    const isSum = isMoney(before, after);
    return readings.map((each) => ({
      readings: each,
      scales,
      isMoney: isSum,
      isDifference,
      isPercent: isShare,
      isInFigures,
      at,
      end,
    }));
  });
}

/** A place in a text that holds a number, or several that are set apart. */
interface NumberPlace {
  readonly readings: readonly (readonly number[])[];
  readonly isInFigures: boolean;
  readonly at: number;
  readonly end: number;
}

/** Finds the numbers of a text, in their order. */
function findNumbers(text: string, language: string): readonly NumberPlace[] {
  const amounts = findSpokenAmounts(text, language);
  const spelled = findSpelledNumbers(text, language);
  const words = [...text.matchAll(NUMBER_OR_WORD)].flatMap(
    ({ 0: word, groups = {}, index: at }): NumberPlace[] => {
      const { figures, thousands } = groups;
      const isPart = spelled.some((number) => number.at <= at && at < number.end);
      const end = at + word.length;
      if (figures === undefined) {
        return isPart ? [] : [{ readings: readSpelled(word), isInFigures: false, at, end }];
      }
      const readings = readFigures(figures, { text, language }).map((numbers) =>
        thousands === undefined ? numbers : numbers.map((number) => number * THOUSAND),
      );
      return [{ readings, isInFigures: true, at, end }];
    },
  );
  const places = spelled.map(({ number, at, end }) => {
    return { readings: [[number]], isInFigures: false, at, end };
  });
  const single = [...words, ...places].filter(
    (place) => !amounts.some((amount) => overlaps(amount, place)),
  );
  const joined = amounts.map(({ readings, at, end }) => {
    return { readings: [readings], isInFigures: /\d/u.test(text.slice(at, end)), at, end };
  });
  return [...single, ...joined].toSorted((one, other) => one.at - other.at);
}

const THOUSAND = 1_000;

/** "7,500", "1 000", "8k", "two". */
const NUMBER_OR_WORD =
  /(?<figures>\d+(?:[.,'’\u00A0\u202F]\d+|(?<=(?<!\d)\d{1,3}(?: \d{3})*) (?=\d{3}(?!\d))\d{3})*)(?:(?<thousands>k)(?![\p{L}\p{N}]))?|\p{L}+/giu;

function readSpelled(word: string): readonly (readonly number[])[] {
  const number = foldWords(word).flatMap((folded) => readCardinal(folded) ?? [])[0] ?? 0;
  return number > 1 ? [[number]] : [];
}

interface Writing {
  readonly text: string;
  readonly language: string;
}

/** Reads figures with what stands between them: one number, or several that are set apart. */
function readFigures(figures: string, writing: Writing): readonly (readonly number[])[] {
  const separators = [...new Set(figures.match(/\D/gu))];
  const [first, second, ...others] = separators;
  const parts = figures.split(/\D/u).map((part) => [Number(part)]);
  if (first === undefined) return parts;
  if (first === " " && readSeparators(writing.language).group !== " ") return parts;
  if (second !== undefined) {
    const [whole = "", rest = ""] = figures.split(second);
    const isNumber = others.length === 0 && figures.split(second).length === 2 && isGrouped(whole);
    return isNumber ? [[Number(`${toWhole(whole)}.${rest}`)]] : parts;
  }
  if (figures.split(first).length > 2) return isGrouped(figures) ? [[toWhole(figures)]] : parts;
  const decimal = Number(figures.replace(first, "."));
  if (first !== "." && first !== ",") return isGrouped(figures) ? [[toWhole(figures)]] : parts;
  if (!isGrouped(figures)) return [[decimal]];
  return [readAmbiguous(first, writing, { whole: toWhole(figures), decimal })];
}

interface Readings {
  readonly whole: number;
  readonly decimal: number;
}

/** A separator before three figures: the language says what it is, unless the text's other numbers are of another. */
function readAmbiguous(
  separator: string,
  { text, language }: Writing,
  { whole, decimal }: Readings,
): readonly number[] {
  const { group, mark } = readSeparators(language);
  const isForeign = mark === "." ? HAS_COMMA.test(text) : HAS_POINT.test(text);
  const isOpen = TWO_WAYS.has(language.slice(0, 2)) || isForeign;
  if (isOpen || (separator !== group && separator !== mark)) return [whole, decimal];
  return separator === group ? [whole] : [decimal];
}

/** "2,99" and "2.99". */
const HAS_COMMA = /(?<![\d.,])\d+,\d{1,2}(?![\d.,])/u;
const HAS_POINT = /(?<![\d.,])\d+\.\d{1,2}(?![\d.,])/u;

/** Languages whose countries write numbers both ways. */
const TWO_WAYS: ReadonlySet<string> = new Set(["es"]);

/** Returns true for groups of three figures. */
function isGrouped(figures: string): boolean {
  return /^[1-9]\d{0,2}(?:\D\d{3})+$/u.test(figures);
}

function toWhole(figures: string): number {
  return Number(figures.replaceAll(/\D/gu, ""));
}

const readSeparators = cacheByLanguage((language) => {
  const parts = new Intl.NumberFormat(language, { useGrouping: "always" }).formatToParts(1_234.5);
  const find = (wanted: string): string =>
    (parts.find(({ type }) => type === wanted)?.value ?? "").replace(/\s/u, " ");
  return { group: find("group"), mark: find("decimal") };
});
