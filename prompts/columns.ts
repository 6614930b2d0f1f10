import type { Domain } from "../state/domain.ts";
import {
  isRequired,
  isSettable,
  listInlineLists,
  listVisibleColumns,
  type Column,
  type EntityType,
} from "../state/entity.ts";
import { oneLine } from "../text/fence.ts";

/** The use that a list of columns is for: conditions alone, or values as well. */
export type ColumnUse = "conditions" | "values";

/**
 * Lists the columns of every type, a line each; for values, with `*` at those that a new row must
 * give. The values of a choice are listed once, where they are few.
 */
export function renderColumns(entityTypes: readonly EntityType[], use: ColumnUse): string {
  return renderTypes(entityTypes, use, ({ type }) => type);
}

/** Lists every type with the part of the data that it is, and the columns that conditions may name. */
export function renderData({ entityTypes, subdomains }: DataShape): string {
  return renderTypes(entityTypes, "conditions", ({ type }) => {
    const parts = subdomains.filter((part) => part.type === type);
    const names = parts.map(({ name, about }) => `${name}, ${oneLine(about)}`);
    return names.length === 0 ? type : `${type} (${names.join("; ")})`;
  });
}

type DataShape = Pick<Domain, "entityTypes" | "subdomains">;

function renderTypes(
  entityTypes: readonly EntityType[],
  use: ColumnUse,
  nameType: (type: EntityType) => string,
): string {
  const listed = new Set<string>();
  return entityTypes
    .map((type) => `- ${nameType(type)}: ${renderType(type, use, listed)}`)
    .join("\n");
}

function renderType(type: EntityType, use: ColumnUse, listed: Set<string>): string {
  const columns = listVisibleColumns(type).map((column) => {
    const text = renderColumn(column, use);
    if (column.kind !== "choice") return text;
    const isListed = listed.has(text);
    listed.add(text);
    return isListed ? `${column.name} (as above)` : text;
  });
  const lists = listInlineLists(type).map(
    ({ name, columns: own }) => `${name}(${own.map((column) => column.name).join(", ")})`,
  );
  return [...columns, ...lists].join(", ");
}

function renderColumn(column: Column, use: ColumnUse): string {
  const kind = renderKind(column);
  const text = kind === "" ? column.name : `${column.name} ${kind}`;
  if (use === "conditions") return text;
  if (!isSettable(column, "create")) return `${text} (fixed)`;
  return isRequired(column) ? text.replace(column.name, `${column.name}*`) : text;
}

/** A longer choice is left to the model of a step, whose tools list its values. */
const MOST_VALUES = 8;

function renderKind({ kind, values = [], references }: Column): string {
  if (references !== undefined) return `→ ${references}`;
  switch (kind) {
    case "text":
    case "json":
      return "";
    case "integer":
    case "number":
      return "number";
    case "boolean":
      return "true|false";
    case "date":
      return "date";
    case "timestamp":
      return "time";
    case "choice":
      return values.length > MOST_VALUES ? "choice" : values.join("|");
    case "tags":
      return "list";
  }
  return kind satisfies never;
}
