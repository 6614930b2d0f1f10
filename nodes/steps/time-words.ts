import { CHANGE_FIELDS } from "../../text/change-words.ts";
import { foldWords } from "../../text/fold-words.ts";

const DAY_MS = 86_400_000;

/** "17:30", "15h30", "5.30 Uhr", in a text. */
export const CLOCK_TIMES =
  /(?<!\d)(\d{1,2})(?::|\s?h\s?|\.(?=\d{2}\s*(?:uhr|uur|am|pm)))(\d{2})(?!\d)/giu;

let timeWords: ReadonlySet<string> | null = null;

/** Lists the names of days and months in the shipped languages, folded: made once, when a message first needs them. */
export function listTimeWords(): ReadonlySet<string> {
  timeWords ??= new Set(
    [...CHANGE_FIELDS.keys()].flatMap((language) => {
      const format = new Intl.DateTimeFormat(language, { dateStyle: "full", timeZone: "UTC" });
      // A day of every name, and one in every month.
      const days = Array.from({ length: 12 }, (_, at) => [at * DAY_MS, at * 31 * DAY_MS]);
      return days.flat().flatMap((day) => foldWords(format.format(day).replaceAll(/\d/gu, "")));
    }),
  );
  return timeWords;
}

let monthWords: ReadonlyMap<string, number> | null = null;

/** Lists the names of months in the shipped languages, folded, with their numbers; short ones in English, as others are words of their own. */
export function listMonthWords(): ReadonlyMap<string, number> {
  monthWords ??= new Map(
    [...CHANGE_FIELDS.keys()].flatMap((language) => {
      const forms = language === "en" ? (["long", "short"] as const) : (["long"] as const);
      return forms.flatMap((month) => {
        const format = new Intl.DateTimeFormat(language, { month, timeZone: "UTC" });
        return Array.from({ length: 12 }, (_, at) => at).flatMap((at) =>
          foldWords(format.format(at * 31 * DAY_MS)).map((word) => [word, at + 1] as const),
        );
      });
    }),
  );
  return monthWords;
}

let comingWords: ReadonlySet<string> | null = null;

/** Lists the words by which the shipped languages name a time to come, folded: those of `listTimeWords`, "tomorrow", "next week". */
export function listComingWords(): ReadonlySet<string> {
  comingWords ??= new Set([
    ...listTimeWords(),
    ...[...CHANGE_FIELDS.keys()].flatMap((language) => {
      const format = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
      const coming = (["week", "month", "year"] as const).map((unit) => format.format(1, unit));
      return [...coming, ...[1, 2].map((days) => format.format(days, "day"))].flatMap(foldWords);
    }),
  ]);
  return comingWords;
}
