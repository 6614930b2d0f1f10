import type { Json } from "../../state/json.ts";

/**
 * A JSON value as text for a `json` or `jsonb` column.
 *
 * Contract: it is always accepted. Postgres refuses NUL characters and halves of surrogate pairs in
 * texts: the first are left out, the second become U+FFFD.
 */
export function toJsonColumn(value: Json): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === "string" ? toTextColumn(part) : part,
  );
}

/** A text that a `text` column accepts, likewise. */
export function toTextColumn(text: string): string {
  return text.replaceAll("\0", "").toWellFormed();
}
