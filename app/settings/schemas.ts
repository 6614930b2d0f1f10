import { homedir } from "node:os";
import { resolve } from "node:path";
import { z } from "zod";

/** Reads a text without the blanks around it; an empty one counts as absent. */
export const text = z
  .string()
  .trim()
  .optional()
  .transform((value) => (value === "" ? undefined : value));

/** Reads a text; null if it is not set. */
export const textOrNull = text.transform((value): string | null => value ?? null);

/** Reads a list whose items are separated by commas. */
export const commaList = text.transform((value) => splitList(value ?? ""));

/** Returns the parts between the commas, without blanks and empty ones. */
export function splitList(value: string): readonly string[] {
  return value
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

/** The most days that rows may be kept. */
const MOST_DAYS = 36_500;
export const MOST_HOURS = 24 * MOST_DAYS;

/** The least and the greatest number that a setting may have. */
interface NumberRange {
  readonly min: number;
  readonly max: number;
}

/** Reads a whole number; `fallback` if it is not set. */
export function whole<T extends number | null>(range: NumberRange & { readonly fallback: T }) {
  return text.transform((value, context): number | T => {
    if (value === undefined) return range.fallback;
    const number = readWhole(value, range);
    if (number !== null) return number;
    context.addIssue(`must be a whole number from ${range.min} to ${range.max}`);
    return z.NEVER;
  });
}

/** Reads a number of days, or "never" (null); `fallback` if it is not set. */
export function days(fallback: number | null) {
  return text.transform((value, context): number | null => {
    if (value === undefined) return fallback;
    if (value.toLowerCase() === "never") return null;
    const number = readWhole(value, { min: 1, max: MOST_DAYS });
    if (number !== null) return number;
    context.addIssue(`must be a whole number of days from 1 to ${MOST_DAYS}, or "never"`);
    return z.NEVER;
  });
}

/** Reads a whole number of days, without "never"; `fallback` if it is not set. */
export function wholeDays(fallback: number) {
  return whole({ min: 1, max: MOST_DAYS, fallback });
}

/** Returns null if the value is not a whole number in the range. */
function readWhole(value: string, { min, max }: NumberRange): number | null {
  const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
  return number >= min && number <= max ? number : null;
}

/** Reads one of several words, in any case; null if it is not set. */
export function choice<T extends string>(choices: readonly T[]) {
  return text.transform((value, context): T | null => {
    if (value === undefined) return null;
    const choice = choices.find((known) => known === value.toLowerCase());
    if (choice !== undefined) return choice;
    context.addIssue(`must be one of ${choices.join(", ")}`);
    return z.NEVER;
  });
}

const SWITCH: Readonly<Record<string, boolean>> = {
  true: true,
  yes: true,
  on: true,
  "1": true,
  false: false,
  no: false,
  off: false,
  "0": false,
};

/** Reads a switch, which is off if it is not set. */
export const onOff = text.transform((value, context): boolean => {
  const on = SWITCH[value?.toLowerCase() ?? "false"];
  if (on !== undefined) return on;
  context.addIssue('must be "true" or "false"');
  return z.NEVER;
});

/** Reads a path and makes it absolute; null if it is not set. */
export const path = text.transform((value): string | null =>
  // `.env` knows no shell that would replace the tilde.
  value === undefined ? null : resolve(value.replace(/^~(?=\/|$)/, homedir())),
);
