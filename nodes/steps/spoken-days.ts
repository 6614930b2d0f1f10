import { Temporal } from "temporal-polyfill";
import { isContentWord, sharesWord } from "../../registry/shared-words.ts";
import {
  isDay,
  listDayWords,
  listSpanWords,
  nameShortWeekday,
  type SpanUnit,
  type SpokenDay,
} from "../../state/calendar.ts";
import { CHANGE_FIELDS } from "../../text/change-words.ts";
import { countsOne, readCardinal } from "../../text/count-words.ts";
import { foldText, foldWords } from "../../text/fold-words.ts";
import { findSpokenAmounts } from "../../text/spoken-amounts.ts";
import { listUnitScales } from "../../text/unit-scales.ts";
import { BASE_LANGUAGE } from "../../text/spoken-language.ts";
import { CLOCK_TIMES, listMonthWords, listTimeWords } from "./time-words.ts";

/** A message, and the day on which it was sent. */
export interface SpokenMessage extends SpokenDay {
  readonly message: string;
}

/** A number that may be a day of a month, of the month that stands beside it where one does. */
interface NumberedDay {
  readonly day: number;
  readonly month: number | null;
  /** False where the number may as well count something: "3 dinners". */
  readonly isDate: boolean;
}

/** A number of days, weeks, months or years; of none where "week" stands alone. */
interface Span {
  readonly unit: SpanUnit;
  readonly count: number | null;
  /** True for "in ten days", false for "ten days later". */
  readonly isFromToday: boolean;
}

/** The days that a message means. */
export class SpokenDays {
  readonly #message: string;
  readonly #today: string;
  readonly #days: readonly NumberedDay[];
  readonly #spans: readonly Span[];
  readonly #isEach: boolean;

  readonly #language: string;

  constructor({ message, today, language }: SpokenMessage) {
    const text = leaveOutAmounts(message.replaceAll(CLOCK_TIMES, " "), language);
    this.#message = message;
    this.#today = today;
    this.#language = language;
    this.#spans = readSpans(text);
    this.#days = readNumberedDays(text, language);
    this.#isEach = foldWords(text).some((word) => EACH.has(word));
  }

