import type { Change } from "../../state/change.ts";
import type { Column, EntityType } from "../../state/entity.ts";
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
    const columns = entityTypes.find(({ type }) => type === change.type)?.columns ?? [];
    const pointers = columns.filter((column) => pointsAtDeleted(column, change, deleted));
    const isPointer = (name: string): boolean => pointers.some((column) => column.name === name);
    const follows =
      change.cause !== "named" &&
      pointers.length > 0 &&
      (change.action === "delete" || change.changed.every(isPointer));
    return follows ? { ...change, cause: "follows" } : change;
  });
}

function pointsAtDeleted(
  { name, references }: Column,
  { before }: Change,
  deleted: ReadonlySet<string>,
): boolean {
  return references !== undefined && deleted.has(rowKey(references, keyText(before?.[name])));
}

function rowKey(type: string, id: string): string {
  return `${type}\n${id}`;
}
