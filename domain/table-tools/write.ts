import { z } from "zod";
import type { EntityType, InlineList } from "../../state/entity.ts";
import type { Queryable } from "../../state/store.ts";
import type { ColumnValues, RowContent } from "./content.ts";
import { idSql, keySql, keyType } from "./rows.ts";
import { createBinder, identifier, tableName, type Bind } from "./sql.ts";
import { sqlType } from "./values.ts";

const Inserted = z.object({ id: z.string() });

/** Inserts a row with its lists and returns its id; null where a trigger has skipped it. */
export async function insertRow(
  tx: Queryable,
  entityType: EntityType,
  { columns, lists }: RowContent,
): Promise<string | null> {
  const { bind, values } = createBinder();
  const cells = cellsSql(entityType, columns, bind);
  const names = [...columns.keys()].map(identifier);
  const content =
    names.length === 0 ? "default values" : `(${names.join(", ")}) values (${cells.join(", ")})`;
  const inserted = await tx.query(
    `insert into ${tableName(entityType.table)} as t ${content} returning ${idSql(entityType)} as id`,
    values,
  );
  if (inserted.rows[0] === undefined) return null;
  const { id } = Inserted.parse(inserted.rows[0]);
  for (const [list, items] of lists) await insertItems(tx, list, { parentId: id, items });
  return id;
}

export interface RowUpdate {
  readonly id: string;
  readonly content: RowContent;
}

/** Updates a row, replacing each list that is given; returns false where no row was changed. */
export async function updateRow(
  tx: Queryable,
  entityType: EntityType,
  { id, content: { columns, lists } }: RowUpdate,
): Promise<boolean> {
  const { bind, values } = createBinder();
  const cells = cellsSql(entityType, columns, bind);
  const assignments = [...columns.keys()].map(
    (name, index) => `${identifier(name)} = ${cells[index]}`,
  );
  const key = keySql(entityType);
  const where = `${key} = ${bind(id, keyType(entityType))}`;
  const table = tableName(entityType.table);
  // Locked where only its lists change: another one must not replace them meanwhile.
  const { rowCount } = await tx.query(
    columns.size === 0
      ? `select from ${table} t where ${where} for update`
      : `update ${table} t set ${assignments.join(", ")} where ${where}`,
    values,
  );
  if (rowCount === 0) return false;
  for (const [list, items] of lists) {
    await tx.query(
      `delete from ${tableName(list.table)} where ${identifier(list.foreignKey)} = $1`,
      [id],
    );
    await insertItems(tx, list, { parentId: id, items });
  }
  return true;
}

/** Deletes rows and returns the keys of those that are gone. */
export async function deleteRows(
  tx: Queryable,
  entityType: EntityType,
  ids: readonly string[],
): Promise<readonly string[]> {
  const { rows } = await tx.query(
    `delete from ${tableName(entityType.table)} t where ${keySql(entityType)} = any($1::${keyType(entityType)}[])
     returning ${idSql(entityType)} as id`,
    [ids],
  );
  return rows.map((row) => Inserted.parse(row).id);
}

interface NewItems {
  readonly parentId: string;
  readonly items: readonly ColumnValues[];
}

async function insertItems(
  tx: Queryable,
  list: InlineList,
  { parentId, items }: NewItems,
): Promise<void> {
  if (items.length === 0) return;
  const { bind, values } = createBinder();
  const parent = bind(parentId);
  const names = [...new Set(items.flatMap((item) => [...item.keys()]))];
  // The order of the list is kept in a column that models do not see.
  const isHiddenOrder = !list.columns.some((column) => column.name === list.orderBy);
  const rows = items.map((item, index) => {
    const cells = cellsSql(list, item, bind);
    const byName = new Map([...item.keys()].map((name, at) => [name, cells[at]]));
    const order = isHiddenOrder ? [bind(index + 1, "integer")] : [];
    return `(${[parent, ...order, ...names.map((name) => byName.get(name) ?? "default")].join(", ")})`;
  });
  const columns = [list.foreignKey, ...(isHiddenOrder ? [list.orderBy] : []), ...names];
  await tx.query(
    `insert into ${tableName(list.table)} (${columns.map(identifier).join(", ")})
     values ${rows.join(", ")}`,
    values,
  );
}

function cellsSql(owner: EntityType | InlineList, columns: ColumnValues, bind: Bind): string[] {
  const types = new Map(owner.columns.map((column) => [column.name, sqlType(column)]));
  return [...columns].map(([name, value]) => bind(value, types.get(name)));
}
