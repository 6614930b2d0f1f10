import { Temporal } from "temporal-polyfill";
import { ToolInputError } from "../state/tool.ts";
import { quoteValue } from "../text/quote-value.ts";

const LONGEST = 366;

/** Days from one to another, both included. */
export interface DayRange {
  readonly from: string;
  readonly to: string;
}

/**
 * Reads two dates as a range; one of them alone is that day.
 *
 * @returns null when neither is given.
 * @throws ToolInputError when one is no date, they stand the wrong way round, or lie over a year apart.
 */
export function readDays(from: string | null, to: string | null): DayRange | null {
  const first = from ?? to;
  const last = to ?? from;
  if (first === null || last === null) return null;
  const range = { from: readDay(first), to: readDay(last) };
  const length = range.from.until(range.to).days;
  if (length < 0 || length > LONGEST) {
    throw new ToolInputError(
      `Cannot use the days ${quoteValue(first)} to ${quoteValue(last)}: ${length < 0 ? "they stand the wrong way round" : "that is more than a year"}; give from and to`,
    );
  }
  return { from: range.from.toString(), to: range.to.toString() };
}

function readDay(text: string): Temporal.PlainDate {
  try {
    if (/^\d{4}-\d{2}-\d{2}$/.test(text)) {
      return Temporal.PlainDate.from(text, { overflow: "reject" });
    }
  } catch {
    // Said below: a day that does not exist is no date either.
  }
  throw new ToolInputError(
    `Cannot use ${quoteValue(text)} as a day: it is no date; give YYYY-MM-DD`,
  );
}
