import type { Change } from "../../state/change.ts";
import type { EntityType } from "../../state/entity.ts";
import type { JsonObject } from "../../state/json.ts";
import { listOwners, placeRow } from "./list-owners.ts";
import type { NetRow } from "./net-rows.ts";

/**
 * Counts the rows that were changed without any of `changes` showing it: those of tables and columns
 * that no entity type describes. Rows that a foreign key or a trigger changed are left out, and those
 * of which only version and time differ. Pure.
 */
export function countUndescribed(
  net: readonly NetRow[],
  changes: readonly Change[],
  entityTypes: readonly EntityType[],
): number {
  const tables = new Map(entityTypes.map(({ type, table }) => [type, table]));
  const described = new Set(
    changes.map(({ type, id }) => placeRow({ table: tables.get(type) ?? type, key: id })),
  );
  return net.filter(
    (row) =>
      !row.follows &&
      isDifferent(row) &&
      !listOwners(row, entityTypes).some((owner) => described.has(owner)),
  ).length;
}

function isDifferent({ before, after }: NetRow): boolean {
  return JSON.stringify(withoutVersion(before)) !== JSON.stringify(withoutVersion(after));
}

function withoutVersion(row: JsonObject | null): JsonObject | null {
  if (row === null) return null;
  const { row_version: _version, updated_at: _time, ...values } = row;
  return values;
}
