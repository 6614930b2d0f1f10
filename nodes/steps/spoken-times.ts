import { readHour } from "../../text/count-words.ts";
import { foldWords } from "../../text/fold-words.ts";
import { readNumbers } from "../../text/read-numbers.ts";
import type { SpokenMessage } from "./spoken-days.ts";
import { CLOCK_TIMES, listMonthWords } from "./time-words.ts";

/** Words of a message, and the number that each is; null for none. */
interface Token {
  readonly word: string;
  readonly number: number | null;
}

const HOUR = 60;
const HALF_DAY = 12 * HOUR;
const DAY = 24 * HOUR;

/** Words of the shipped languages for the first half of a day, and for the second. */
const EARLY =
  /(?<!\p{L})(?:a\.?m\.?|morning|morgens|vormittags?|fruh|matin|mattin[ao]|ochtends?|de la manana|manha|madrugada)(?!\p{L})/u;
const LATE =
  /(?<!\p{L})(?:p\.?m\.?|afternoon|evening|tonight|nachmittags?|abends?|apres midi|soir|pomeriggio|sera|stasera|middags?|avonds?|tarde|noche|noite)(?!\p{L})/u;

/** Words before an hour, and the minutes that they add; numbers are written as "#7". */
const BEFORE: readonly (readonly [form: RegExp, minutes: (number: number) => number])[] = [
  [/ (?:quarter|viertel|kwart) (?:past|after|nach|over) $/u, () => 15],
  [/ (?:quarter|viertel|kwart) (?:to|before|of|vor|voor) $| quarto para as? $/u, () => -15],
  [/ (?:dreiviertel|drei viertel) $/u, () => -15],
  [/ viertel $/u, () => -45],
  [/ half past $/u, () => 30],
  [/ halb $/u, () => -30],
  [/ #(\d+) (?:minut\w+ )?(?:past|after|nach|over) $/u, (number) => number],
  [/ #(\d+) (?:minut\w+ )?(?:to|before|vor|voor) $/u, (number) => -number],
];
/** The same, behind an hour. */
const BEHIND: readonly (readonly [form: RegExp, minutes: (number: number) => number])[] = [
  [/^ (?:\p{L}+ )?(?:y|et|e) (?:media|demie?|mezz[ao]|meia) /u, () => 30],
  [/^ (?:\p{L}+ )?(?:y|et|e) (?:cuarto|quart|(?:un|um|#1) quarto) /u, () => 15],
  [/^ (?:\p{L}+ )?(?:menos|moins|meno) (?:cuarto|le quart|(?:un|um|#1) quarto) /u, () => -15],
  [/^ (?:\p{L}+ )?(?:menos|moins|meno) #(\d+) /u, (number) => -number],
  [/^ (?:uhr |uur |h |heures? |horas? |y |et |e |und )?#(\d+) /u, (number) => number],
];

/** Words for parts of an hour, and the minutes of a span that they make. */
const SPANS: readonly (readonly [form: RegExp, minutes: number])[] = [
  [/ half | halbe? | halve | demi[ -]?\p{L}* | mezz\p{L}* | media | meia /u, 30],
  [/ quarter | viertel\p{L}* | quart | quarto | cuarto | kwartier /u, 15],
  [/ #3 (?:quarters?|viertel\p{L}*|quarts?|quarti|cuartos|kwartier|quartos) /u, 45],
  [/ (?:an hour|eine stunde|une heure|un ora|una hora|een uur|uma hora) /u, HOUR],
];
const UNITS =
  / (?:hours?|minut\p{L}*|min|mins|stunden?|\p{L}*stunde|heures?|ora|ore|\p{L}*ora|horas?|uur|uren|kwartier) /u;

/** The times of day that a message means. */
export class SpokenTimes {
  readonly #text: string;
  /** In minutes, and whether the half of the day is open. */
  readonly #times: readonly { readonly minutes: number; readonly isOpen: boolean }[];
  readonly #spans: readonly number[];

  constructor({ message, language }: Pick<SpokenMessage, "message" | "language">) {
    const tokens = readTokens(message.replaceAll(CLOCK_TIMES, " "), language);
    const text = ` ${tokens.map(writeToken).join(" ")} `;
    this.#text = ` ${foldWords(message).join(" ")} `;
    this.#times = [
      ...[...message.matchAll(CLOCK_TIMES)].map(([, hour, minute]) => {
        return { minutes: Number(hour) * HOUR + Number(minute), isOpen: Number(hour) <= 12 };
      }),
      ...tokens.flatMap((_, at) => readTimes(tokens, at, language.slice(0, 2) === "nl")),
    ];
    this.#spans = UNITS.test(text)
      ? [
          ...SPANS.flatMap(([form, minutes]) => (form.test(text) ? [minutes] : [])),
          ...tokens.flatMap(({ number }) => (number === null ? [] : [number, number * HOUR])),
        ]
      : [];
  }

  /**
   * Returns true for a time, "17:30", that the message means by itself, or counted from the one that was there
   * before. Where it leaves the half of the day open, that and the times of known rows may make one plain.
   */
  holds(clock: string, before: string | null, known: readonly string[] = []): boolean {
    const time = readClock(clock);
    if (time === null) return false;
    const old = readClock(before ?? "");
    const isCounted =
      old !== null && this.#spans.some((span) => Math.abs(time - old) === span % DAY);
    const [isEarly, isLate] = [EARLY.test(this.#text), LATE.test(this.#text)];
    const isWorded = isEarly !== isLate;
    const times = known.flatMap((each) => readClock(each) ?? []);
    const isOtherHalf = isWorded
      ? isLate !== time >= HALF_DAY
      : meansOtherHalf(time, { old, hours: readHours(times) });
    return (
      isCounted ||
      this.#times.some(({ minutes, isOpen }) =>
        isOpen ? !isOtherHalf && minutes % HALF_DAY === time % HALF_DAY : minutes % DAY === time,
      )
    );
  }
}

/** The hours of a day in which things take place, in minutes. */
interface Hours {
  readonly first: number;
  readonly last: number;
}

interface DayFacts {
  /** The time that was there before; null for none. */
  readonly old: number | null;
  /** Null where too few times are known. */
  readonly hours: Hours | null;
}

/** The hours beside a time that was there, where too few others are known. */
const USUAL: Hours = { first: 7 * HOUR, last: 21 * HOUR };
/** A move that nobody wonders at. */
const NEAR = 2 * HOUR;
/** Fewest known times that show the hours of a domain. */
const FEWEST_TIMES = 3;

function readHours(times: readonly number[]): Hours | null {
  return times.length < FEWEST_TIMES
    ? null
    : { first: Math.min(...times) - HOUR, last: Math.max(...times) + HOUR };
}

/** Returns true for a time whose other half of the day is plainly meant: it alone lies in the hours, or is by far the smaller move. */
function meansOtherHalf(time: number, { old, hours }: DayFacts): boolean {
  const { first, last } = hours ?? USUAL;
  const other = (time + HALF_DAY) % DAY;
  const move = (to: number): number => Math.abs(to - (old ?? NaN));
  const fits = (each: number): boolean => (each >= first && each <= last) || move(each) <= NEAR;
  const isOpen = old === null && hours === null;
  return !isOpen && fits(other) && (move(other) * 2 <= move(time) || !fits(time));
}

/** Returns true for a value that is a time of day and nothing else: "17:30", "17:30:00". */
export function isClock(text: string): boolean {
  return readClock(text) !== null;
}

function readClock(text: string): number | null {
  const [, hour, minute] = /^(\d{1,2}):(\d{2})(?::\d{2})?$/u.exec(text) ?? [];
  return hour === undefined ? null : Number(hour) * HOUR + Number(minute);
}

function readTokens(text: string, language: string): readonly Token[] {
  return foldWords(text).map((word) => {
    const [number] = readNumbers(word, language).flatMap(({ readings }) => readings);
    return { word, number: number ?? readHour(word) };
  });
}

function writeToken({ word, number }: Token): string {
  return number === null ? word : `#${number}`;
}

/** Reads the times that the number at a place may be the hour of; none for a day of a month. */
function readTimes(tokens: readonly Token[], at: number, isDutch: boolean) {
  const hour = tokens[at]?.number ?? null;
  if (hour === null || !Number.isInteger(hour) || hour > 24 || isDay(tokens, at)) return [];
  const before = ` ${tokens
    .slice(Math.max(0, at - 4), at)
    .map(writeToken)
    .join(" ")} `;
  const behind = ` ${tokens
    .slice(at + 1, at + 5)
    .map(writeToken)
    .join(" ")} `;
  const read = (forms: typeof BEFORE, text: string): readonly number[] =>
    forms.flatMap(([form, minutes]) => {
      const found = form.exec(text);
      return found === null ? [] : [minutes(Number(found[1] ?? 0))];
    });
  const half = before.endsWith(" half ") ? [isDutch ? -30 : 30] : [];
  const [minutes = 0] = [...read(BEFORE, before), ...half, ...read(BEHIND, behind)];
  return [{ minutes: (hour * HOUR + minutes + DAY) % DAY, isOpen: hour <= 12 }];
}

/** "14 February", "il 20 gennaio". */
function isDay(tokens: readonly Token[], at: number): boolean {
  const months = listMonthWords();
  const near = [at - 1, at + 1, at + 2].map((place) => tokens[place]?.word ?? "");
  const [before = "", after = "", next = ""] = near;
  return (
    months.has(after) ||
    (["of", "de", "di"].includes(after) && months.has(next)) ||
    months.has(before)
  );
}