  /**
   * Returns true for a day that the message means by its date, its weekday, by "tomorrow", or counted: "in ten
   * days" from today, "a week later" from today or from the day that was there before. Days between two others
   * are meant where it speaks of each.
   */
  holds(day: string, before: string | null): boolean {
    if (!isDay(day)) return false;
    const bases = before !== null && isDay(before) ? [this.#today, before] : [this.#today];
    const isNear = (days: number): boolean => bases.some((base) => countDays(base, day) <= days);
    const numbered = this.#days.some(
      (one) =>
        one.day === Number(day.slice(8)) &&
        (one.month === null || one.month === Number(day.slice(5, 7))),
    );
    // Without a year, a date is of the months around, and a weekday of the weeks around.
    const isDated = numbered && (isNear(YEAR) || this.#message.includes(day.slice(0, 4)));
    const isWorded = isNear(REACH.week) && this.#hasWord(day);
    return isDated || isWorded || this.#isBetween(day) || this.#isCounted(day, before);
  }

  /** Returns true for a day whose number and month the message has. */
  holdsDate(day: string): boolean {
    const [month, number] = [Number(day.slice(5, 7)), Number(day.slice(8))];
    return isDay(day) && this.#days.some((one) => one.day === number && one.month === month);
  }

  /** Returns true where a text has a date of the message, as receipts word it: "Mon 23 Mar 2026" of "2026-03-23". */
  sharesDate(text: string): boolean {
    const others = readNumberedDays(text, this.#language);
    return this.#days.some(({ day, month }) =>
      others.some((other) => month !== null && other.day === day && other.month === month),
    );
  }

  /** Returns true where the message has a number that may be a day's, the name of a day or month, or "tomorrow". */
  names(): boolean {
    return this.#days.length > 0 || this.#spans.length > 0 || this.namesByWord();
  }

  /** Returns true where the message names a day as `namesClearly` says, or as "tomorrow". */
  namesByWord(): boolean {
    return (
      this.namesClearly() || NEAR.some((days) => this.#hasWord(addSpan(this.#today, "day", days)))
    );
  }

  /** Returns true where the message names a day in words that mean nothing else: "Friday", "16 March", "in ten days". */
  namesClearly(): boolean {
    const names = listTimeWords();
    return (
      this.#days.some(({ isDate }) => isDate) ||
      this.#spans.some(({ isFromToday }) => isFromToday) ||
      foldWords(this.#message).some((word) => word.length > SMALL_WORD && names.has(word))
    );
  }

  /** "Every day from the 3rd to the 9th". */
  #isBetween(day: string): boolean {
    const numbers = this.#days.map((one) => one.day);
    const number = Number(day.slice(8));
    return (
      this.#isEach &&
      numbers.length > 1 &&
      number >= Math.min(...numbers) &&
      number <= Math.max(...numbers)
    );
  }

  #hasWord(day: string): boolean {
    const text = foldText(this.#message);
    const today = this.#today;
    const own = this.#language.slice(0, 2);
    const words = LANGUAGES.flatMap((language) =>
      listDayWords(day, { today, language }).map((word) => ({ word, isOwn: language === own })),
    );
    return (
      words.some(({ word, isOwn }) => {
        const folded = foldText(word);
        // "In 2 days" is no other number of days, and "same" no Saturday in French.
        const isExact = !isOwn || folded.trim().includes(" ");
        return isExact ? text.includes(folded) : sharesWord(word, this.#message);
      }) || this.#hasShortWeekday(day)
    );
  }

  /** "Wed", "Fr."; in English "wed" and "thurs" as well, where these are no words of their own. */
  #hasShortWeekday(day: string): boolean {
    const words = this.#message.split(/[^\p{L}]+/u);
    const short = nameShortWeekday(day, this.#language);
    if (words.includes(short)) return true;
    if (!isEnglish(this.#language) || OWN_WORDS.has(short)) return false;
    const [long = ""] = listDayWords(day, { today: this.#today, language: this.#language });
    return words.some(
      (word) => word.length >= short.length && long.toLowerCase().startsWith(word.toLowerCase()),
    );
  }

  #isCounted(day: string, before: string | null): boolean {
    const hasDate = this.#days.some(({ isDate }) => isDate);
    const bases = before !== null && isDay(before) ? [this.#today, before] : [this.#today];
    const words = foldWords(this.#message);
    const [isLater, isEarlier] = [LATER, EARLIER].map((way) => words.some((word) => way.has(word)));
    const counts = isLater === isEarlier ? [1, -1] : isLater === true ? [1] : [-1];
    return this.#spans.some(({ unit, count, isFromToday }) => {
      // "The 9th of next month" is no other day of it.
      if (count === null)
        return !hasDate && bases.some((base) => countDays(base, day) <= REACH[unit]);
      if (isFromToday) return addSpan(this.#today, unit, count) === day;
      return bases.some((base) => counts.some((each) => addSpan(base, unit, each * count) === day));
    });
  }
}

const LANGUAGES = [...CHANGE_FIELDS.keys()];

/** Days from today that languages have words for. */
const NEAR = [-2, -1, 0, 1, 2];

/** Short weekdays that are words without their capital. */
const OWN_WORDS = new Set(["Sat", "Sun"]);

/** Letters of words that stand in dates as elsewhere: "de". */
const SMALL_WORD = 2;

const wordSet = (words: string): ReadonlySet<string> => new Set(words.split(" "));

/** Words of the shipped languages before a span that is counted from today. */
const FROM_TODAY = wordSet("in dans en dentro em daqui tra fra over");
/** Small words between them and the span. */
const BETWEEN = wordSet("de a about circa etwa environ unos");
/** Words of the shipped languages for days behind another, and for those before it. "Push it back" may mean either. */
const LATER = wordSet(
  "later after postpone delay spater hinten despues tarde tard dopo depois uitstellen",
);
const EARLIER = wordSet(
  "earlier sooner before forward fruher eher vor adelanta antes tot avance prima anticipa eerder",
);
/** Words by which each day is meant. */
const EACH = wordSet(
  "every each daily jeden jeder jede taglich chaque tous toutes quotidien cada todos todas diario diariamente ogni tutti elke iedere dagelijks",
);

/** Most days from a day at which "the week", "next month" and so on may be. */
const REACH = { day: 2, week: 14, month: 62, year: 731 } as const satisfies Record<
  SpanUnit,
  number
>;

/** Most days from a day to a date without a year. */
const YEAR = 366;

const UNITS = ["day", "week", "month", "year"] as const;

let unitsByWord: ReadonlyMap<string, SpanUnit> | null = null;

/** The words for spans of days in the shipped languages, folded: made once, when a message first needs them. */
function listUnits(): ReadonlyMap<string, SpanUnit> {
  unitsByWord ??= new Map(
    LANGUAGES.flatMap((language) =>
      UNITS.flatMap((unit) =>
        listSpanWords(unit, language)
          .flatMap(foldWords)
          .map((word) => [word, unit] as const),
      ),
    ).concat([
      ["tagen", "day"],
      ["monaten", "month"],
      ["jahren", "year"],
    ]),
  );
  return unitsByWord;
}

/** "Four fifty" and "4 and a half" are no days. */
function leaveOutAmounts(text: string, language: string): string {
  return findSpokenAmounts(text, language)
    .toSorted((one, other) => other.at - one.at)
    .reduce((rest, { at, end }) => `${rest.slice(0, at)} ${rest.slice(end)}`, text);
}

/** Words of the shipped languages for parts of a day. */
const DAY_PARTS = wordSet(
  "hour hours minute minutes stunde stunden minuten heure heures minutos hora horas ora ore minuti uur uren minuut minuten",
);

/**
 * Returns a text without its words for spans of time, which say little of what it names; all of it where it has
 * no others. Pure.
 *
 * @example
 * dropSpanWords("cost per day"); // "cost per"
 * dropSpanWords("days"); // "days"
 */
export function dropSpanWords(text: string): string {
  const words = foldWords(text);
  const rest = words.filter((word) => !DAY_PARTS.has(word) && !listUnits().has(word));
  return rest.some(isContentWord) ? rest.join(" ") : text;
}

function readSpans(text: string): readonly Span[] {
  const words = foldWords(text);
  return words.flatMap((word, at) => {
    const unit = listUnits().get(word);
    if (unit === undefined) return [];
    const count = readCount(words[at - 1] ?? "");
    const lead = words.slice(Math.max(0, at - 3), at - 1).filter((one) => !BETWEEN.has(one));
    return [{ unit, count, isFromToday: count !== null && FROM_TODAY.has(lead.at(-1) ?? "") }];
  });
}

function readCount(word: string): number | null {
  if (/^\d{1,3}$/u.test(word)) return Number(word);
  return countsOne(word) ? 1 : readCardinal(word);
}

/** 2026-01-16, 16.1., 16/1. */
const DATE =
  /(?<![\d.,/-])(?:(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)|(?<first>\d{1,2})(?:\.|\/)(?<second>\d{1,2})(?:[./](?:\d{4}|\d\d)?)?)(?![\d,]|[./-]\d)/gu;

/** "16", "16th", "16.", "two": what may be a day of a month. */
const NUMBER = /(?<![\p{L}\d.,:/-])(?:(?<figures>\d{1,2})(?![\d:]|[.,/-]\d)|\p{L}+)/gu;

const DECIMAL = /^\d+\.\d+$/u;

const LAST_DAY = 31;
const LAST_MONTH = 12;

function isEnglish(language: string): boolean {
  return language.slice(0, 2) === BASE_LANGUAGE;
}

/** Dates, and other numbers that count nothing: those of a unit or a span are no days. */
function readNumberedDays(text: string, language: string): readonly NumberedDay[] {
  const dates = [...text.matchAll(DATE)].flatMap(({ 0: written, groups = {} }): NumberedDay[] => {
    const [month, day, first, second] = ["month", "day", "first", "second"].map((name) =>
      Number(groups[name]),
    );
    if (groups["year"] !== undefined) return [{ day: day ?? 0, month: month ?? 0, isDate: true }];
    // English writes "2.5" for two and a half.
    const isDate = !(isEnglish(language) && DECIMAL.test(written));
    // "1/2" is the second of January or the first of February, "2.75" none.
    return [
      { day: first ?? 0, month: second ?? 0, isDate },
      { day: second ?? 0, month: first ?? 0, isDate },
    ].filter(({ day, month }) => day <= LAST_DAY && month <= LAST_MONTH);
  });
  const rest = text.replaceAll(DATE, " ");
  const others = [...rest.matchAll(NUMBER)].flatMap(({ 0: written, groups = {}, index }) => {
    const { figures } = groups;
    const day = figures === undefined ? readCount(written.toLowerCase()) : Number(figures);
    if (day === null || day < 1 || day > LAST_DAY || countsOne(written.toLowerCase())) return [];
    const [before, after] = [rest.slice(0, index), rest.slice(index + written.length)];
    const [next = ""] = foldWords(after);
    const isCount = listUnits().has(next) || listUnitScales(before, after).length > 1;
    const month = findMonth(before, after);
    return isCount ? [] : [{ day, month, isDate: month !== null || ORDINAL.test(after) }];
  });
  return [...dates, ...others, ...readMonthEnds(text)];
}

/** Words of the shipped languages for the end of a month. */
const END = wordSet("end ende fin finales final fine eind einde fim finais");

/** "The end of February" is its 28th or 29th. */
function readMonthEnds(text: string): readonly NumberedDay[] {
  const words = foldWords(text);
  return words.flatMap((word, at) => {
    const next = words.slice(at + 1).find((one) => !OF.has(one)) ?? "";
    const month = END.has(word) ? listMonthWords().get(next) : undefined;
    if (month === undefined) return [];
    const days = LEAP_YEARS.map(
      (year) => Temporal.PlainYearMonth.from({ year, month }).daysInMonth,
    );
    return [...new Set(days)].map((day) => ({ day, month, isDate: true }));
  });
}

/** A year with the 29th of February, and one without. */
const LEAP_YEARS = [2024, 2025];

/** "3rd", "1er", "3.", behind the figures. */
const ORDINAL = /^(?:st|nd|rd|th|er|ste|de|[ºª.])(?!\p{L})/u;

/** Small words between a day and its month: "16th of March", "16 de marzo". */
const OF = wordSet("st nd rd th er of de di the");

/** The month that is named behind a number, or before it. */
function findMonth(before: string, after: string): number | null {
  const months = listMonthWords();
  const behind = foldWords(after).find((word) => !OF.has(word));
  const ahead = foldWords(before).findLast((word) => !OF.has(word));
  return months.get(behind ?? "") ?? months.get(ahead ?? "") ?? null;
}

function addSpan(day: string, unit: SpanUnit, count: number): string {
  return Temporal.PlainDate.from(day)
    .add({ [`${unit}s`]: count })
    .toString();
}

/** Counts the days between two, whichever comes first. Pure. */
export function countDays(one: string, other: string): number {
  return Math.abs(Temporal.PlainDate.from(one).until(Temporal.PlainDate.from(other)).days);
}
