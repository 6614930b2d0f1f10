import { isJsonObject, type Json, type JsonObject } from "../../state/json.ts";
import { listBranches, listProperties, listTypes, listValues } from "./schema-parts.ts";

/**
 * Renders a JSON Schema of the strict subset as a type in the manner of TypeScript, with its
 * descriptions, formats and bounds as comments: a third of the tokens of the schema (models.md §1,
 * "Learning in use"). Definitions, and a root that refers to itself (`Answer`), are named first.
 *
 * @example
 * const lane = { enum: ["task", "concierge"], type: "string", description: "the way" };
 * const schema = { type: "object", properties: { lane }, required: ["lane"] };
 * renderSchemaType(schema); // '{\nlane: "task" | "concierge" // the way\n}'
 */
export function renderSchemaType(schema: JsonObject): string {
  const definitions = isJsonObject(schema["$defs"]) ? Object.entries(schema["$defs"]) : [];
  const named = definitions.map(([name, definition]) => `type ${name} = ${renderType(definition)}`);
  const type = renderObject(schema, { isOpen: true });
  const whole = refersToRoot(schema) ? [`type ${ROOT} = ${type}`, ROOT] : [type];
  return [...named, ...whole].join("\n");
}

/** The name of a root that refers to itself. */
const ROOT = "Answer";

function renderType(schema: Json | undefined): string {
  if (!isJsonObject(schema)) return "unknown";
  const { $ref: ref } = schema;
  if (typeof ref === "string") return ref === "#" ? ROOT : ref.replace(/^#\/\$defs\//u, "");
  const branches = listBranches(schema);
  if (branches !== null) return branches.map(renderType).join(" | ");
  const values = listValues(schema);
  if (values !== null) return values.map((value) => JSON.stringify(value)).join(" | ");
  const types = listTypes(schema);
  return types.length === 0 ? "unknown" : types.map((type) => renderOne(type, schema)).join(" | ");
}

function renderOne(type: string, schema: JsonObject): string {
  switch (type) {
    case "object":
      return renderObject(schema);
    case "array":
      return renderList(schema);
    default:
      return type;
  }
}

function renderList({ items }: JsonObject): string {
  const item = renderType(items);
  const isUnion = isJsonObject(items) && isAlternative(items);
  return isUnion ? `(${item})[]` : `${item}[]`;
}

function isAlternative(schema: JsonObject): boolean {
  const alternatives = listBranches(schema) ?? listValues(schema) ?? listTypes(schema);
  return alternatives.length > 1;
}

/** A comment ends its line, so keys stand on lines of their own where one of them has one, or where it is to be open. */
function renderObject(schema: JsonObject, { isOpen = false } = {}): string {
  const keys = [...listProperties(schema)].map(([key, property]) => ({
    text: `${renderKey(key)}: ${renderType(property)}`,
    comment: renderComment(property, key),
  }));
  const isPlain =
    !isOpen && keys.every(({ text, comment }) => comment === "" && !text.includes("\n"));
  if (keys.length === 0) return "{}";
  if (isPlain) return `{ ${keys.map(({ text }) => text).join(", ")} }`;
  const lines = keys.map(({ text, comment }) => (comment === "" ? text : `${text} // ${comment}`));
  return `{\n${lines.join("\n")}\n}`;
}

function renderKey(key: string): string {
  return /^[A-Za-z_$][\w$]*$/u.test(key) ? key : JSON.stringify(key);
}

/**
 * Returns what key and type do not say: description, format, pattern and bounds, those of items and
 * alternatives too.
 */
function renderComment(schema: JsonObject, key = ""): string {
  const { description, items } = schema;
  const words = typeof description === "string" ? description.replaceAll(/\s+/gu, " ").trim() : "";
  const own = words === key.replaceAll("_", " ") ? [] : [words];
  const inner = [...(listBranches(schema) ?? []), ...(isJsonObject(items) ? [items] : [])];
  const parts = [...own, ...listBounds(schema), ...inner.map((each) => renderComment(each))];
  return parts.filter((part) => part !== "").join("; ");
}

const BOUNDS = [
  ["format", ""],
  ["pattern", "matches "],
  ["minimum", "at least "],
  ["maximum", "at most "],
  ["exclusiveMinimum", "above "],
  ["exclusiveMaximum", "below "],
  ["multipleOf", "a multiple of "],
] as const;

function listBounds(schema: JsonObject): readonly string[] {
  const { minItems, maxItems } = schema;
  return [
    ...BOUNDS.flatMap(([keyword, words]) => {
      const bound = schema[keyword];
      return typeof bound === "string" || typeof bound === "number" ? [`${words}${bound}`] : [];
    }),
    ...(typeof minItems === "number" ? [`at least ${minItems} of them`] : []),
    ...(typeof maxItems === "number" ? [`at most ${maxItems} of them`] : []),
  ];
}

function refersToRoot(schema: Json): boolean {
  if (Array.isArray(schema)) return schema.some((each: Json) => refersToRoot(each));
  if (!isJsonObject(schema)) return false;
  return schema["$ref"] === "#" || Object.values(schema).some(refersToRoot);
}
