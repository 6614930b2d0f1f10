import { isJsonObject, type JsonObject } from "../../state/json.ts";
import {
  hasType,
  joinPath,
  listLeaves,
  listProperties,
  listRequired,
  listTypes,
  listValues,
  namePath,
} from "./schema-parts.ts";
import { enterItem, enterKey, walkSchema, type OpenPlace } from "./walk-schema.ts";

/**
 * Finds what an endpoint that enforces a strict schema would not have let through: a wrong JSON
 * type, a missing key, an unknown key, a value outside an enum or constant (models.md §1, "Learning
 * in use"). One line a breach, with its path and kind and never a value; empty where there is none.
 * Bounds, patterns and formats are not judged, since endpoints enforce them differently.
 *
 * Contract: pure and total. To be asked before an answer is mended.
 */
export function findStrictBreaches(value: unknown, schema: JsonObject): readonly string[] {
  if (!isObject(value)) return ["answer: not an object"];
  return walkSchema<unknown, Breaches>(value, schema, {
    leave: () => [],
    choose: (inner, branches, visit) => {
      // A value that is wrong in a key is not meant as null.
      const ofType = branches.filter((branch) =>
        listLeaves(branch.schema, schema).some((leaf) => hasType(inner, listTypes(leaf))),
      );
      const candidates = ofType.length > 0 ? ofType : branches;
      const judged = candidates.map((branch) => visit(inner, branch.schema, branch.place));
      return judged.toSorted((one, other) => one.length - other.length)[0] ?? [];
    },
    enter: judgeTyped,
  });
}

/** One line a breach. */
type Breaches = readonly string[];
type JudgedPlace = OpenPlace<unknown, Breaches>;

function judgeTyped(value: unknown, schema: JsonObject, place: JudgedPlace): Breaches {
  const path = namePath(place.path);
  const types = listTypes(schema);
  if (types.length > 0 && !hasType(value, types)) return [`${path}: wrong type`];
  const values = listValues(schema);
  if (values !== null && !values.some((each) => each === value)) {
    return [`${path}: not one of the values`];
  }
  if (isList(value)) {
    const { items } = schema;
    if (!isJsonObject(items)) return [];
    return value.flatMap((item, at) => place.visit(item, items, enterItem(place, at)));
  }
  return isObject(value) ? judgeObject(value, schema, place) : [];
}

function judgeObject(
  value: Readonly<Record<string, unknown>>,
  schema: JsonObject,
  place: JudgedPlace,
): Breaches {
  const properties = listProperties(schema);
  const missing = [...listRequired(schema)].filter((key) => !Object.hasOwn(value, key));
  const isOpen = schema["additionalProperties"] !== false;
  return [
    ...missing.map((key) => `${joinPath(place.path, key)}: missing`),
    ...Object.entries(value).flatMap(([key, inner]) => {
      const property = properties.get(key);
      if (property !== undefined) return place.visit(inner, property, enterKey(place, key));
      // The key is the model's own word, which no log may hold.
      return isOpen ? [] : [`${namePath(place.path)}: unknown key`];
    }),
  ];
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}
