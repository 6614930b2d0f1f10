import { isJsonObject, type Json, type JsonObject } from "../../state/json.ts";

/** The type of a JSON value, as JSON Schema names it; a whole number is a number here. */
type JsonType = "string" | "number" | "boolean" | "null" | "array" | "object";

/** Returns the JSON type of a value; null for what JSON cannot hold. */
export function readJsonType(value: unknown): JsonType | null {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  const type = typeof value;
  return type === "string" || type === "number" || type === "boolean" || type === "object"
    ? type
    : null;
}

/** Returns true where a value has one of the types of a schema. */
export function hasType(value: unknown, types: readonly string[]): boolean {
  const type = readJsonType(value);
  if (type === null) return false;
  return types.includes(type) || (types.includes("integer") && Number.isInteger(value));
}

/** Returns the types of a schema: one, several, or none where it states none. */
export function listTypes({ type }: JsonObject): readonly string[] {
  if (typeof type === "string") return [type];
  return isList(type) ? type.filter((each) => typeof each === "string") : [];
}

/** Returns the values of a schema's enum or constant; null where every value of its types fits. */
export function listValues(schema: JsonObject): readonly Json[] | null {
  if (schema["const"] !== undefined) return [schema["const"]];
  return isList(schema["enum"]) ? schema["enum"] : null;
}

/** Returns the branches of a schema's `anyOf`; null where it has none. */
export function listBranches({ anyOf }: JsonObject): readonly JsonObject[] | null {
  return isList(anyOf) ? anyOf.filter((branch) => isJsonObject(branch)) : null;
}

/** Returns the schema of each key of an object. */
export function listProperties({ properties }: JsonObject): ReadonlyMap<string, JsonObject> {
  if (!isJsonObject(properties)) return new Map();
  return new Map(
    Object.entries(properties).flatMap(([key, schema]) =>
      isJsonObject(schema) ? [[key, schema] as const] : [],
    ),
  );
}

/** Returns the keys that an object must have. */
export function listRequired({ required }: JsonObject): ReadonlySet<string> {
  return new Set(isList(required) ? required.filter((key) => typeof key === "string") : []);
}

/** A schema that a `$ref` names, and its pointer from the root, as keys. */
export interface Referenced {
  readonly schema: JsonObject;
  readonly pointer: readonly string[];
}

/** Finds the schema of a `$ref` of the strict subset: the root, or a definition of its. Null where there is none. */
export function findReferenced(ref: string, root: JsonObject): Referenced | null {
  if (ref === "#") return { schema: root, pointer: [] };
  const [, name = ""] = /^#\/\$defs\/(.+)$/u.exec(ref) ?? [];
  const definitions = root["$defs"];
  const schema = isJsonObject(definitions) ? definitions[name] : undefined;
  return isJsonObject(schema) ? { schema, pointer: ["$defs", name] } : null;
}

/** References and alternatives that lead to one another; a circle of them ends nowhere. */
const LONGEST_CHAIN = 8;

/** Lists the alternatives of a schema, behind references and within alternatives too. */
export function listLeaves(schema: JsonObject, root: JsonObject, hops = 0): readonly JsonObject[] {
  if (hops > LONGEST_CHAIN) return [];
  const { $ref: ref } = schema;
  if (typeof ref === "string") {
    const found = findReferenced(ref, root);
    return found === null ? [] : listLeaves(found.schema, root, hops + 1);
  }
  const branches = listBranches(schema);
  if (branches === null) return [schema];
  return branches.flatMap((branch) => listLeaves(branch, root, hops + 1));
}

/** Returns the path of a key or an item: `steps.0.group`. */
export function joinPath(path: string, key: string | number): string {
  return path === "" ? String(key) : `${path}.${key}`;
}

/** Returns a path as messages name it. */
export function namePath(path: string): string {
  return path === "" ? "answer" : path;
}

/** Returns true for a list. */
export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}
