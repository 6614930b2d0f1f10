import { z } from "zod";
import { readFenceLine } from "./fences.ts";
import { quote } from "./write-block.ts";

const ObjectSchema = z.record(z.string(), z.json());
type JsonObject = z.infer<typeof ObjectSchema>;

/** The key whose value is all the rest of a body. */
const PROMPT_KEY = /^(?:batch|expert)?[\s_-]*prompt$/iu;

/**
 * Returns a body that is a JSON object, in a code fence or without, as lines of keys and values, its prompt
 * last; any other body unchanged.
 *
 * Source: living-plan.md §10.
 */
export function unfoldJson(body: string): string {
  const object = readObject(body);
  return object === null ? body : unfoldObject(object).join("\n");
}

function readObject(body: string): JsonObject | null {
  const lines = body.split("\n").filter((line) => readFenceLine(line) === null);
  const text = lines.join("\n").trim();
  if (!text.startsWith("{")) return null;
  try {
    return ObjectSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

function unfoldObject(object: JsonObject): string[] {
  const entries = Object.entries(object);
  const prompts = entries.filter(([key]) => PROMPT_KEY.test(key));
  return [
    ...entries.filter(([key]) => !PROMPT_KEY.test(key)).flatMap(unfoldEntry),
    ...prompts.flatMap(([key, value]) => [`${key}:`, writeWhole(value)]),
  ];
}

function unfoldEntry([key, value]: readonly [string, z.core.util.JSONType]): string[] {
  if (Array.isArray(value)) return [`${key}: [${value.map(writeValue).join(", ")}]`];
  const nested = ObjectSchema.safeParse(value);
  return nested.success
    ? [`${key}:`, ...unfoldObject(nested.data)]
    : [`${key}: ${writeValue(value)}`];
}

function writeValue(value: z.core.util.JSONType): string {
  return quote(writeWhole(value));
}

function writeWhole(value: z.core.util.JSONType): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
