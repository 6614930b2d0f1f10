import type { Change, NameableRow } from "../../state/change.ts";
import {
  listInlineLists,
  listVisibleColumns,
  type Column,
  type EntityType,
  type InlineList,
} from "../../state/entity.ts";
import { isJsonObject, type Json, type JsonObject } from "../../state/json.ts";
import { keyText } from "./key-text.ts";

/**
 * Lists the items that an update takes out of the inline lists of a row, as a person can name them:
 * by the value that leads each. One whose other values change stays. So does the text of a column that
 * holds a list. Pure.
 */
export function listRemovedItems(
  { action, changed, before, after, type }: Change,
  entityType: EntityType,
): readonly NameableRow[] {
  if (action !== "update") return [];
  const lists = listInlineLists(entityType)
    .filter(({ name }) => changed.includes(name))
    .flatMap((list) => {
      const [items, left] = [before, after].map((row) => readListItems(row?.[list.name]));
      const readItem = (item: JsonObject): string => readLead(item, list);
      return listGone(items ?? [], left ?? [], readItem).map((item) => {
        const references = findLead(item, list)?.references;
        return references === undefined
          ? { type, id: null, ref: null, label: readItem(item) }
          : { type: references, id: readItem(item), ref: null, label: "" };
      });
    });
  const texts = listVisibleColumns(entityType)
    .filter(({ name, kind }) => kind === "tags" && changed.includes(name))
    .flatMap(({ name }) => listGone(readTexts(before?.[name]), readTexts(after?.[name]), keyText))
    .map((label) => ({ type, id: null, ref: null, label }));
  return [...lists, ...texts];
}

/** Lists the items that are not left, each as often as it is missing. */
function listGone<T>(
  items: readonly T[],
  left: readonly T[],
  readName: (item: T) => string,
): readonly T[] {
  const names = left.map(readName);
  return items.filter((item) => {
    const at = names.indexOf(readName(item));
    if (at !== -1) names.splice(at, 1);
    return at === -1;
  });
}

function readTexts(value: Json | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

/** Returns the column by which an item is known: its first text, or what it points at. Pure. */
export function findLead(item: JsonObject, list: InlineList): Column | undefined {
  const given = listVisibleColumns(list).filter(({ name }) => (item[name] ?? null) !== null);
  return (
    given.find(({ name, references }) => references === undefined && isText(item[name])) ??
    given.find(({ references }) => references !== undefined) ??
    given[0]
  );
}

function readLead(item: JsonObject, list: InlineList): string {
  const lead = findLead(item, list);
  return lead === undefined ? "" : keyText(item[lead.name]);
}

function isText(value: Json | undefined): boolean {
  return typeof value === "string";
}

/** The items of a list among the values of a row. */
export function readListItems(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}
