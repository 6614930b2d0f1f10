import {
  findKey,
  isSettable,
  listInlineLists,
  listVisibleColumns,
  type Column,
  type EntityType,
  type InlineList,
} from "../../state/entity.ts";
import { ToolInputError } from "../../state/tool.ts";
import { quoteValue } from "../../text/quote-value.ts";

/** Setter of columns: a generic create or update, or the domain's own tool, which may set all of them. */
export type Setter = "create" | "update" | "tool";

/**
 * A column that may be set.
 *
 * @throws ToolInputError that lists the columns there are.
 */
export function findSettableColumn(
  owner: EntityType | InlineList,
  name: string,
  setter: Setter,
): Column {
  const settable = owner.columns.filter(
    (column) => setter === "tool" || isSettable(column, setter),
  );
  const found = settable.find((column) => column.name === name);
  if (found !== undefined) return found;
  const lists = "lists" in owner ? (owner.lists ?? []) : [];
  const known = [...owner.columns, ...lists].some((part) => part.name === name);
  const problem = known ? "it is not for you to set" : `${owner.table} has no such column`;
  throw new ToolInputError(
    `Cannot set column ${quoteValue(name)}: ${problem}; columns that can be set: ${names(settable)}`,
  );
}

/** The key as a column, for filters. */
export function keyColumn(entityType: EntityType): Column {
  const { column, kind } = findKey(entityType);
  return { name: column, kind: kind === "integer" ? "integer" : "text", nullable: false };
}

/** The target of a filter: the row's id, a column of the table, or a column of a child list. */
export type FilterTarget =
  | { readonly kind: "id" }
  | { readonly kind: "column"; readonly column: Column }
  | { readonly kind: "child"; readonly child: InlineList; readonly column: Column };

/**
 * Finds the target that a name in a filter or a list of columns refers to; `ingredients.name` is a child's column.
 *
 * @throws ToolInputError that lists the valid names.
 */
export function findFilterTarget(entityType: EntityType, name: string): FilterTarget {
  if (name === "id") return { kind: "id" };
  const column = listVisibleColumns(entityType).find((candidate) => candidate.name === name);
  if (column !== undefined) return { kind: "column", column };
  for (const child of listInlineLists(entityType)) {
    const part = listVisibleColumns(child).find(
      (candidate) => `${child.name}.${candidate.name}` === name,
    );
    if (part !== undefined) return { kind: "child", child, column: part };
  }
  throw new ToolInputError(
    `Cannot use column ${quoteValue(name)}: "${entityType.table}" has no such column; it has ${filterNames(entityType).join(", ")}`,
  );
}

function filterNames(entityType: EntityType): string[] {
  const own = listVisibleColumns(entityType).map((column) => column.name);
  const children = listInlineLists(entityType).flatMap((child) =>
    listVisibleColumns(child).map((column) => `${child.name}.${column.name}`),
  );
  return ["id", ...own, ...children];
}

function names(parts: readonly Pick<Column, "name">[]): string {
  return parts.map((part) => part.name).join(", ");
}
