import type { Column, EntityType } from "../../state/entity.ts";
import { ToolInputError } from "../../state/tool.ts";
import { quoteValue } from "../quote-value.ts";
import { findFilterTarget } from "./lookup.ts";
import { identifier, literal } from "./sql.ts";

/** The SQL that orders rows of alias `t`: by one column, or as the entity type says; the id settles ties. */
export function orderSql(
  entityType: EntityType,
  orderBy: { readonly column: string; readonly direction: "asc" | "desc" } | null,
): string {
  const own = entityType.orderBy.map((name) => sortKey(entityType, name));
  if (orderBy === null) return [...own, "t.id"].join(", ");
  const target = findFilterTarget(entityType, orderBy.column);
  if (target.kind !== "column" || !isSortable(target.column)) {
    const sortable = entityType.columns.filter(isSortable).map((column) => column.name);
    throw new ToolInputError(
      `Cannot order by ${quoteValue(orderBy.column)}: rows cannot be ordered by it; use one of ${sortable.join(", ")}`,
    );
  }
  const key = `${sortKey(entityType, orderBy.column)} ${orderBy.direction} nulls last`;
  return [key, ...own, "t.id"].join(", ");
}

function isSortable(column: Column): boolean {
  return column.kind !== "tags" && column.references === undefined;
}

/** Choices sort in the order in which the entity type lists them. */
function sortKey(entityType: EntityType, name: string): string {
  const column = entityType.columns.find((candidate) => candidate.name === name);
  const expression = `t.${identifier(name)}`;
  if (column?.kind !== "choice") return expression;
  const values = (column.values ?? []).map(literal).join(", ");
  return `array_position(array[${values}]::text[], ${expression})`;
}
