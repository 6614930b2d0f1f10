import { readSpokenLanguage } from "./spoken-language.ts";

const FORMATS = new Map<string, Intl.ListFormat>();

/** Joins items as the language does that is spoken at present. */
function join(items: readonly string[], type: Intl.ListFormatType): string {
  const { language } = readSpokenLanguage();
  const key = `${language} ${type}`;
  const format = FORMATS.get(key) ?? new Intl.ListFormat(language, { type });
  FORMATS.set(key, format);
  return format.format(items);
}

/**
 * Joins items that stand side by side, as labels in a receipt do.
 *
 * @example
 * joinItems(["rice", "beans", "salt"]); // "rice, beans, salt"
 */
export function joinItems(items: readonly string[]): string {
  return join(items, "unit");
}

/**
 * Joins items of which one is meant.
 *
 * @example
 * joinWithOr(["title", "note"]); // "title or note"
 */
export function joinWithOr(items: readonly string[]): string {
  return join(items, "disjunction");
}

/**
 * Joins items as a clause names them.
 *
 * @example
 * joinWithAnd(["recipes", "tasks"]); // "recipes and tasks"
 */
export function joinWithAnd(items: readonly string[]): string {
  return join(items, "conjunction");
}
