import { JsonObjectSchema, type Json } from "../../state/json.ts";

/** Returns the references of a JSON Schema that lead to nothing, from its root. */
export function findDanglingReferences(schema: Json): readonly string[] {
  return collectReferences(schema).filter((reference) => resolve(schema, reference) === undefined);
}

/** Returns every reference of a JSON Schema, in order. */
export function collectReferences(value: Json): readonly string[] {
  if (typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) return value.flatMap(collectReferences);
  return Object.entries(value).flatMap(([key, part]) =>
    key === "$ref" && typeof part === "string" ? [part] : collectReferences(part),
  );
}

function resolve(schema: Json, reference: string): Json | undefined {
  const [root, ...path] = reference.split("/");
  if (root !== "#") return undefined;
  return path.reduce<Json | undefined>((at, key) => {
    const parsed = JsonObjectSchema.safeParse(at);
    return parsed.success ? parsed.data[key] : undefined;
  }, schema);
}
