import { z } from "zod";
import type { ChildTable, EntityRow, EntityType } from "../../state/entity.ts";
import type { Queryable } from "../../state/store.ts";
import { renderSentence } from "../../text/sentences.ts";
import type { ColumnValues, RowContent } from "./content.ts";
import { rowRefusal } from "./failures.ts";
import { fetchRows } from "./rows.ts";
import { createBinder, identifier, type Bind } from "./sql.ts";
import { sqlType } from "./values.ts";

/** The result for one row: the row itself, or the reason it was rejected. */
export type RowResult =
  | { readonly kind: "written"; readonly row: EntityRow }
  | { readonly kind: "refused"; readonly reason: string };

/**
 * Runs the write of one row in a savepoint of its own: a refusal undoes that row and nothing else.
 *
 * Errors that are not about the row are thrown on.
 */
export async function writeRow(
  tx: Queryable,
  entityType: EntityType,
  work: () => Promise<EntityRow | null>,
): Promise<RowResult> {
  await tx.query("savepoint table_row");
  try {
    const row = await work();
    await tx.query("release savepoint table_row");
    return row === null
      ? { kind: "refused", reason: renderSentence("rowGone") }
      : { kind: "written", row };
  } catch (error) {
    const reason = rowRefusal(error, entityType);
    if (reason === null) throw error;
    await tx.query("rollback to savepoint table_row");
    await tx.query("release savepoint table_row");
    return { kind: "refused", reason };
  }
}

const Inserted = z.object({ id: z.string() });

export interface RowInsert {
  readonly userId: string;
  readonly content: RowContent;
}

/** Inserts a row with its children and returns it in full. */
export async function insertRow(
  tx: Queryable,
  entityType: EntityType,
  row: RowInsert,
): Promise<EntityRow | null> {
  const { bind, values } = createBinder();
  const { columns, children } = row.content;
  const names = ["user_id", ...columns.keys()].map(identifier);
  const cells = [bind(row.userId, "text"), ...cellsSql(entityType, columns, bind)];
  const inserted = await tx.query(
    `insert into ${identifier(entityType.table)} (${names.join(", ")})
     values (${cells.join(", ")})
     returning id::text as id`,
    values,
  );
  const { id } = Inserted.parse(inserted.rows[0]);
  for (const [child, items] of children) {
    await insertChildren(tx, child, { userId: row.userId, parentId: id, items });
  }
  return fetchRow(tx, entityType, id);
}

export interface RowUpdate {
  readonly id: string;
  readonly userId: string;
  readonly content: RowContent;
}

/** Updates a row, replacing each child list that is given, and returns it in full; null where it does not exist. */
export async function updateRow(
  tx: Queryable,
  entityType: EntityType,
  row: RowUpdate,
): Promise<EntityRow | null> {
  const { columns, children } = row.content;
  if (columns.size > 0) {
    const { bind, values } = createBinder();
    const cells = cellsSql(entityType, columns, bind);
    const assignments = [...columns.keys()].map(
      (name, index) => `${identifier(name)} = ${cells[index]}`,
    );
    await tx.query(
      `update ${identifier(entityType.table)} set ${assignments.join(", ")}
        where id = ${bind(row.id, "uuid")}`,
      values,
    );
  }
  const exists = await fetchRow(tx, entityType, row.id);
  if (exists === null) return null;
  for (const [child, items] of children) {
    await tx.query(
      `delete from ${identifier(child.table)} where ${identifier(child.foreignKey)} = $1::uuid`,
      [row.id],
    );
    await insertChildren(tx, child, { userId: row.userId, parentId: row.id, items });
  }
  return children.size === 0 ? exists : fetchRow(tx, entityType, row.id);
}

/** Deletes one row; its values as they were are already known to the caller. */
export async function deleteRow(
  tx: Queryable,
  entityType: EntityType,
  row: EntityRow,
): Promise<EntityRow | null> {
  const deleted = await tx.query(
    `delete from ${identifier(entityType.table)} where id = $1::uuid`,
    [row.id],
  );
  return deleted.rowCount === 0 ? null : row;
}

/** Deletes rows together, all or none; false where at least one of them was refused. */
export async function deleteRows(
  tx: Queryable,
  entityType: EntityType,
  rows: readonly EntityRow[],
): Promise<boolean> {
  if (rows.length === 0) return true;
  const ids = rows.map((row) => row.id);
  const table = identifier(entityType.table);
  await tx.query("savepoint table_rows");
  try {
    const deleted = await tx.query(`delete from ${table} where id = any($1::uuid[])`, [ids]);
    if (deleted.rowCount === ids.length) {
      await tx.query("release savepoint table_rows");
      return true;
    }
  } catch (error) {
    if (rowRefusal(error, entityType) === null) throw error;
  }
  await tx.query("rollback to savepoint table_rows");
  await tx.query("release savepoint table_rows");
  return false;
}

async function fetchRow(
  tx: Queryable,
  entityType: EntityType,
  id: string,
): Promise<EntityRow | null> {
  const [row] = await fetchRows(tx, entityType, { ids: [id], detail: "full" });
  return row ?? null;
}

interface NewChildren {
  readonly userId: string;
  readonly parentId: string;
  readonly items: readonly ColumnValues[];
}

async function insertChildren(
  tx: Queryable,
  child: ChildTable,
  { userId, parentId, items }: NewChildren,
): Promise<void> {
  if (items.length === 0) return;
  const { bind, values } = createBinder();
  const [user, parent] = [bind(userId, "text"), bind(parentId, "uuid")];
  const names = [...new Set(items.flatMap((item) => [...item.keys()]))];
  // The order of the list is kept in a column that models do not see.
  const isHiddenOrder = !child.columns.some((column) => column.name === child.orderBy);
  const rows = items.map((item, index) => {
    const cells = cellsSql(child, item, bind);
    const byName = new Map([...item.keys()].map((name, at) => [name, cells[at]]));
    const order = isHiddenOrder ? [bind(index + 1, "integer")] : [];
    return `(${[user, parent, ...order, ...names.map((name) => byName.get(name) ?? "default")].join(", ")})`;
  });
  const columns = [
    "user_id",
    child.foreignKey,
    ...(isHiddenOrder ? [child.orderBy] : []),
    ...names,
  ];
  await tx.query(
    `insert into ${identifier(child.table)} (${columns.map(identifier).join(", ")})
     values ${rows.join(", ")}`,
    values,
  );
}

function cellsSql(owner: EntityType | ChildTable, columns: ColumnValues, bind: Bind): string[] {
  const types = new Map(owner.columns.map((column) => [column.name, sqlType(column)]));
  return [...columns].map(([name, value]) => bind(value, types.get(name)));
}
