import * as fc from "fast-check";
import {
  findReferenced,
  listBranches,
  listProperties,
  listTypes,
  listValues,
} from "../../models/schema/schema-parts.ts";
import { isJsonObject, type Json, type JsonObject } from "../../state/json.ts";
import { anyCharacter } from "./any-character.ts";

/** Texts that look like something else: tags, fences, JSON, numbers. */
const trickyText: fc.Arbitrary<string> = fc.constantFrom(
  "",
  " ",
  "3",
  "true",
  "null",
  "{",
  '{"a":1}',
  "```",
  "```json\n{}\n```",
  "<think>no</think>",
  "</think>",
  "say </reasoning> now",
  "<tool_call>{}</tool_call>",
  "__proto__",
);
const anyText = fc.oneof(fc.string({ unit: anyCharacter, maxLength: 8 }), trickyText);

/** Deeper than this, recursive lists are empty. */
const LEVELS = 3;

/** Makes values that fit a JSON Schema of the strict subset; formats and patterns are not kept. */
export function strictValues(schema: JsonObject): fc.Arbitrary<Json> {
  return valuesAt(schema, schema, 0);
}

function valuesAt(schema: JsonObject, root: JsonObject, level: number): fc.Arbitrary<Json> {
  const { $ref: ref } = schema;
  const referenced = typeof ref === "string" ? findReferenced(ref, root) : null;
  if (referenced !== null) {
    return fc.constant(null).chain(() => valuesAt(referenced.schema, root, level + 1));
  }
  const branches = listBranches(schema);
  if (branches !== null) {
    return fc.oneof(...branches.map((branch) => valuesAt(branch, root, level)));
  }
  const values = listValues(schema);
  if (values !== null) return fc.constantFrom(...values);
  const types = listTypes(schema);
  return fc.oneof(...types.map((type) => valuesOfType(type, schema, { root, level })));
}

interface Place {
  readonly root: JsonObject;
  readonly level: number;
}

function valuesOfType(
  type: string,
  schema: JsonObject,
  { root, level }: Place,
): fc.Arbitrary<Json> {
  const { items, minItems = 0, maxItems = 3 } = schema;
  switch (type) {
    case "object":
      return objectsAt(schema, { root, level });
    case "array": {
      const maxLength = level > LEVELS ? 0 : Math.min(Number(maxItems), 3);
      const item = isJsonObject(items) ? valuesAt(items, root, level) : fc.constant(null);
      return fc.array(item, { minLength: Number(minItems), maxLength });
    }
    case "integer":
      return fc.integer({ min: -100, max: 100 });
    case "number":
      return fc.oneof(
        fc.integer({ min: -100, max: 100 }),
        fc.double({ min: -1e6, max: 1e6, noNaN: true }).map((number) => number + 0),
      );
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    default:
      return anyText;
  }
}

function objectsAt(schema: JsonObject, { root, level }: Place): fc.Arbitrary<JsonObject> {
  const properties = [...listProperties(schema)];
  const values = properties.map(([, property]) => valuesAt(property, root, level));
  return fc
    .tuple(...values)
    .map((given) => Object.fromEntries(properties.map(([key], at) => [key, given[at] ?? null])));
}
