import { z } from "zod";
import { IdKindSchema, type IdPlace } from "./ids.ts";
import { isJsonObject, type Json, type JsonObject } from "./json.ts";
import type { AbsentValue, NamedSchema } from "./model.ts";
import { isKnownFormat, isPlainPattern, strictSchemaProblems } from "./strict-subset.ts";

export { STRICT_LIMITS, strictSchemaProblems } from "./strict-subset.ts";

/**
 * Accepts a JSON Schema within OpenAI's strict subset.
 *
 * @throws TypeError that names the schema and every place outside the subset.
 */
export function assertStrictSchema(schema: JsonObject, name = "schema"): void {
  const problems = strictSchemaProblems(schema);
  if (problems.length === 0) return;
  throw new TypeError(`Cannot send "${name}" as a strict schema: ${problems.join("; ")}`);
}

/** The parts of a named schema before it is rendered. */
export interface SchemaDescription {
  readonly description: string;
  readonly schema: z.ZodType;
}

/**
 * Renders a zod object under a name, with the places that take ids (`idSchema`) and the values of
 * keys that an answer may leave out. A key states its value by `.meta({ absent: <JSON> })`, or by
 * `.meta({ absent: { position: true } })` where it is the position of its object in a list, from 1.
 *
 * @throws as `toStrictSchema`, and a TypeError for an `absent` that no key of an object states.
 */
export function nameSchema(name: string, { description, schema }: SchemaDescription): NamedSchema {
  const { rendered, ids, absent } = renderSchema(schema, name);
  return {
    name,
    description,
    schema: rendered,
    ...(ids.length === 0 ? {} : { ids }),
    ...(absent.length === 0 ? {} : { absent }),
  };
}

/**
 * Renders a zod object as a JSON Schema within OpenAI's strict subset, always the same bytes.
 *
 * What the subset cannot say but parsing still checks is left out: lengths of strings, patterns
 * with lookaround, formats it does not know, the bounds of safe integers.
 *
 * @throws TypeError for what cannot be said otherwise: optional keys, records, tuples,
 * discriminated unions, unknown values.
 */
export function toStrictSchema(schema: z.ZodType, name = "schema"): JsonObject {
  return renderSchema(schema, name).rendered;
}

interface RenderedSchema {
  readonly rendered: JsonObject;
  readonly ids: readonly IdPlace[];
  readonly absent: readonly AbsentValue[];
}

function renderSchema(schema: z.ZodType, name: string): RenderedSchema {
  const rendered = z.toJSONSchema(schema, {
    target: "draft-2020-12",
    io: "input",
    unrepresentable: "any",
  });
  const { $schema: _schema, ...plain } = z.record(z.string(), z.json()).parse(rendered);
  const ids: IdPlace[] = [];
  const absent: AbsentValue[] = [];
  const narrowed = extractUnsent(narrowSchema(plain), ROOT, { ids, absent, name });
  assertStrictSchema(narrowed, name);
  return { rendered: narrowed, ids, absent };
}

interface SchemaPlace {
  readonly pointer: readonly string[];
  readonly isKey: boolean;
  /** True for a list's item, and for a key of one. */
  readonly isOfItem: boolean;
}

const ROOT: SchemaPlace = { pointer: [], isKey: false, isOfItem: false };

interface FoundParts {
  readonly ids: IdPlace[];
  readonly absent: AbsentValue[];
  readonly name: string;
}

/** Removes the keywords `ids` and `absent`, which no endpoint knows, and adds each to `found`. */
function extractUnsent(schema: JsonObject, place: SchemaPlace, found: FoundParts): JsonObject {
  const { ids, absent, ...rest } = schema;
  const { pointer } = place;
  const kind = IdKindSchema.optional().parse(ids);
  if (kind !== undefined) found.ids.push({ kind, pointer });
  if (absent !== undefined) found.absent.push(readAbsent(absent, { schema, place, found }));
  const visit = (value: Json, inner: SchemaPlace): Json =>
    isJsonObject(value) ? extractUnsent(value, inner, found) : value;
  return Object.fromEntries(
    Object.entries(rest).map(([keyword, value]) => {
      if (keyword === "properties" && isJsonObject(value)) {
        const isOfItem = place.isOfItem && !place.isKey;
        const properties = Object.entries(value).map(([key, inner]) => [
          key,
          visit(inner, { pointer: [...pointer, keyword, key], isKey: true, isOfItem }),
        ]);
        return [keyword, Object.fromEntries(properties)];
      }
      if (keyword === "items") {
        const item = { pointer: [...pointer, keyword], isKey: false, isOfItem: true };
        return [keyword, visit(value, item)];
      }
      if (keyword === "anyOf" && Array.isArray(value)) {
        const isOfItem = place.isOfItem && !place.isKey;
        const branches = value.map((inner: Json, at) =>
          visit(inner, { pointer: [...pointer, keyword, String(at)], isKey: false, isOfItem }),
        );
        return [keyword, branches];
      }
      return [keyword, value];
    }),
  );
}

