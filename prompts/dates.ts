import { Temporal } from "temporal-polyfill";

const WEEKDAYS = [
  "Monday",
  "Tuesday",
  "Wednesday",
  "Thursday",
  "Friday",
  "Saturday",
  "Sunday",
] as const;

/** The weekday of a `YYYY-MM-DD`. @throws RangeError when it is no date. */
export function formatWeekday(date: string): string {
  return WEEKDAYS[Temporal.PlainDate.from(date).dayOfWeek - 1] ?? "";
}

/** A day by name: "Monday, 2026-01-12". @throws RangeError when it is no date. */
export function formatDay(date: string): string {
  return `${formatWeekday(date)}, ${date}`;
}

/** Today by name: "Today is Monday 2026-01-12 (Europe/Berlin)." */
export function renderToday(today: string, timeZone: string): string {
  return `Today is ${formatWeekday(today)} ${today} (${timeZone}).`;
}

/** Today and the eight days after it by name, so that a model never has to count: "Tuesday 2026-01-13". */
export function renderCalendar(today: string, timeZone: string): string {
  return `${renderToday(today, timeZone)} Next: ${daysAfter(today)}.`;
}

/** The last one that was asked for: a turn's prompts ask for the same. */
let last = { today: "", days: "" };

function daysAfter(today: string): string {
  if (last.today !== today) last = { today, days: namedDaysAfter(today) };
  return last.days;
}

function namedDaysAfter(today: string): string {
  const start = Temporal.PlainDate.from(today);
  const days = Array.from({ length: 8 }, (_, index) => start.add({ days: index + 1 }).toString());
  return days.map((date) => `${formatWeekday(date).slice(0, 3)} ${date}`).join(", ");
}
