import { listInlineLists, type EntityType } from "../../state/entity.ts";
import type { NetRow } from "./net-rows.ts";

/** Rows of a table that no entity type describes: they went with other rows, or lost a value with them. */
export type AlongRows = {
  readonly table: string;
  readonly action: "delete" | "update";
  readonly count: number;
};

/** Selects the rows of tables that no entity type describes that are gone, or have lost a value. Pure. */
export function selectLost(
  net: readonly NetRow[],
  entityTypes: readonly EntityType[],
): readonly NetRow[] {
  const described = new Set(
    entityTypes.flatMap((type) => [type, ...listInlineLists(type)].map(({ table }) => table)),
  );
  return net.filter((row) => !described.has(row.table) && hasLost(row));
}

function hasLost({ before, after }: NetRow): boolean {
  if (before === null || after === null) return before !== null;
  return Object.entries(before).some(
    ([name, value]) => value !== null && (after[name] ?? null) === null,
  );
}

/** Counts rows by table. Pure. */
export function countAlong(lost: readonly NetRow[]): readonly AlongRows[] {
  const kinds = Map.groupBy(lost, ({ table, after }) => `${table} ${after === null}`);
  return [...kinds.values()].map((rows) => ({
    table: rows[0]?.table ?? "",
    action: rows[0]?.after === null ? "delete" : "update",
    count: rows.length,
  }));
}
