import type { Change } from "../../state/change.ts";
import {
  listInlineLists,
  rowKey,
  type Column,
  type EntityType,
  type InlineList,
} from "../../state/entity.ts";
import { isJsonObject, type Json, type JsonObject } from "../../state/json.ts";
import { keyText } from "./key-text.ts";

/**
 * Marks the changes that foreign keys made when a row that they point at was deleted: the row went
 * with it, or lost nothing but the pointer. PostgreSQL runs the journal's triggers for them as if
 * the statement itself had made them, so the journal cannot tell. Pure.
 */
export function markFollowers(
  changes: readonly Change[],
  entityTypes: readonly EntityType[],
): Change[] {
  const deleted = new Set(
    changes.filter(({ action }) => action === "delete").map(({ type, id }) => rowKey(type, id)),
  );
  return changes.map((change) => {
    const entityType = entityTypes.find(({ type }) => type === change.type);
    if (entityType === undefined || change.cause === "named") return change;
    const pointers = entityType.columns.filter((column) =>
      pointsAtDeleted(column, change.before ?? {}, deleted),
    );
    const lists = listInlineLists(entityType).filter((list) => lostPointers(list, change, deleted));
    const lost = new Set([...pointers, ...lists].map(({ name }) => name));
    const follows =
      change.action === "delete"
        ? pointers.length > 0
        : lost.size > 0 && change.changed.every((name) => lost.has(name));
    return follows ? { ...change, cause: "follows" } : change;
  });
}

function pointsAtDeleted(
  { name, references }: Column,
  values: JsonObject,
  deleted: ReadonlySet<string>,
): boolean {
  return references !== undefined && deleted.has(rowKey(references, keyText(values[name])));
}

/** Returns true where a list lost the items that point at deleted rows, and nothing else. */
function lostPointers(
  { name, columns }: InlineList,
  { before, after }: Change,
  deleted: ReadonlySet<string>,
): boolean {
  const items = before?.[name];
  if (!Array.isArray(items)) return false;
  const kept = items.filter(
    (item: Json) =>
      !isJsonObject(item) || !columns.some((column) => pointsAtDeleted(column, item, deleted)),
  );
  return kept.length < items.length && JSON.stringify(kept) === JSON.stringify(after?.[name]);
}
