import { fetchRows } from "../../domain/table-tools/rows.ts";
import { identifier } from "../../domain/table-tools/sql.ts";
import type { EntityRow, EntityType } from "../../state/entity.ts";
import type { UserData } from "../../state/store.ts";

/** Table → a user's rows in it, whole, children inside their parents. */
export type Tables = Readonly<Record<string, readonly EntityRow[]>>;

/** Changes of a table's rows between two reads. */
export interface TableChanges {
  readonly created: readonly EntityRow[];
  /** As they are now. */
  readonly updated: readonly EntityRow[];
  readonly deleted: readonly EntityRow[];
  /** Number of rows before. */
  readonly before: number;
}

/** Reads every row a user has in the tables of these types. */
export async function readTables(
  userData: UserData,
  { userId, types }: { readonly userId: string; readonly types: readonly EntityType[] },
): Promise<Tables> {
  return userData.read(userId, async (tx) => {
    const tables: Record<string, EntityRow[]> = {};
    for (const type of types) {
      const { rows } = await tx.query(
        `select id::text as id from ${identifier(type.table)} order by created_at, id`,
      );
      const ids = rows.map(({ id }) => String(id));
      tables[type.table] = await fetchRows(tx, type, { ids, detail: "full" });
    }
    return tables;
  });
}

/** Returns the changes of every table. A row counts as updated when its values differ. */
export function compareTables(
  before: Tables,
  after: Tables,
): Readonly<Record<string, TableChanges>> {
  const tables = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return Object.fromEntries(
    tables.map((table) => [table, compareRows(before[table] ?? [], after[table] ?? [])]),
  );
}

function compareRows(before: readonly EntityRow[], after: readonly EntityRow[]): TableChanges {
  const old = new Map(before.map((row) => [row.id, JSON.stringify(row.values)]));
  const ids = new Set(after.map(({ id }) => id));
  return {
    created: after.filter(({ id }) => !old.has(id)),
    updated: after.filter(
      ({ id, values }) => old.has(id) && old.get(id) !== JSON.stringify(values),
    ),
    deleted: before.filter(({ id }) => !ids.has(id)),
    before: before.length,
  };
}
