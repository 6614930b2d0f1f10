import type { Json } from "../../state/json.ts";

/**
 * Converts a JSON value to text for a `json` or `jsonb` column.
 *
 * Contract: Postgres always accepts the result. It rejects NUL characters, which are left out, and
 * lone surrogates, which become U+FFFD.
 */
export function toJsonColumn(value: Json): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === "string" ? toTextColumn(part) : part,
  );
}

/** Converts text to a form that a `text` column accepts, in the same way. */
export function toTextColumn(text: string): string {
  return text.replaceAll("\0", "").toWellFormed();
}
