import { ParsedJsonSchema, type Json } from "../../state/json.ts";
import { parseExactJson } from "../../text/exact-json.ts";

/** JSON found in a text: the text is nothing else, or has it in a code fence, or around words. */
export interface FoundJson {
  readonly value: Json;
  readonly place: "whole" | "fence" | "braces";
}

const FENCED = /```[^\n`]*\n([\s\S]*?)```/gu;

/**
 * Finds the JSON value of a text: the whole text, the first code fence that holds one, or what lies
 * between the outermost braces. Null where there is none.
 */
export function findJson(text: string): FoundJson | null {
  const whole = parseJson(text);
  if (whole !== undefined) return { value: whole, place: "whole" };
  for (const [, content = ""] of text.matchAll(FENCED)) {
    const value = parseJson(content);
    if (value !== undefined) return { value, place: "fence" };
  }
  const value = parseJson(text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1));
  return value === undefined ? null : { value, place: "braces" };
}

/** Returns the value of a text that is JSON and nothing else; undefined for every other text. */
export function parseJson(text: string): Json | undefined {
  try {
    return ParsedJsonSchema.parse(parseExactJson(text));
  } catch {
    return undefined;
  }
}
