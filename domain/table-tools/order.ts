import { findKey, type Column, type EntityType } from "../../state/entity.ts";
import { ToolInputError } from "../../state/tool.ts";
import { quoteValue } from "../../text/quote-value.ts";
import { findFilterTarget } from "./lookup.ts";
import { identifier, literal } from "./sql.ts";

/**
 * The SQL that orders rows of alias `t`: by one column ("due_on", "due_on desc"), or as the entity
 * type says; the key settles ties.
 *
 * @throws ToolInputError for a column that rows cannot be ordered by.
 */
export function orderSql(entityType: EntityType, orderBy: string | null): string {
  const own = entityType.orderBy.map((name) => sortKey(entityType, name));
  const id = `t.${identifier(findKey(entityType).column)}`;
  if (orderBy === null) return [...own, id].join(", ");
  const [, name = orderBy, direction = "asc"] =
    /^(.+?)(?: (asc|desc))?$/i.exec(orderBy.trim()) ?? [];
  const target = findFilterTarget(entityType, name);
  if (target.kind !== "column" || !isSortable(target.column)) {
    const sortable = entityType.columns.filter(isSortable).map((column) => column.name);
    throw new ToolInputError(
      `Cannot order by ${quoteValue(name)}: rows cannot be ordered by it; use one of ${sortable.join(", ")}`,
    );
  }
  const key = `${sortKey(entityType, name)} ${direction.toLowerCase()} nulls last`;
  return [key, ...own, id].join(", ");
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
  return `array_position(array[${values}]::text[], ${expression}::text)`;
}
