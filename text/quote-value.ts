import type { Json } from "../state/json.ts";

const DATABASE_ID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;

/** Returns true when the whole text is a database id (a UUID). */
export function isDatabaseId(text: string): boolean {
  return new RegExp(`^\\s*${DATABASE_ID.source}\\s*$`, "i").test(text);
}

/** A text without the database ids in it, for messages that models and people may see. */
export function hideDatabaseIds(text: string): string {
  return text.replace(DATABASE_ID, "(id)");
}

/** A short, quoted form of a value for error sentences; database ids in it are hidden. */
export function quoteValue(value: Json): string {
  const text = hideDatabaseIds(typeof value === "string" ? value : JSON.stringify(value));
  return `"${text.length > 60 ? `${text.slice(0, 60)}…` : text}"`;
}
