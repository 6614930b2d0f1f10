import type { Column, EntityType } from "../state/entity.ts";
import type { Json, JsonObject } from "../state/json.ts";

/** Gives the ref of a row, or null where the thread has none for it. */
export type RefOf = (type: string, id: string) => string | null;

/**
 * A row's values with refs in place of foreign ids, children included.
 *
 * Only declared columns are kept. A foreign id without a ref is left out: it could only be shown as an id.
 */
export function rowWithRefs(
  values: JsonObject,
  options: { readonly type: EntityType; readonly refOf: RefOf },
): JsonObject {
  const { type, refOf } = options;
  const own = columnsWithRefs(values, { columns: type.columns, refOf });
  const children = type.children.flatMap((child): [string, Json][] => {
    const rows = values[child.name];
    if (!Array.isArray(rows)) return [];
    return [[child.name, rows.map((row) => childWithRefs(row, { columns: child.columns, refOf }))]];
  });
  return { ...own, ...Object.fromEntries(children) };
}

/** Whether any value of the row, at any depth, is exactly that text. */
export function mentions(value: Json, text: string): boolean {
  if (typeof value === "string") return value === text;
  if (value === null || typeof value !== "object") return false;
  return Object.values(value).some((inner) => mentions(inner, text));
}

/** Children come as objects, or as plain names at summary detail. */
function childWithRefs(
  row: Json,
  options: { readonly columns: readonly Column[]; readonly refOf: RefOf },
): Json {
  return isJsonObject(row) ? columnsWithRefs(row, options) : row;
}

function columnsWithRefs(
  values: JsonObject,
  options: { readonly columns: readonly Column[]; readonly refOf: RefOf },
): JsonObject {
  return Object.fromEntries(
    options.columns.flatMap((column): [string, Json][] => {
      const value = values[column.name];
      if (value === undefined) return [];
      if (column.references === undefined) return [[column.name, value]];
      const ref = valueWithRefs(value, { type: column.references, refOf: options.refOf });
      return ref === undefined ? [] : [[column.name, ref]];
    }),
  );
}

function valueWithRefs(
  value: Json,
  options: { readonly type: string; readonly refOf: RefOf },
): Json | undefined {
  if (value === null) return null;
  if (typeof value === "string" || typeof value === "number") {
    return options.refOf(options.type, String(value)) ?? undefined;
  }
  if (!Array.isArray(value)) return undefined;
  return value.flatMap((inner: Json) => valueWithRefs(inner, options) ?? []);
}

/** Whether a value is an object, no list and no null. */
export function isJsonObject(value: Json): value is JsonObject {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}
