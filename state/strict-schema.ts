import { z } from "zod";
import { IdKindSchema, type IdPlace } from "./ids.ts";
import { isJsonObject, type Json, type JsonObject } from "./json.ts";
import type { NamedSchema } from "./model.ts";
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

/** Renders a zod object under a name, with the places that take ids (`idSchema`). @throws as `toStrictSchema`. */
export function nameSchema(name: string, { description, schema }: SchemaDescription): NamedSchema {
  const { rendered, ids } = renderSchema(schema, name);
  return { name, description, schema: rendered, ...(ids.length === 0 ? {} : { ids }) };
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
}

function renderSchema(schema: z.ZodType, name: string): RenderedSchema {
  const rendered = z.toJSONSchema(schema, {
    target: "draft-2020-12",
    io: "input",
    unrepresentable: "any",
  });
  const { $schema: _schema, ...plain } = z.record(z.string(), z.json()).parse(rendered);
  const ids: IdPlace[] = [];
  const narrowed = extractIds(narrowSchema(plain), [], ids);
  assertStrictSchema(narrowed, name);
  return { rendered: narrowed, ids };
}

/** Removes the keyword `ids`, which no endpoint knows, and adds each place where it stood to `found`. */
function extractIds(schema: JsonObject, pointer: readonly string[], found: IdPlace[]): JsonObject {
  const { ids, ...rest } = schema;
  const kind = IdKindSchema.optional().parse(ids);
  if (kind !== undefined) found.push({ kind, pointer });
  const visit = (value: Json, ...keys: string[]): Json =>
    isJsonObject(value) ? extractIds(value, [...pointer, ...keys], found) : value;
  return Object.fromEntries(
    Object.entries(rest).map(([keyword, value]) => {
      if (keyword === "properties" && isJsonObject(value)) {
        const properties = Object.entries(value).map(([key, inner]) => [
          key,
          visit(inner, keyword, key),
        ]);
        return [keyword, Object.fromEntries(properties)];
      }
      if (keyword === "items") return [keyword, visit(value, keyword)];
      if (keyword === "anyOf" && Array.isArray(value)) {
        return [keyword, value.map((inner: Json, at) => visit(inner, keyword, String(at)))];
      }
      return [keyword, value];
    }),
  );
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
