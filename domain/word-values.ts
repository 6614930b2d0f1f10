import { describeDay, describeTime, wordMoments } from "../state/calendar.ts";
import type { Change } from "../state/change.ts";
import {
  holdsNumbers,
  listInlineLists,
  listVisibleColumns,
  rowKey,
  type Column,
  type EntityType,
  type InlineList,
} from "../state/entity.ts";
import { isJsonObject, type Json, type JsonObject } from "../state/json.ts";
import { oneLine } from "../text/fence.ts";
import { hideDatabaseIds } from "../text/quote-value.ts";
import { renderSentence } from "../text/sentences.ts";
import { readSpokenLanguage } from "../text/spoken-language.ts";
import { nameInWords } from "../text/blot-machinery.ts";
import { joinItems } from "../text/join-list.ts";
import { keyText } from "./changes/key-text.ts";
import { findLead, readListItems } from "./changes/list-items.ts";
import type { RowLabels } from "./changes/load-labels.ts";

/** Most characters of a value. */
const LONGEST = 120;

/** Parts that values are worded with. */
export interface ValueWords {
  /** Most characters of a value. Default: 120. */
  readonly longest?: number;
  /** Those of the rows that values point at. */
  readonly labels: RowLabels;
  /** The person's, in which times are shown. */
  readonly timeZone: string;
}

/** Words what becomes of the values of a changed row, with labels in place of ids; hidden columns are left out. Pure. */
export function wordValues(
  { changed, before, after }: Change,
  type: EntityType,
  words: ValueWords,
): readonly string[] {
  const columns = listVisibleColumns(type).filter(({ name }) => changed.includes(name));
  const lists = listInlineLists(type).filter(({ name }) => changed.includes(name));
  const [old, now] = [before ?? {}, after ?? {}];
  return [
    ...columns.map((column) => {
      const [from, to] = keepDifferences(old[column.name] ?? null, now[column.name] ?? null);
      return wordChange(
        column.label ?? column.name,
        wordValue(from, column, words),
        wordValue(to, column, words),
      );
    }),
    ...lists.map((list) => {
      const [from, to] = keepOtherItems(
        readListItems(old[list.name]),
        readListItems(now[list.name]),
      );
      return wordChange(list.name, wordItems(from, list, words), wordItems(to, list, words));
    }),
  ];
}

function wordChange(name: string, from: string, to: string): string {
  return renderSentence("valueBecomes", { name, ...wordBounds(from, to) });
}

function wordBounds(from: string, to: string): { readonly from: string; readonly to: string } {
  const none = renderSentence("emptyValue");
  return { from: from || none, to: to || none };
}

/** Most characters of a value in a receipt, which is read at a glance. */
export const GLANCE = 40;

/**
 * Words an update for a receipt: "4 → 99" where the one number that rows of the type have changed, "was
 * coffee" for a label, else as a question words it. Empty where nothing that may be seen has changed. Pure.
 */
export function wordUpdate(change: Change, type: EntityType, words: ValueWords): string {
  const short = { ...words, longest: GLANCE };
  const old = findOldLabel(change, type);
  const changed = change.changed.filter((name) => !holdsLabel(name, change, old));
  const [only, ...others] = listVisibleColumns(type).filter(({ name }) => changed.includes(name));
  const isAlone = changed.length === 1 && others.length === 0 && old === null;
  // Of several numbers nobody knows which one it is without its name.
  const [amount, ...amounts] = listVisibleColumns(type).filter(holdsNumbers);
  const values =
    isAlone && only !== undefined && only === amount && amounts.length === 0
      ? [renderSentence("amountBecomes", wordPair(change, only, short))]
      : wordValues({ ...change, changed }, type, short);
  const label = old === null ? [] : [renderSentence("labelWas", { label: wordText(old, short) })];
  return joinItems([...label, ...values]);
}

/** Returns the label before a change that gave the row another one; null where it kept its label. Pure. */
export function findOldLabel({ before, after }: Change, { label }: EntityType): string | null {
  const [old, now] = [label(before ?? {}).trim(), label(after ?? {}).trim()];
  return old === now || old === "" ? null : old;
}

/** Returns true for a column that held the whole label: what the label was says it all. */
function holdsLabel(name: string, { before }: Change, old: string | null): boolean {
  const value = before?.[name];
  return old !== null && typeof value === "string" && value.trim() === old;
}

