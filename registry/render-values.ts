import { listInlineLists, type Column, type EntityType, type InlineList } from "../state/entity.ts";
import { neutralise, oneLine } from "../text/fence.ts";
import { isJsonObject, type Json, type JsonObject } from "../state/json.ts";
import type { Registry } from "../state/registry.ts";
import { findEntry } from "./entries.ts";
import { isUuid, type HideIds } from "./hide-ids.ts";

/** The parts needed to render values without ids. */
export interface Writing {
  readonly registry: Registry;
  readonly hideIds: HideIds;
}

/** A text longer than this, or of several lines, makes its row be written field by field. */
const LONG_TEXT = 100;

/** Returns true when a row has texts that do not fit on a line, or children with more than names. */
export function hasLongText(row: JsonObject, type: EntityType): boolean {
  return (
    type.columns.some((column) => isLong(row[column.name])) ||
    listInlineLists(type).some((child) => isDetailed(row[child.name]))
  );
}

export interface RowCellOptions {
  readonly name: string;
  readonly type: EntityType;
  readonly writing: Writing;
}

/** Renders one column or child list of a row as a table cell: one line, without the cell separator. */
export function renderRowCell(row: JsonObject, options: RowCellOptions): string {
  const { name, type, writing } = options;
  const value = row[name] ?? null;
  const child = listInlineLists(type).find((one) => one.name === name);
  const column = type.columns.find((one) => one.name === name);
  const text =
    child === undefined
      ? columnText(value, { column, writing })
      : childTexts(value, { child, writing }).join(", ");
  return oneLine(text).replaceAll("|", "/");
}

export interface ColumnTextOptions {
  readonly column: Column | undefined;
  readonly writing: Writing;
}

/**
 * A value as text, line ends kept: refs of other entities with their label, known ids as refs, and
 * nothing for an id without a ref.
 */
export function columnText(value: Json, options: ColumnTextOptions): string {
  if (value === null) return "";
  if (typeof value !== "object") return scalarText(value, options);
  const parts = Array.isArray(value) ? value : Object.values(value);
  return parts
    .map((part: Json) => columnText(part, options))
    .filter((text) => text !== "")
    .join(", ");
}

export interface ChildTextOptions {
  readonly child: InlineList;
  readonly writing: Writing;
}

/** The children of a row, one line each: their filled columns, refs only where nothing else is said. */
export function childTexts(value: Json, options: ChildTextOptions): string[] {
  if (!Array.isArray(value)) return [];
  return value
    .map((child: Json) => oneLine(childText(child, options)))
    .filter((text) => text !== "");
}

function childText(child: Json, options: ChildTextOptions): string {
  const { writing } = options;
  if (!isJsonObject(child)) return columnText(child, { column: options.child.columns[0], writing });
  const renderFlags = (columns: readonly Column[]): string[] =>
    columns
      .map((column) => flagOr(child[column.name] ?? null, { column, writing }))
      .filter((text) => text !== "");
  const ownTexts = renderFlags(
    options.child.columns.filter((column) => column.references === undefined),
  );
  return (ownTexts.length > 0 ? ownTexts : renderFlags(options.child.columns)).join(" ");
}

interface FlagOptions {
  readonly column: Column;
  readonly writing: Writing;
}

/** A flag among words is its own name where it is set, and nothing where it is not. */
function flagOr(value: Json, options: FlagOptions): string {
  if (typeof value !== "boolean") return columnText(value, options);
  return value ? options.column.name.replaceAll("_", " ") : "";
}

function scalarText(value: string | number | boolean, options: ColumnTextOptions): string {
  const { column, writing } = options;
  if (typeof value !== "string") return String(value);
  const text = neutralise(writing.hideIds(value));
  if (isUuid(text)) return "";
  if (column?.references === undefined) return text;
  const entry = findEntry(writing.registry, value);
  return entry === undefined ? text : `${value} (${oneLine(writing.hideIds(entry.label))})`;
}

function isLong(value: Json | undefined): boolean {
  return typeof value === "string" && (value.length > LONG_TEXT || value.includes("\n"));
}

function isDetailed(value: Json | undefined): boolean {
  return Array.isArray(value) && value.some((child: Json) => fieldsIn(child) > 1);
}

function fieldsIn(child: Json): number {
  if (child === null || typeof child !== "object") return 1;
  return Object.values(child).filter((value) => value !== null).length;
}
