import { findKey, type Column, type EntityType } from "../../state/entity.ts";
import { ToolInputError } from "../../state/tool.ts";
import { quoteValue } from "../../text/quote-value.ts";
import { findFilterTarget } from "./lookup.ts";
import { identifier, literal, tableName } from "./sql.ts";

/**
 * The SQL that orders rows of alias `t`: by one column ("due_on", "due_on desc"), or as the entity
 * type says; the key settles ties.
 *
 * @throws ToolInputError for a column that rows cannot be ordered by.
 */
export function orderSql(entityType: EntityType, orderBy: string | null): string {
  return listSortKeys(entityType, orderBy)
    .map(({ sql, isDescending }) => `${sql("t")} ${isDescending ? "desc" : "asc"} nulls last`)
    .join(", ");
}

/**
 * The SQL of the condition that a row of alias `t` comes after another in that order; `id` is the
 * SQL of the other's key. False for every row where the other no longer exists.
 *
 * @throws ToolInputError for a column that rows cannot be ordered by.
 */
export function afterSql(entityType: EntityType, orderBy: string | null, id: string): string {
  const keys = listSortKeys(entityType, orderBy);
  const ways = keys.map((key, index) => {
    const equal = keys
      .slice(0, index)
      .map(({ sql }) => `${sql("t")} is not distinct from ${sql("a")}`);
    return `(${[...equal, isAfter(key)].join(" and ")})`;
  });
  const key = identifier(findKey(entityType).column);
  return `exists (select 1 from ${tableName(entityType.table)} a where a.${key} = ${id} and (${ways.join(" or ")}))`;
}

/** One of the values by which rows are ordered, as SQL over an alias. */
interface SortKey {
  readonly sql: (alias: string) => string;
  readonly isDescending: boolean;
}

function listSortKeys(entityType: EntityType, orderBy: string | null): SortKey[] {
  const own = [...entityType.orderBy, findKey(entityType).column].map((name) =>
    createSortKey(entityType, name),
  );
  if (orderBy === null) return own;
  const [, name = orderBy, direction = "asc"] =
    /^(.+?)(?: (asc|desc))?$/i.exec(orderBy.trim()) ?? [];
  const target = findFilterTarget(entityType, name);
  if (target.kind !== "column" || !isSortable(target.column)) {
    const sortable = entityType.columns.filter(isSortable).map((column) => column.name);
    throw new ToolInputError(
      `Cannot order by ${quoteValue(name)}: rows cannot be ordered by it; use one of ${sortable.join(", ")}`,
    );
  }
  const isDescending = direction.toLowerCase() === "desc";
  return [{ ...createSortKey(entityType, name), isDescending }, ...own];
}

/** Rows without a value come last, whatever the direction. */
function isAfter({ sql, isDescending }: SortKey): string {
  const [row, other] = [sql("t"), sql("a")];
  return `(${row} ${isDescending ? "<" : ">"} ${other} or (${row} is null and ${other} is not null))`;
}

function isSortable(column: Column): boolean {
  return column.kind !== "tags" && column.references === undefined;
}

/** Choices sort in the order in which the entity type lists them. */
function createSortKey(entityType: EntityType, name: string): SortKey {
  const column = entityType.columns.find((candidate) => candidate.name === name);
  const values = (column?.values ?? []).map(literal).join(", ");
  return {
    isDescending: false,
    sql: (alias) => {
      const expression = `${alias}.${identifier(name)}`;
      return column?.kind === "choice"
        ? `array_position(array[${values}]::text[], ${expression}::text)`
        : expression;
    },
  };
}
