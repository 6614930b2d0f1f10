import { en } from "chrono-node";
import { Temporal } from "temporal-polyfill";

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

const NAMES = [
  "Monday",
  "Tuesday",
  "Wednesday",
  "Thursday",
  "Friday",
  "Saturday",
  "Sunday",
] as const;
const MONTH = "(?:jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)[a-z]*";
const NUMBER = "\\d{1,2}(?:st|nd|rd|th)?";

/** The forms that are accepted, each alone at the beginning of a row of words. */
const FORMS = {
  iso: /^\d{4}-\d{2}-\d{2}/,
  relative:
    /^(?:today|tonight|this (?:evening|night)|tomorrow|(?:the )?day after tomorrow)( evening| night)?/,
  weekday:
    /^(this |next |coming )?(mon|tues?|wed|thu(?:rs?)?|fri|sat|sun)(?:day|nesday|sday|urday)?( evening| night)?/,
  monthDay: new RegExp(`^(?:${NUMBER} (?:of )?${MONTH}|${MONTH} ${NUMBER})(?: \\d{4})?`),
  week: /^(?:(this|the|next|my|our|coming) week|rest of the week|the rest of the week)/,
  weekend: /^(?:(?:this|the|coming) )?weekend/,
  days: /^next (\d+) days/,
} as const;

/** Finds the day that begins a row of words, and how many of them it takes; null where none does. */
export function findDay(
  words: readonly string[],
  today: string,
): { readonly day: Day; readonly length: number } | null {
  const first = findSingle(words, today);
  if (first === null || first.day.or !== null || first.day.first !== first.day.last) return first;
  const [joint, ...rest] = words.slice(first.length);
  if (joint !== "to" && joint !== "until" && joint !== "through") return first;
  const last = findSingle(rest, first.day.first);
  if (last === null || last.day.or !== null) return first;
  return { day: { ...first.day, last: last.day.last }, length: first.length + 1 + last.length };
}

function findSingle(words: readonly string[], today: string): ReturnType<typeof findDay> {
  const text = words.slice(0, 5).join(" ");
  for (const form of Object.keys(FORMS) as (keyof typeof FORMS)[]) {
    const found = FORMS[form].exec(text);
    if (found === null || /^\w/.test(text.slice(found[0].length))) continue;
    const day = readForm(form, found, Temporal.PlainDate.from(today));
    if (day !== null) return { day, length: found[0].split(" ").length };
  }
  return null;
}

function readForm(
  form: keyof typeof FORMS,
  found: RegExpExecArray,
  today: Temporal.PlainDate,
): Day | null {
  const [text, one = "", two = ""] = found;
  const monday = today.subtract({ days: today.dayOfWeek - 1 });
  const evening = /night|evening/.test(text);
  switch (form) {
    case "iso":
    case "monthDay": {
      const reference = new Date(`${today.toString()}T12:00:00`);
      const date = en.strict.parse(text, reference, { forwardDate: true })[0]?.start.date();
      if (date === undefined) return null;
      return createDay(
        new Temporal.PlainDate(date.getFullYear(), date.getMonth() + 1, date.getDate()),
      );
    }
    case "relative": {
      const days = text.includes("after") ? 2 : text.startsWith("tomorrow") ? 1 : 0;
      return createDay(today.add({ days }), { evening });
    }
    case "weekday": {
      const index = NAMES.findIndex((name) => name.toLowerCase().startsWith(two.slice(0, 3)));
      const ahead = (index + 8 - today.dayOfWeek) % 7;
      const date = today.add({ days: ahead });
      // "Next Friday" is the coming one for some and the one after for others; so is today's weekday.
      const isOpen = one === "next " || (ahead === 0 && one !== "this ");
      return createDay(date, {
        evening,
        ...(isOpen ? { or: date.add({ days: 7 }).toString() } : {}),
      });
    }
    case "week": {
      const next = one === "next" ? 7 : 0;
      return createDay(next > 0 ? monday.add({ days: 7 }) : today, {
        last: `${monday.add({ days: 6 + next })}`,
      });
    }
    case "weekend":
      return createDay(monday.add({ days: 5 }), { last: `${monday.add({ days: 6 })}` });
    case "days":
      return Number(one) < 1 || Number(one) > 14
        ? null
        : createDay(today.add({ days: 1 }), { last: `${today.add({ days: Number(one) })}` });
    default:
      return form satisfies never;
  }
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
  return Array.from(
    { length: Math.min(most, days + 1) },
    (_, index) => `${start.add({ days: index })}`,
  );
}

/** Today as a prompt's calendar says it; any Monday where it does not. */
export function readToday(text: string): string {
  return /Today is \w+ (\d{4}-\d{2}-\d{2})/.exec(text)?.[1] ?? "2000-01-03";
}
