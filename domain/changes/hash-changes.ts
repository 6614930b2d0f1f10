import { createHash } from "node:crypto";
import type { Change } from "../../state/change.ts";
import type { EntityType } from "../../state/entity.ts";
import type { Json, JsonObject } from "../../state/json.ts";

/** A hash of a value that does not depend on the order of keys. Hexadecimal SHA-256. */
export function hashJson(value: Json): string {
  return createHash("sha256").update(inKeyOrder(value)).digest("hex");
}

/**
 * A hash of what changes would do: the same for the same rows at the same versions becoming the same.
 * New keys and values that a domain calls volatile are left out, since they differ each time. Pure.
 */
export function hashChanges(
  changes: readonly Change[],
  entityTypes: readonly EntityType[],
): string {
  const parts = changes.map((change): JsonObject => {
    const type = entityTypes.find((candidate) => candidate.type === change.type);
    return {
      action: change.action,
      type: change.type,
      id: change.action === "create" ? null : change.id,
      version: change.version,
      before: change.version === null ? stableValues(type, change.before) : null,
      after: stableValues(type, change.after),
    };
  });
  const texts = parts.map(inKeyOrder);
  return hashJson(texts.toSorted());
}

function stableValues(type: EntityType | undefined, values: JsonObject | null): JsonObject | null {
  if (values === null || type === undefined) return values;
  const volatile = new Set(
    type.columns.filter((column) => column.volatile).map(({ name }) => name),
  );
  return Object.fromEntries(Object.entries(values).filter(([name]) => !volatile.has(name)));
}

function inKeyOrder(value: Json): string {
  return JSON.stringify(value, (_key, part: unknown) => {
    if (typeof part !== "object" || part === null || Array.isArray(part)) return part;
    return Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  });
}
