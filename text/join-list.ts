import { cacheByLanguage } from "./cache-by-language.ts";
import { readSpokenLanguage } from "./spoken-language.ts";

type Join = Intl.ListFormatType;

const FORMATS: Readonly<Record<Join, (language: string) => Intl.ListFormat>> = {
  unit: cacheByLanguage((language) => new Intl.ListFormat(language, { type: "unit" })),
  disjunction: cacheByLanguage(
    (language) => new Intl.ListFormat(language, { type: "disjunction" }),
  ),
  conjunction: cacheByLanguage(
    (language) => new Intl.ListFormat(language, { type: "conjunction" }),
  ),
};

/** Joins items as the language does that is spoken at present. */
function join(items: readonly string[], type: Join): string {
  return FORMATS[type](readSpokenLanguage().language).format(items);
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