function wordPair(
  { before, after }: Change,
  column: Column,
  words: ValueWords,
): { readonly from: string; readonly to: string } {
  const word = (values: JsonObject | null): string =>
    wordValue(values?.[column.name] ?? null, column, words);
  return wordBounds(word(before), word(after));
}

/** Words a value with the name of its column: `pages 370`; a flag that is set by its name alone. Pure. */
export function wordNamedValue(value: Json, column: Column, words: ValueWords): string {
  const name = column.label ?? nameInWords(column.name);
  return value === true
    ? name
    : `${name} ${wordValue(value, column, words) || renderSentence("emptyValue")}`;
}

function wordValue(value: Json, column: Column, { labels, timeZone, longest }: ValueWords): string {
  const { references, kind } = column;
  if (kind === "timestamp" && typeof value === "string") return describeTime(value, timeZone);
  if (kind === "date" && typeof value === "string") {
    return describeDay(value, readSpokenLanguage().language);
  }
  if (references === undefined || value === null) {
    return clipValue(wordMoments(wordJson(value), timeZone), longest);
  }
  const label = labels.get(rowKey(references, keyText(value)));
  return oneLine(label ?? nameInWords(references));
}

/** Words what a row is called, or what is known of it, on one line, without database ids. Pure. */
export function wordText(text: string, { timeZone, longest }: ValueWords): string {
  return clipValue(oneLine(wordMoments(hideDatabaseIds(text), timeZone)), longest);
}

/** Words a value of any form on one line, without database ids: `size: 4, colours: red, blue`. Empty for none. Pure. */
export function wordJson(value: Json): string {
  if (value === null) return "";
  if (typeof value !== "object") return oneLine(hideDatabaseIds(String(value)));
  const parts = Array.isArray(value)
    ? value.map((part: Json) => wordJson(part))
    : Object.entries(value).map(([key, part]) => {
        const text = wordJson(part);
        return text === "" ? "" : renderSentence("namedValue", { name: key, value: text });
      });
  return joinItems(parts.filter((part) => part !== ""));
}

/** Words the items of a list with its name, cut as a value is. Pure. */
export function wordNamedItems(
  value: Json | undefined,
  list: InlineList,
  words: ValueWords,
): string {
  const items = wordItems(readListItems(value), list, words);
  return `${nameInWords(list.name)} ${clipValue(items, words.longest)}`;
}

function wordItems(items: readonly JsonObject[], list: InlineList, words: ValueWords): string {
  return joinItems(items.map((item) => wordItem(item, list, words)));
}

/** An item by its first text, or by what it points at, and its other values with their names. */
function wordItem(item: JsonObject, list: InlineList, words: ValueWords): string {
  const given = listVisibleColumns(list).filter(({ name }) => (item[name] ?? null) !== null);
  const lead = findLead(item, list);
  if (lead === undefined) return "";
  const others = given
    .filter((column) => column !== lead && item[column.name] !== false)
    .map((column) => wordNamedValue(item[column.name] ?? null, column, words));
  const text = wordValue(item[lead.name] ?? null, lead, words);
  return others.length === 0 ? text : `${text} (${joinItems(others)})`;
}

/** Two nested values without the keys that are equal in both; others as they are. */
function keepDifferences(from: Json, to: Json): readonly [Json, Json] {
  if (!isJsonObject(from) || !isJsonObject(to)) return [from, to];
  const isSame = (name: string): boolean => JSON.stringify(from[name]) === JSON.stringify(to[name]);
  const keep = (values: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(values).filter(([name]) => !isSame(name)));
  return [keep(from), keep(to)];
}

type Items = readonly JsonObject[];

/** The items that only one of two lists has; both lists whole where they differ in order only. */
function keepOtherItems(from: Items, to: Items): readonly [Items, Items] {
  const [gone, come] = [leaveOut(from, to), leaveOut(to, from)];
  return gone.length + come.length === 0 ? [from, to] : [gone, come];
}

function leaveOut(items: Items, others: Items): Items {
  const left = others.map((item) => JSON.stringify(item));
  return items.filter((item) => {
    const at = left.indexOf(JSON.stringify(item));
    if (at !== -1) left.splice(at, 1);
    return at === -1;
  });
}

/** Returns the text, cut where it is longer than a value may be. */
export function clipValue(text: string, longest: number = LONGEST): string {
  const points = Array.from(text);
  return points.length <= longest ? text : `${points.slice(0, longest).join("")}…`;
}
