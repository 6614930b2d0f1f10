// Only this locale: the package's main entry loads more than two hundred files of others.
import { casual as english } from "chrono-node/en";
import { Temporal } from "temporal-polyfill";

const ISO = /^\d{4}-\d{2}-\d{2}$/u;
/** "27.11.2026": where dots are written, the day comes first. */
const DOTTED = /^(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})$/u;
/** "11/27/2026", "5-6-2026": the order differs from land to land. */
const SLASHED = /^(\d{1,2})[/-](\d{1,2})[/-](\d{4})$/u;
/** Words before a day that say that it is the last one. */
const LEAD = /^(?:until|till|til|through|to|by|including|inclusive of)\s+(?:and including\s+)?/iu;

/**
 * Reads the last day of a wish: a date, or English words that mean one day on `today`. Returns it as
 * `YYYY-MM-DD`; null where it is no day, or can be either of two. Pure.
 */
export function readEndDay(text: string, today: string): string | null {
  const words = text.trim().replace(LEAD, "");
  if (ISO.test(words)) return toDay(words.split("-").map(Number));
  const [, dottedDay, dottedMonth, dottedYear] = DOTTED.exec(words) ?? [];
  if (dottedYear !== undefined) return toDay([dottedYear, dottedMonth, dottedDay].map(Number));
  const [, first = "", second = "", year] = SLASHED.exec(words) ?? [];
  if (year !== undefined) return readSlashed([Number(first), Number(second), Number(year)]);
  return readWords(words, today);
}

function readSlashed([first = 0, second = 0, year = 0]: readonly number[]): string | null {
  const [monthFirst, dayFirst] = [toDay([year, first, second]), toDay([year, second, first])];
  if (monthFirst !== null && dayFirst !== null && monthFirst !== dayFirst) return null;
  return monthFirst ?? dayFirst;
}

/** A weekday is the coming one; today's own name, and "next Friday", may be either of two. */
function readWords(words: string, today: string): string | null {
  if (/\bnext\b/iu.test(words)) return null;
  // oxlint-disable-next-line eslint/no-restricted-globals -- The parser takes no other form of a day.
  const reference = new Date(`${today}T12:00:00`);
  const [found, ...others] = english.parse(words, reference, { forwardDate: true });
  const isWhole = found !== undefined && others.length === 0 && found.text === words;
  if (!isWhole || found.end !== null) return null;
  const date = found.start.date();
  const day = toDay([date.getFullYear(), date.getMonth() + 1, date.getDate()]);
  if (found.start.isCertain("day")) return day;
  return found.start.isCertain("weekday") && day !== today ? day : null;
}

function toDay([year = 0, month = 0, day = 0]: readonly number[]): string | null {
  try {
    return Temporal.PlainDate.from({ year, month, day }, { overflow: "reject" }).toString();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return null;
  }
}
