import { Temporal } from "temporal-polyfill";

/** The days a prompt tells of. */
export interface Calendar {
  /** `YYYY-MM-DD`. */
  readonly today: string;
}

const DAYS = [
  "monday",
  "tuesday",
  "wednesday",
  "thursday",
  "friday",
  "saturday",
  "sunday",
] as const;

const DAY = DAYS.join("|");

/** How a day is said in plain words. */
const DAY_WORDS = `day after tomorrow|today|tonight|tomorrow|(?:(?:this|next|coming) )?(?:${DAY})|\\d{4}-\\d{2}-\\d{2}`;

/** Reads "Today is Monday 2026-01-12 (…)"; null where the prompt does not say. */
export function readCalendar(text: string): Calendar | null {
  const today = /Today is \w+ (\d{4}-\d{2}-\d{2})/.exec(text)?.[1];
  return today === undefined ? null : { today };
}

/** Days and weeks named in plain words, as dates in the order they are named. */
export function datesIn(text: string, calendar: Calendar | null): string[] {
  const span = spanIn(text, calendar);
  if (span !== null) return span;
  const dates = [...text.matchAll(new RegExp(`\\b(${DAY_WORDS})s?\\b`, "g"))].flatMap(
    ([, day]) => dateOf(day ?? "", calendar) ?? [],
  );
  return [...new Set(dates)];
}

/** Every date of "tuesday to saturday", "this week", "the weekend"; null where no span is named. */
export function spanIn(text: string, calendar: Calendar | null): string[] | null {
  if (calendar === null) return null;
  const [, first, last] =
    new RegExp(
      `\\b(${DAY_WORDS}) (?:to|till|til|until|through|thru|up to|-) (?:and including )?(${DAY_WORDS})\\b`,
    ).exec(text) ??
    new RegExp(`\\bbetween (${DAY_WORDS}) and (${DAY_WORDS})\\b`).exec(text) ??
    [];
  if (first !== undefined && last !== undefined) {
    const start = dateOf(first, calendar);
    const end = start === null ? null : dateOf(last, { today: start });
    return start === null || end === null ? null : eachDay(start, end);
  }
  const today = Temporal.PlainDate.from(calendar.today);
  const monday = today.subtract({ days: today.dayOfWeek - 1 });
  if (/\bnext week\b/.test(text)) return daysFrom(monday.add({ days: 7 }), 7);
  if (/\bweekend\b/.test(text)) return daysFrom(monday.add({ days: 5 }), 2);
  if (/\bweek(?:days|nights)\b/.test(text))
    return daysFrom(monday, 5).filter((date) => date >= calendar.today);
  if (/\b(?:this|the|my|our|whole|rest of the) week\b/.test(text)) {
    return daysFrom(monday, 7).filter((date) => date >= calendar.today);
  }
  const days = /\bnext (\d+) days\b/.exec(text)?.[1];
  return days === undefined ? null : daysFrom(today.add({ days: 1 }), Number(days));
}

/** The day until which something holds that is said of "this week"; null where no end is named. */
export function endIn(text: string, calendar: Calendar | null): string | null {
  if (calendar === null) return null;
  const until = new RegExp(`\\b(?:until|till|til|through|by) (${DAY_WORDS})\\b`).exec(text)?.[1];
  if (until !== undefined) return dateOf(until, calendar);
  if (/\b(?:today|tonight)\b/.test(text)) return calendar.today;
  const span = spanIn(text, calendar);
  return span?.at(-1) ?? null;
}

/** A day in plain words as a date; null where it is none. Weekdays are the next to come. */
function dateOf(day: string, calendar: Calendar | null): string | null {
  if (/^\d{4}-\d{2}-\d{2}$/.test(day)) return day;
  if (calendar === null) return null;
  const today = Temporal.PlainDate.from(calendar.today);
  switch (day) {
    case "today":
    case "tonight":
      return calendar.today;
    case "tomorrow":
      return today.add({ days: 1 }).toString();
    case "day after tomorrow":
      return today.add({ days: 2 }).toString();
    default: {
      const name = DAYS.findIndex((weekday) => day.endsWith(weekday));
      if (name === -1) return null;
      const ahead = (name + 1 - today.dayOfWeek + 7) % 7;
      return today.add({ days: ahead === 0 ? 7 : ahead }).toString();
    }
  }
}

/** The name of a date's weekday, in lower case. */
export function weekdayOf(date: string): string {
  return DAYS[Temporal.PlainDate.from(date).dayOfWeek - 1] ?? "";
}

/** Whether a text speaks of days at all. */
export function namesDays(text: string): boolean {
  return new RegExp(`\\b(?:${DAY_WORDS})s?\\b|\\bweek(?:end|days|nights)?\\b`).test(text);
}

/** Plain words without the days in them. */
export function withoutDays(text: string): string {
  return text
    .replace(
      new RegExp(
        `\\b(?:(?:for|on|from|to|till|until|through|by|of) )?(?:the )?(?:${DAY_WORDS}|(?:this|next|the|my|our) week(?:end)?)s?\\b`,
        "g",
      ),
      " ",
    )
    .replace(/\s+/g, " ")
    .trim();
}

function daysFrom(start: Temporal.PlainDate, count: number): string[] {
  return eachDay(start.toString(), start.add({ days: count - 1 }).toString());
}

function eachDay(first: string, last: string): string[] {
  const start = Temporal.PlainDate.from(first);
  const days = start.until(Temporal.PlainDate.from(last)).days;
  if (days < 0 || days > 60) return [];
  return Array.from({ length: days + 1 }, (_, index) => start.add({ days: index }).toString());
}
