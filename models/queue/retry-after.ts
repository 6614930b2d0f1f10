const DECIMAL = /^\d+(?:\.\d+)?$/;

/**
 * Reads how long an endpoint wants no further call, in seconds; null where it does not say.
 *
 * `retry-after-ms` goes before `retry-after`, which is a number of seconds or an HTTP date
 * (RFC 9110, 10.2.3). A date is compared with the response's own `date` header, and with `now`
 * (milliseconds since 1970) where there is none, so that a wrong clock here does no harm. A date
 * that has passed is 0; what cannot be read counts as absent.
 *
 * @param headers A `Headers` object, or a plain object whose names may have capital letters.
 */
export function readRetryAfter(headers: unknown, now: number): number | null {
  const ms = readDecimal(readHeader(headers, "retry-after-ms"));
  if (ms !== null) return ms / 1_000;
  const text = readHeader(headers, "retry-after");
  const seconds = readDecimal(text);
  if (seconds !== null || text === null) return seconds;
  const date = readDate(text);
  if (date === null) return null;
  const sent = readDate(readHeader(headers, "date")) ?? now;
  return Math.max(0, date - sent) / 1_000;
}

function readHeader(headers: unknown, name: string): string | null {
  if (typeof headers !== "object" || headers === null) return null;
  // Every fetch implementation has a class of its own.
  const get: unknown = Reflect.get(headers, "get");
  const value: unknown =
    typeof get === "function"
      ? Reflect.apply(get, headers, [name])
      : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  if (typeof value === "number") return String(value);
  return typeof value === "string" ? value : null;
}

function readDecimal(text: string | null): number | null {
  const trimmed = text?.trim() ?? "";
  if (!DECIMAL.test(trimmed)) return null;
  const value = Number(trimmed);
  return Number.isFinite(value) ? value : null;
}

/** Of dates only those of HTTP: `Date.parse` takes "-1" for a year. */
function readDate(text: string | null): number | null {
  if (text === null || !/[a-z]{3}.*\d\d:\d\d:\d\d/i.test(text)) return null;
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? null : ms;
}
