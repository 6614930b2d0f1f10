import {
  listEntityLists,
  listInlineLists,
  type Column,
  type EntityList,
  type EntityType,
  type InlineList,
} from "../state/entity.ts";
import { isJsonObject, type Json, type JsonObject } from "../state/json.ts";
import type { RegistryEntry } from "../state/registry.ts";
import { oneLine } from "../text/fence.ts";
import { findEntry, isInPlay } from "./entries.ts";
import { columnText, type Writing } from "./render-values.ts";
import { renderMore } from "./render-more.ts";
import { typeNamed } from "./types.ts";

/** One list of a row, as text. */
export interface RenderedList {
  readonly name: string;
  /** `6`, or `305, first 12` where not all of them are shown. */
  readonly count: string;
  /** The items on one line: `name eggs, quantity 4; name milk`. Empty where only their number is known. */
  readonly items: string;
  /** Names what is left out and how to read it; empty where nothing is. */
  readonly more: string;
}

interface ListedRow {
  readonly ref: string;
  readonly row: JsonObject;
  readonly type: EntityType;
}

/** Returns the lists of a row that hold something, with the names of their values: nulls are left out. */
export function renderLists({ ref, row, type }: ListedRow, writing: Writing): RenderedList[] {
  return [
    ...listInlineLists(type).flatMap((list) => renderInlineList(row[list.name], list, writing)),
    ...listEntityLists(type).flatMap((list) =>
      renderEntityList(ref, { value: row[list.name], list }, writing),
    ),
  ];
}

/** Returns true where a list of the row shows more of its items than their names. */
export function hasItemValues(row: JsonObject, type: EntityType, writing: Writing): boolean {
  const inline = listInlineLists(type).some(({ name }) => {
    const items = row[name];
    return Array.isArray(items) && items.some((item: Json) => countValues(item) > 1);
  });
  return (
    inline ||
    listEntityLists(type).some(({ name }) =>
      findShown(row[name], writing).some((entry) => entry.row !== null),
    )
  );
}

function renderInlineList(
  value: Json | undefined,
  list: InlineList,
  writing: Writing,
): RenderedList[] {
  const { name, columns } = list;
  if (typeof value === "number") return [{ name, count: String(value), items: "", more: "" }];
  if (!Array.isArray(value) || value.length === 0) return [];
  const [first] = columns;
  const isNamed = value.some((item: Json) => countValues(item) > 1);
  const items = value.map((item: Json) => {
    if (!isJsonObject(item)) return oneLine(columnText(item, { column: first, writing }));
    if (isNamed) return renderValues(item, columns, writing);
    const named = columns.filter(({ name: key }) => item[key] !== false);
    return named.map((column) => renderValue(item, column, writing)).join("");
  });
  return [
    { name, count: String(value.length), items: items.join(isNamed ? "; " : ", "), more: "" },
  ];
}

interface EntityListValue {
  readonly value: Json | undefined;
  readonly list: EntityList;
}

function renderEntityList(
  parent: string,
  { value, list }: EntityListValue,
  writing: Writing,
): RenderedList[] {
  if (!isJsonObject(value) || typeof value["total"] !== "number") return [];
  const { name, foreignKey } = list;
  const { total } = value;
  const type = typeNamed(writing.types, list.type);
  const shown = findShown(value, writing);
  const columns = type.columns.filter((column) => column.name !== foreignKey);
  const items = shown.map(({ ref, row, label }) => {
    const values = row === null ? oneLine(label) : renderValues(row, columns, writing);
    return `${ref} (${writing.hideIds(values)})`;
  });
  const last = shown.at(-1);
  const left = total - shown.length;
  const isPart = last !== undefined && left > 0;
  return [
    {
      name,
      count: isPart ? `${total}, first ${shown.length}` : String(total),
      items: items.join("; "),
      more: isPart ? renderMore(type, { count: left, of: parent, after: last.ref }, writing) : "",
    },
  ];
}

/** The rows of a list of entities that are known and in play. */
function findShown(value: Json | undefined, { registry }: Writing): RegistryEntry[] {
  const refs = isJsonObject(value) ? value["refs"] : [];
  if (!Array.isArray(refs)) return [];
  return refs.flatMap((ref: Json) => {
    const entry = typeof ref === "string" ? findEntry(registry, ref) : undefined;
    return entry !== undefined && isInPlay(entry) ? [entry] : [];
  });
}

/** Renders the values that are there with the names of their columns; a flag that is set is its own name. */
function renderValues(row: JsonObject, columns: readonly Column[], writing: Writing): string {
  return columns
    .flatMap((column) => {
      const { name } = column;
      const value = row[name] ?? null;
      if (typeof value === "boolean") return value ? [name] : [];
      const text = renderValue(row, column, writing);
      return text === "" ? [] : [`${name} ${text}`];
    })
    .join(", ");
}

function renderValue(row: JsonObject, column: Column, writing: Writing): string {
  return oneLine(columnText(row[column.name] ?? null, { column, writing }));
}

function countValues(item: Json): number {
  if (item === null || typeof item !== "object") return 1;
  return Object.values(item).filter((value) => value !== null && value !== false).length;
}