interface StatedAbsent {
  readonly schema: JsonObject;
  readonly place: SchemaPlace;
  readonly found: FoundParts;
}

function readAbsent(absent: Json, { schema, place, found }: StatedAbsent): AbsentValue {
  const { pointer, isKey, isOfItem } = place;
  const at = `"absent" of "${found.name}" at ${pointer.join(".") || "(root)"}`;
  if (!isKey) throw new TypeError(`Cannot read ${at}: only a key of an object has one`);
  const isPosition =
    isJsonObject(absent) && absent["position"] === true && Object.keys(absent).length === 1;
  if (!isPosition) return { pointer, value: absent };
  if (!isOfItem || schema["type"] !== "integer") {
    throw new TypeError(`Cannot read ${at}: only an integer of a list's object has a position`);
  }
  return { pointer, position: true };
}

function narrowSchema(schema: JsonObject): JsonObject {
  const entries = Object.entries(schema).flatMap(([keyword, value]) => {
    if (isDispensable(keyword, schema)) return [];
    return [[keyword, narrowKeyword(keyword, value)] as const];
  });
  const narrowed: JsonObject = Object.fromEntries(entries);
  // In the input direction zod leaves plain objects open; parsing drops unknown keys anyway.
  const closed: JsonObject =
    isJsonObject(narrowed["properties"]) && narrowed["additionalProperties"] === undefined
      ? { required: [], ...narrowed, additionalProperties: false }
      : narrowed;
  return nullableScalar(closed) ?? joinScalars(closed) ?? closed;
}

function narrowKeyword(keyword: string, value: Json): Json {
  if (keyword === "properties" || keyword === "$defs") {
    return isJsonObject(value) ? mapValues(value, narrowJson) : value;
  }
  if (keyword === "items") return narrowJson(value);
  if (keyword === "anyOf") return Array.isArray(value) ? value.map(narrowJson) : value;
  return value;
}

function narrowJson(value: Json): Json {
  return isJsonObject(value) ? narrowSchema(value) : value;
}

function isDispensable(keyword: string, schema: JsonObject): boolean {
  const value = schema[keyword];
  switch (keyword) {
    case "minLength":
    case "maxLength":
      return true;
    case "minimum":
      return value === Number.MIN_SAFE_INTEGER;
    case "maximum":
      return value === Number.MAX_SAFE_INTEGER;
    case "format":
      return !isKnownFormat(value);
    case "pattern":
      return isKnownFormat(schema["format"]) || !isPlainPattern(value);
    default:
      return false;
  }
}

/** `anyOf: [string, null]` in its short form, which costs a third of the tokens. */
function nullableScalar(schema: JsonObject): JsonObject | null {
  const branches = schema["anyOf"];
  if (!Array.isArray(branches) || branches.length !== 2) return null;
  const [value, none] = branches;
  if (!isJsonObject(value) || !isJsonObject(none)) return null;
  if (none["type"] !== "null" || Object.keys(none).length !== 1) return null;
  if ("const" in value) return null;
  const type = value["type"];
  if (type !== "string" && type !== "number" && type !== "integer" && type !== "boolean")
    return null;
  const { anyOf: _branches, ...annotations } = schema;
  const values = value["enum"];
  const nullable = Array.isArray(values) ? { enum: [...values, null] } : {};
  return { ...value, ...annotations, ...nullable, type: [type, "null"] };
}

/** The plain scalars of a longer `anyOf` as one branch: `{ type: [string, number, null] }`. */
function joinScalars(schema: JsonObject): JsonObject | null {
  const branches = schema["anyOf"];
  if (!Array.isArray(branches)) return null;
  const types = branches.flatMap((branch: Json) => readPlainType(branch) ?? []);
  if (types.length < 2) return null;
  const rest = branches.filter((branch: Json) => readPlainType(branch) === null);
  return { ...schema, anyOf: [{ type: types }, ...rest] };
}

/** The type of a branch that says nothing else; null for every other branch. */
function readPlainType(branch: Json): string | null {
  if (!isJsonObject(branch) || Object.keys(branch).length !== 1) return null;
  const { type } = branch;
  return typeof type === "string" && type !== "object" ? type : null;
}

function mapValues(value: JsonObject, map: (item: Json) => Json): JsonObject {
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, map(item)]));
}
