// Only this locale: the package's main entry loads more than two hundred files of others.
import { strict as strictEnglish } from "chrono-node/en";
import { Temporal } from "temporal-polyfill";
import { WORDINGS } from "./wordings.ts";

/** A day or a span of days that words name. */
export interface Day {
  readonly first: string;
  /** The same as `first` for a single day. */
  readonly last: string;
  /** Set where the words can mean either of two days: nothing is done before one is chosen. */
  readonly or: string | null;
  /** "Tonight": the time of day comes with the day. */
  readonly evening: boolean;
}

const NAMES = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split(" ");
const MONTH = "(?:jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)[a-z]*";
const NUMBER =
  "(?:\\d{1,2}(?:st|nd|rd|th)?|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth)";

/** A reading of a form: the day that it means on a given one; null where there is none. */
type ReadForm = (found: RegExpExecArray, today: Temporal.PlainDate) => Day | null;

const WEEKDAY =
  /^(this |next |coming )?(mon|tues?|weds?|thu(?:rs?)?|fri|sat|sun)(?:day|nesday|sday|urday)?( evening| night)?/;

/** "The 28th": up to the ninth it can as well be the place in a list. */
const DAY_OF_MONTH = "(?:[12]\\d|3[01])(?:st|nd|rd|th)";
const DATE = `(?:${NUMBER} (?:of )?${MONTH}|${MONTH} ${NUMBER})(?: \\d{4})?`;

/** The forms that are accepted, each alone at the beginning of a row of words. */
const FORMS: readonly (readonly [RegExp, ReadForm])[] = [
  [new RegExp(`^(?:\\d{4}-\\d{2}-\\d{2}|${DATE})`), readDate],
  [new RegExp(`^(?:the )?(${DAY_OF_MONTH})`), readDayOfMonth],
  [new RegExp(`^([a-z]{3})[a-z]*(?: ,)? (?:the )?(${DATE}|${DAY_OF_MONTH})`), readNamedDate],
  [
    /^(?:today|tonight|this (?:evening|night)|tomorrow|(?:the )?day after tomorrow)(?: evening| night|s)?/,
    readNear,
  ],
  [WEEKDAY, readWeekday],
  [
    /^(?:(?:this|the|my|our|coming) week|(?:the )?rest of the week)/,
    (_, today) => createSpan(today, 0, 7 - today.dayOfWeek),
  ],
  [/^next week/, (_, today) => createSpan(today, 8 - today.dayOfWeek, 14 - today.dayOfWeek)],
  [
    /^(?:(?:this|the|coming) )?weekend/,
    (_, today) => createSpan(today, 6 - today.dayOfWeek, 7 - today.dayOfWeek),
  ],
  [
    /^(?:next|coming) ([1-9]|1[0-4]|two|three|four|five|six|seven) days/,
    ([, days = ""], today) => createSpan(today, 1, WORDINGS.numbers.get(days) ?? Number(days)),
  ],
];

function readDate([text]: RegExpExecArray, today: Temporal.PlainDate): Day | null {
  const reference = new Date(`${today.toString()}T12:00:00`);
  const date = strictEnglish.parse(text, reference, { forwardDate: true })[0]?.start.date();
  if (date === undefined) return null;
  const [year, month, day] = [date.getFullYear(), date.getMonth() + 1, date.getDate()];
  return createDay(new Temporal.PlainDate(year, month, day));
}

function readDayOfMonth([, text]: RegExpExecArray, today: Temporal.PlainDate): Day | null {
  const day = Number.parseInt(text ?? "", 10);
  const months = [0, 1, 2].map((ahead) => today.with({ day: 1 }).add({ months: ahead }));
  const dates = months.flatMap((month) => (day > month.daysInMonth ? [] : month.with({ day })));
  const next = dates.find((date) => Temporal.PlainDate.compare(date, today) >= 0);
  return next === undefined ? null : createDay(next);
}

/** "Saturday the 28th" is one day where the two agree. */
function readNamedDate(
  [, name = "", date = ""]: RegExpExecArray,
  today: Temporal.PlainDate,
): Day | null {
  const day = findSingle(date.split(" "), today.toString())?.day ?? null;
  return day !== null && nameDate(day.first).toLowerCase().startsWith(name) ? day : null;
}

function readNear([text]: RegExpExecArray, today: Temporal.PlainDate): Day {
  const days = text.includes("after") ? 2 : text.startsWith("tomorrow") ? 1 : 0;
  return createDay(today.add({ days }), { evening: /night|evening/.test(text) });
}

function readWeekday(
  [, lead, name = "", evening]: RegExpExecArray,
  today: Temporal.PlainDate,
): Day {
  const index = NAMES.findIndex((each) => each.toLowerCase().startsWith(name.slice(0, 3)));
  const ahead = (index + 8 - today.dayOfWeek) % 7;
  const date = today.add({ days: ahead });
  // "Next Friday" is the coming one for some and the one after for others; so is today's weekday.
  const isOpen = lead === "next " || (ahead === 0 && lead !== "this ");
  const or = isOpen ? date.add({ days: 7 }).toString() : null;
  return createDay(date, { or, evening: evening !== undefined });
}

/** Finds the day that begins a row of words, with the number of words that it takes, and the days up to another: a meal is moved "from Friday to Sunday". */
export function findDays(words: readonly string[], today: string) {
  const first = findSingle(words, today);
  if (first === null) return [];
  if (first.day.or !== null || first.day.first !== first.day.last) return [first];
  const [joint, ...rest] = words.slice(first.length);
  if (joint !== "to" && joint !== "until" && joint !== "through") return [first];
  const last = findSingle(rest, first.day.first);
  if (last === null || last.day.or !== null) return [first];
  const day = { ...first.day, last: last.day.last };
  return [first, { day, length: first.length + 1 + last.length }];
}

function findSingle(
  words: readonly string[],
  today: string,
): { readonly day: Day; readonly length: number } | null {
  const text = words.slice(0, 7).join(" ");
  for (const [pattern, read] of FORMS) {
    const found = pattern.exec(text);
    if (found === null || /^\w/.test(text.slice(found[0].length))) continue;
    const day = read(found, Temporal.PlainDate.from(today));
    if (day !== null) return { day, length: found[0].split(" ").length };
  }
  return null;
}

/** A span that begins and ends some days from today. */
function createSpan(today: Temporal.PlainDate, first: number, last: number): Day {
  return createDay(today.add({ days: first }), { last: today.add({ days: last }).toString() });
}

function createDay(date: Temporal.PlainDate, given: Partial<Day> = {}): Day {
  return { first: date.toString(), last: date.toString(), or: null, evening: false, ...given };
}

/** A date with its weekday: "Friday 2026-01-16". */
export function nameDate(date: string): string {
  return `${NAMES[Temporal.PlainDate.from(date).dayOfWeek - 1]} ${date}`;
}

/** The dates of a span, the first of them where there are too many. */
export function listDates({ first, last }: Pick<Day, "first" | "last">, most: number): string[] {
  const start = Temporal.PlainDate.from(first);
  const { days } = start.until(Temporal.PlainDate.from(last));
  return Array.from({ length: Math.min(most, days + 1) }, (_, index) =>
    start.add({ days: index }).toString(),
  );
}

/** Today as a prompt's calendar says it; any Monday where it does not. */
export function readToday(text: string): string {
  return /Today is \w+ (\d{4}-\d{2}-\d{2})/.exec(text)?.[1] ?? "2000-01-03";
}
