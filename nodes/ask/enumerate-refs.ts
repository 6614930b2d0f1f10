import type { Json, JsonObject } from "../../state/json.ts";
import { STRICT_LIMITS } from "../../state/strict-schema.ts";

/** Keys whose texts are refs, alone or in a list. */
const REF_KEYS: ReadonlySet<string> = new Set(["ref", "refs", "drop", "drafts"]);

/**
 * The schema with the refs that may be answered written into it, for endpoints that gain from it.
 * Unchanged where there are none, or more than a strict schema may enumerate in all its places.
 */
export function enumerateRefs(schema: JsonObject, refs: readonly string[]): JsonObject {
  const places = countPlaces(schema);
  const values = places * refs.length;
  if (refs.length === 0 || values > STRICT_LIMITS.enumValues) return schema;
  return asObject(withRefs(schema, refs));
}

function withRefs(value: Json, refs: readonly string[]): Json {
  if (isList(value)) return value.map((item) => withRefs(item, refs));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      if (key !== "properties" || !isObject(inner)) return [key, withRefs(inner, refs)];
      const properties = Object.entries(inner).map(([name, property]) => [
        name,
        REF_KEYS.has(name) ? enumerated(property, refs) : withRefs(property, refs),
      ]);
      return [key, Object.fromEntries(properties)];
    }),
  );
}

/** A text, or a list of texts, that must be one of the refs; null stays allowed where it was. */
function enumerated(property: Json, refs: readonly string[]): Json {
  if (!isObject(property)) return property;
  if (isText(property)) {
    const nullable = isList(property["type"]);
    return { ...property, enum: nullable ? [...refs, null] : [...refs] };
  }
  const { items, anyOf } = property;
  if (items !== undefined) {
    return { ...property, items: enumerated(items, refs) };
  }
  if (anyOf !== undefined && isList(anyOf)) {
    return { ...property, anyOf: anyOf.map((option) => enumerated(option, refs)) };
  }
  return withRefs(property, refs);
}

function isText(property: JsonObject): boolean {
  const { type } = property;
  return type === "string" || (isList(type) && type.includes("string"));
}

function countPlaces(schema: Json): number {
  if (isList(schema)) return schema.reduce<number>((sum, item) => sum + countPlaces(item), 0);
  if (!isObject(schema)) return 0;
  return Object.entries(schema).reduce(
    (sum, [key, value]) => sum + (REF_KEYS.has(key) ? 1 : countPlaces(value)),
    0,
  );
}

function asObject(value: Json): JsonObject {
  if (isObject(value)) return value;
  throw new TypeError("Cannot enumerate refs in a schema that is not an object");
}

function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
