import {
  isSettable,
  listEntityLists,
  listInlineLists,
  listSettableLists,
  listVisibleColumns,
  type Column,
  type EntityType,
} from "../state/entity.ts";
import { isJsonObject, type Json, type JsonObject } from "../state/json.ts";

/** Gives the ref of a row, or null where the thread has none for it. */
export type FindRef = (type: string, id: string) => string | null;

export interface RowTranslation {
  readonly type: EntityType;
  readonly findRef: FindRef;
}

/**
 * A row's values with refs in place of foreign ids, children included.
 *
 * Only declared, visible columns are kept. A foreign id without a ref is left out: it could only be shown as an id.
 */
export function rowWithRefs(values: JsonObject, options: RowTranslation): JsonObject {
  const { type, findRef } = options;
  const own = columnsWithRefs(values, { columns: listVisibleColumns(type), findRef });
  const children = listInlineLists(type).flatMap((child): [string, Json][] => {
    const rows = values[child.name];
    if (typeof rows === "number") return [[child.name, rows]];
    if (!Array.isArray(rows)) return [];
    return [
      [
        child.name,
        rows.map((row) => childWithRefs(row, { columns: listVisibleColumns(child), findRef })),
      ],
    ];
  });
  const lists = listEntityLists(type).flatMap((list): [string, Json][] => {
    const shown = readShownList(values[list.name]);
    if (shown === null) return [];
    const refs = shown.ids.flatMap((id) => findRef(list.type, id) ?? []);
    return [[list.name, { total: shown.total, refs }]];
  });
  return { ...own, ...Object.fromEntries([...children, ...lists]) };
}

/** The part of a row that a draft of it has: what a new row may be given. */
export function toDraftContent(row: JsonObject, type: EntityType): JsonObject {
  const lists = listSettableLists(type, "create").flatMap(({ name, columns }): [string, Json][] => {
    const items = row[name];
    if (!Array.isArray(items)) return [];
    return [
      [name, items.map((item: Json) => (isJsonObject(item) ? pickGiven(item, columns) : item))],
    ];
  });
  return { ...pickGiven(row, type.columns), ...Object.fromEntries(lists) };
}

function pickGiven(values: JsonObject, columns: readonly Column[]): JsonObject {
  const settable = new Set(
    columns.filter((column) => isSettable(column, "create")).map(({ name }) => name),
  );
  return Object.fromEntries(
    Object.entries(values).filter(([name, value]) => settable.has(name) && value !== null),
  );
}

interface ShownList {
  readonly total: number;
  readonly ids: readonly string[];
}

function readShownList(value: Json | undefined): ShownList | null {
  if (!isJsonObject(value)) return null;
  const { total, ids } = value;
  if (typeof total !== "number" || !Array.isArray(ids)) return null;
  return { total, ids: ids.filter((id) => typeof id === "string") };
}

/** Returns true when any value of the row, at any depth, is exactly that text. */
export function mentions(value: Json, text: string): boolean {
  if (typeof value === "string") return value === text;
  if (value === null || typeof value !== "object") return false;
  return Object.values(value).some((inner) => mentions(inner, text));
}

interface ColumnTranslation {
  readonly columns: readonly Column[];
  readonly findRef: FindRef;
}

/** Children come as objects, or at summary detail as the values of their first column. */
function childWithRefs(row: Json, options: ColumnTranslation): Json {
  const [first] = options.columns;
  if (isJsonObject(row)) return columnsWithRefs(row, options);
  if (first?.references === undefined) return row;
  return valueWithRefs(row, { type: first.references, findRef: options.findRef }) ?? null;
}

function columnsWithRefs(values: JsonObject, options: ColumnTranslation): JsonObject {
  return Object.fromEntries(
    options.columns.flatMap((column): [string, Json][] => {
      const value = values[column.name];
      if (value === undefined) return [];
      if (column.references === undefined) return [[column.name, value]];
      const ref = valueWithRefs(value, { type: column.references, findRef: options.findRef });
      return ref === undefined ? [] : [[column.name, ref]];
    }),
  );
}

interface ValueTranslation {
  readonly type: string;
  readonly findRef: FindRef;
}

function valueWithRefs(value: Json, options: ValueTranslation): Json | undefined {
  if (value === null) return null;
  if (typeof value === "string" || typeof value === "number") {
    return options.findRef(options.type, String(value)) ?? undefined;
  }
  if (!Array.isArray(value)) return undefined;
  return value.flatMap((inner: Json) => valueWithRefs(inner, options) ?? []);
}
