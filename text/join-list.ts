/** The language of `SENTENCES`. */
const LANGUAGE = "en";

const ITEMS = new Intl.ListFormat(LANGUAGE, { type: "unit" });
const OR = new Intl.ListFormat(LANGUAGE, { type: "disjunction" });
const AND = new Intl.ListFormat(LANGUAGE, { type: "conjunction" });

/**
 * Joins items that stand side by side, as labels in a receipt do.
 *
 * @example
 * joinItems(["rice", "beans", "salt"]); // "rice, beans, salt"
 */
export function joinItems(items: readonly string[]): string {
  return ITEMS.format(items);
}

/**
 * Joins items of which one is meant.
 *
 * @example
 * joinWithOr(["title", "note"]); // "title or note"
 */
export function joinWithOr(items: readonly string[]): string {
  return OR.format(items);
}

/**
 * Joins items as a clause names them.
 *
 * @example
 * joinWithAnd(["recipes", "tasks"]); // "recipes and tasks"
 */
export function joinWithAnd(items: readonly string[]): string {
  return AND.format(items);
}
