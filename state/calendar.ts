import { Temporal } from "temporal-polyfill";

/** Returns true when a text is a calendar day, as `YYYY-MM-DD`. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || text.startsWith("0000")) return false;
  try {
    Temporal.PlainDate.from(text, { overflow: "reject" });
    return true;
  } catch {
    return false;
  }
}

/** The day it is at a moment in a time zone, as `YYYY-MM-DD`. */
export function dayIn(timeZone: string, moment: Date): string {
  const format = getDayFormat(timeZone);
  const parts = new Map(format.formatToParts(moment).map(({ type, value }) => [type, value]));
  return `${parts.get("year")}-${parts.get("month")}-${parts.get("day")}`;
}

const getDayFormat = rememberByName(
  (timeZone) =>
    new Intl.DateTimeFormat("en-US", {
      timeZone,
      calendar: "gregory",
      numberingSystem: "latn",
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
    }),
);

/** A day, and the language in which it is named. */
export interface SpokenDay {
  /** `YYYY-MM-DD`. */
  readonly today: string;
  readonly language: string;
}

/** Returns the words by which people name a day: "Friday 16 January", "tomorrow", "tonight"; the text itself where it is none. Pure. */
export function wordDay(text: string, { today, language }: SpokenDay): string {
  if (!isDay(text)) return text;
  const day = Temporal.PlainDate.from(text);
  const { named, near } = getDayNames(language);
  const name = named.format(day.toZonedDateTime("UTC").epochMilliseconds);
  const away = Temporal.PlainDate.from(today).until(day).days;
  if (Math.abs(away) > MOST_DAYS_NAMED) return name;
  const evening = away === 0 ? ` ${EVENINGS[language.slice(0, 2)] ?? ""}` : "";
  return `${name} ${near.format(away, "day")}${evening}`.trimEnd();
}

/** Returns the words by which people mean a day without its date: its weekday, "tomorrow" and "tonight". Pure. */
export function listDayWords(day: string, { today, language }: SpokenDay): readonly string[] {
  const { weekday, near } = getDayNames(language);
  const date = Temporal.PlainDate.from(day);
  const at = date.toZonedDateTime("UTC").epochMilliseconds;
  const away = Temporal.PlainDate.from(today).until(date).days;
  const isNear = Math.abs(away) <= MOST_DAYS_NAMED;
  const evening = away === 0 ? [EVENINGS[language.slice(0, 2)] ?? ""] : [];
  return [weekday.format(at), ...(isNear ? [near.format(away, "day")] : []), ...evening];
}

/** Returns the short name of a day's weekday, without a full stop: "Fri", "vr". Pure. */
export function nameShortWeekday(day: string, language: string): string {
  const at = Temporal.PlainDate.from(day).toZonedDateTime("UTC").epochMilliseconds;
  return getDayNames(language).shortWeekday.format(at).replace(".", "");
}

/** A unit in which days are counted. */
export type SpanUnit = "day" | "week" | "month" | "year";

/** Returns the words for a number of days, weeks, months or years: "week", "weeks". Pure. */
export function listSpanWords(unit: SpanUnit, language: string): readonly string[] {
  const format = new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "long" });
  return [1, 2].map((count) => format.format(count).replaceAll(/[\d\s]/gu, ""));
}

/** Words for the evening of today, where a language has one of its own. */
const EVENINGS: Readonly<Record<string, string>> = {
  en: "tonight",
  es: "noche",
  fr: "soir",
  it: "stasera",
  nl: "vanavond",
  pt: "noite",
};

/** Languages have words for days that are so far away: "übermorgen". */
const MOST_DAYS_NAMED = 2;

const getDayNames = rememberByName((language) => ({
  named: new Intl.DateTimeFormat(language, {
    timeZone: "UTC",
    weekday: "long",
    day: "numeric",
    month: "long",
  }),
  near: new Intl.RelativeTimeFormat(language, { numeric: "auto" }),
  weekday: new Intl.DateTimeFormat(language, { timeZone: "UTC", weekday: "long" }),
  shortWeekday: new Intl.DateTimeFormat(language, { timeZone: "UTC", weekday: "short" }),
}));

/** A day for people, in a language: `Fri 16 Jan 2026`, `Fr. 16. Jan. 2026`; the text itself where it is none. Pure. */
export function describeDay(text: string, language: string): string {
  if (!isDay(text)) return text;
  const at = Temporal.PlainDate.from(text).toZonedDateTime("UTC").epochMilliseconds;
  return getShortDays(language).format(at).replace(",", "");
}

const getShortDays = rememberByName(
  (language) =>
    new Intl.DateTimeFormat(language === "en" ? "en-GB" : language, {
      timeZone: "UTC",
      weekday: "short",
      day: "numeric",
      month: "short",
      year: "numeric",
    }),
);

/** A moment for people, as it is in a time zone: `Tue 13 Jan 2026, 18:00`; the text itself where it is no time. */
export function describeTime(text: string, timeZone: string): string {
  const format = new Intl.DateTimeFormat("en-GB", {
    timeZone,
    weekday: "short",
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
  });
  // A time without an offset is read as UTC.
  const moment = /(?:z|[+-]\d\d(?::?\d\d)?)$/i.test(text) ? text : `${text}Z`;
  try {
    return format.format(Temporal.Instant.from(moment).epochMilliseconds).replace(",", "");
  } catch {
    return text;
  }
}

/** Words every moment of a text (`2026-01-13T17:00:00.000Z`) as it is in a time zone; those of an address or in backticks stay. Pure. */
export function wordMoments(text: string, timeZone: string): string {
  return text.replace(MOMENT, (moment) => describeTime(moment, timeZone));
}

const MOMENT =
  /(?<![\w/=&?`-])\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)(?![\w-])/g;

/** Making a format takes a hundred times as long as using it. */
function rememberByName<V>(make: (name: string) => V): (name: string) => V {
  const made = new Map<string, V>();
  return (name) => {
    const value = made.get(name) ?? make(name);
    if (made.size < MOST_FORMATS) made.set(name, value);
    return value;
  };
}

/** Names are taken in any case: a client is not to fill the memory with them. */
const MOST_FORMATS = 1_000;

/** A time zone's name as it is written in the IANA list; null where there is none of that name. */
export function timeZoneNamed(name: string): string | null {
  // Offsets ("+02:00") know no summer time and are no names.
  if (!/^[a-z]/i.test(name)) return null;
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}

/** A language tag in its canonical form, without extensions (`de-AT`); null where it is none. */
export function localeNamed(tag: string): string | null {
  try {
    // `baseName` keeps the extension of the locale that LANG=C makes.
    return new Intl.Locale(tag).toString().split(/-[a-z\d]-/i)[0] ?? null;
  } catch {
    return null;
  }
}
