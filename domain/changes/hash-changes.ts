import { createHash } from "node:crypto";
import type { Change } from "../../state/change.ts";
import { findKey, isSettable, type Column, type EntityType } from "../../state/entity.ts";
import type { Json, JsonObject } from "../../state/json.ts";
import type { AlongRows } from "./count-along.ts";

/** A hash of a value that does not depend on the order of keys. Hexadecimal SHA-256. */
export function hashJson(value: Json): string {
  return createHash("sha256").update(inKeyOrder(value)).digest("hex");
}

/**
 * A hash of what changes would do: the same for the same rows at the same versions becoming the same,
 * with as many rows going along.
 * Values that differ each time are left out: those that a domain calls volatile, and of new rows the
 * key, the times that nobody may set, and what the database gives. Pure.
 */
export function hashChanges(
  changes: readonly Change[],
  entityTypes: readonly EntityType[],
  along: readonly AlongRows[] = [],
): string {
  const parts = changes.map((change): JsonObject => {
    const type = entityTypes.find((candidate) => candidate.type === change.type);
    return {
      action: change.action,
      type: change.type,
      id: change.action === "create" ? null : change.id,
      version: change.version,
      before: change.version === null ? stableValues(type, change.before, isStable) : null,
      after: stableValues(type, change.after, change.action === "create" ? isGiven : isStable),
    };
  });
  const texts = [...parts, ...along].map(inKeyOrder);
  return hashJson(texts.toSorted());
}

/** The version of the row before a change: the one that it counts, or a number that its content gives; null for a creation. */
export function versionBefore(change: Change, entityTypes: readonly EntityType[]): number | null {
  if (change.version !== null || change.before === null) return change.version;
  const type = entityTypes.find((candidate) => candidate.type === change.type);
  return Number.parseInt(hashJson(stableValues(type, change.before, isStable)).slice(0, 8), 16);
}

type SelectColumn = (column: Column, type: EntityType) => boolean;

function stableValues(
  type: EntityType | undefined,
  values: JsonObject | null,
  isKept: SelectColumn,
): JsonObject | null {
  if (values === null || type === undefined) return values;
  const left = new Set(
    type.columns.filter((column) => !isKept(column, type)).map(({ name }) => name),
  );
  return Object.fromEntries(Object.entries(values).filter(([name]) => !left.has(name)));
}

function isStable({ volatile = false }: Column): boolean {
  return !volatile;
}

/** Returns true for a value of a new row that the call gives, not the database. */
function isGiven(column: Column, type: EntityType): boolean {
  const { name, kind, hasDefault = false } = column;
  if (!isStable(column) || name === findKey(type).column) return false;
  return isSettable(column, "create") || !(hasDefault || kind === "timestamp");
}

function inKeyOrder(value: Json): string {
  return JSON.stringify(value, (_key, part: unknown) => {
    if (typeof part !== "object" || part === null || Array.isArray(part)) return part;
    return Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  });
}
