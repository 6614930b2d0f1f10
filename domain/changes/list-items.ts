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
 * by the value that leads each. One whose other values change stays. Pure.
 */
export function listRemovedItems(
  { action, changed, before, after, type }: Change,
  entityType: EntityType,
): readonly NameableRow[] {
  if (action !== "update") return [];
  return listInlineLists(entityType)
    .filter(({ name }) => changed.includes(name))
    .flatMap((list) => {
      const left = readListItems(after?.[list.name]).map((item) => readLead(item, list));
      return readListItems(before?.[list.name])
        .map((item) => ({ item, lead: readLead(item, list) }))
        .filter(({ lead }) => {
          const at = left.indexOf(lead);
          if (at !== -1) left.splice(at, 1);
          return at === -1;
        })
        .map(({ item, lead }) => {
          const references = findLead(item, list)?.references;
          return references === undefined
            ? { type, id: null, ref: null, label: lead }
            : { type: references, id: lead, ref: null, label: "" };
        });
    });
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
