import type { IdPlace, ShownIds } from "../../state/ids.ts";
import type { Json, JsonObject } from "../../state/json.ts";
import type { NamedSchema } from "../../state/model.ts";
import { STRICT_LIMITS } from "../../state/strict-schema.ts";

type Path = readonly (string | number)[];

/** An id of an answer that its prompt does not show. */
export interface UnknownId {
  readonly path: Path;
  readonly problem: string;
}

/**
 * Writes the shown ids as enums into the places of a schema that take them, for models that gain
 * from it. A schema whose enums would grow beyond what a strict schema may hold stays as it is.
 */
export function enumerateIds(named: NamedSchema, shown: ShownIds): NamedSchema {
  const places = (named.ids ?? []).flatMap(({ kind, pointer }) => {
    const ids = shown[kind] ?? [];
    return ids.length === 0 ? [] : [{ pointer, ids }];
  });
  const values = places.reduce((sum, { ids }) => sum + ids.length, 0);
  if (places.length === 0 || values > STRICT_LIMITS.enumValues) return named;
  const schema = places.reduce<JsonObject>(
    (before, { pointer, ids }) => updateObject(before, pointer, (place) => withEnum(place, ids)),
    named.schema,
  );
  return { ...named, schema };
}

function withEnum(place: JsonObject, ids: readonly string[]): JsonObject {
  const isNullable = Array.isArray(place["type"]) && place["type"].includes("null");
  return { ...place, enum: isNullable ? [...ids, null] : [...ids] };
}

function updateObject(
  value: JsonObject,
  [key, ...rest]: readonly string[],
  update: (place: JsonObject) => JsonObject,
): JsonObject {
  if (key === undefined) return update(value);
  const inner = value[key];
  if (Array.isArray(inner)) {
    const [index, ...further] = rest;
    const items = inner.map((item: Json, at) =>
      String(at) === index && isObject(item) ? updateObject(item, further, update) : item,
    );
    return { ...value, [key]: items };
  }
  return isObject(inner) ? { ...value, [key]: updateObject(inner, rest, update) } : value;
}

/** Returns the ids of an answer that are not among those shown, each with a sentence for its model. */
export function checkIds(answer: unknown, named: NamedSchema, shown: ShownIds): UnknownId[] {
  return (named.ids ?? []).flatMap(({ kind, pointer }) => {
    const ids = shown[kind];
    if (ids === undefined) return [];
    return findIds({ value: answer, path: [] }, pointer)
      .filter(({ value }) => !ids.includes(value))
      .map(({ value, path }) => ({
        path,
        problem: `${path.join(".")}: ${kind} "${value}" cannot be used here; use only those that are shown`,
      }));
  });
}

interface Found<T> {
  readonly value: T;
  readonly path: Path;
}

/** Follows a pointer of the schema through an answer. Null and what has another form hold no id. */
function findIds({ value, path }: Found<unknown>, pointer: IdPlace["pointer"]): Found<string>[] {
  const [keyword, key, ...rest] = pointer;
  if (keyword === undefined) return typeof value === "string" ? [{ value, path }] : [];
  if (keyword === "items") {
    if (!Array.isArray(value)) return [];
    const items: readonly unknown[] = value;
    return items.flatMap((item, at) =>
      findIds({ value: item, path: [...path, at] }, pointer.slice(1)),
    );
  }
  if (keyword === "anyOf") return findIds({ value, path }, rest);
  if (key === undefined || !isObject(value)) return [];
  return findIds({ value: value[key], path: [...path, key] }, rest);
}

/**
 * Returns the answer without the unknown ids: one in a list leaves the list, and so does an object
 * of a list with one of them in it. One that stands in no list stays.
 */
export function dropIds(answer: unknown, unknown: readonly UnknownId[]): unknown {
  const paths = new Set(unknown.map(({ path }) => path.join(".")));
  const isDropped = (item: unknown, path: Path): boolean =>
    paths.has(path.join(".")) ||
    (isObject(item) && Object.keys(item).some((key) => paths.has([...path, key].join("."))));
  const keep = (value: unknown, path: Path): unknown => {
    if (Array.isArray(value)) {
      const items: readonly unknown[] = value;
      return items.flatMap((item, at) =>
        isDropped(item, [...path, at]) ? [] : [keep(item, [...path, at])],
      );
    }
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [key, keep(inner, [...path, key])]),
    );
  };
  return keep(answer, []);
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
