import { isJsonObject, ParsedJsonSchema, type Json, type JsonObject } from "../../state/json.ts";
import { parseExactJson } from "../../text/exact-json.ts";

/** JSON found in a text: the text is nothing else, or has it in a code fence, or around words. */
export interface FoundJson {
  readonly value: Json;
  /** The part of the text that it was read from. */
  readonly source: string;
  readonly place: "whole" | "fence" | "words";
  /** True where comments or trailing commas had to go. */
  readonly isLoose: boolean;
}

/**
 * Lists the JSON of a text in its order: the whole text, or each object and list in it that stands in
 * no other. One that does not end is half an answer: neither its parts nor what follows count.
 */
export function listJson(text: string): readonly FoundJson[] {
  const whole = parseJson(text);
  if (whole !== undefined) return [{ value: whole, source: text, place: "whole", isLoose: false }];
  return listSpans(text).flatMap(({ start, end }) => {
    const source = text.slice(start, end);
    const strict = parseJson(source);
    const value = strict ?? parseJson(removeLoose(source));
    if (value === undefined) return [];
    const place = isFenced(text.slice(0, start)) ? "fence" : "words";
    return [{ value, source, place, isLoose: strict === undefined }];
  });
}

/**
 * Reads the one object of a text however loosely it is written: in a fence or words, with comments or
 * trailing commas, or as a text of JSON in JSON. Undefined where there is none, half of one, or several.
 */
export function readLooseObject(text: string): JsonObject | undefined {
  const [only, ...others] = listJson(text);
  if (only === undefined || others.length > 0) return undefined;
  const { value } = only;
  if (typeof value === "string") return readLooseObject(value);
  return isJsonObject(value) ? value : undefined;
}

/** Returns the value of a text that is JSON and nothing else; undefined for every other text. */
export function parseJson(text: string): Json | undefined {
  try {
    return ParsedJsonSchema.parse(parseExactJson(text));
  } catch {
    return undefined;
  }
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** A bracket behind which JSON may follow: of a type or of a sentence in braces none does. */
const START = /[{[](?=\s*(?:["{}[\]\d-]|\/[/*]|true|false|null))/u;
const COMMENT = String.raw`\/\/[^\n]*|\/\*[\s\S]{0,999}?\*\/`;
const TEXT = String.raw`"[^"\\]*(?:\\[\s\S][^"\\]*)*"`;
const TOKENS = new RegExp(`${TEXT}|${COMMENT}|[{}[\\]]`, "gu");

function listSpans(text: string): readonly Span[] {
  const spans: Span[] = [];
  for (let from = 0; ;) {
    const offset = text.slice(from).search(START);
    const end = offset === -1 ? null : findEnd(text, from + offset);
    if (end === null) return spans;
    spans.push({ start: from + offset, end });
    from = end;
  }
}

function findEnd(text: string, start: number): number | null {
  let depth = 0;
  for (const { 0: token, index } of text.slice(start).matchAll(TOKENS)) {
    if (token === "{" || token === "[") depth += 1;
    if (token === "}" || token === "]") depth -= 1;
    if (depth === 0) return start + index + 1;
  }
  return null;
}

const COMMENTS = new RegExp(`(${TEXT})|${COMMENT}`, "gu");
const COMMAS = new RegExp(`(${TEXT})|,(?=\\s*[}\\]])`, "gu");

function removeLoose(json: string): string {
  return json.replace(COMMENTS, "$1").replace(COMMAS, "$1");
}

function isFenced(before: string): boolean {
  const lines = before.trimEnd();
  return lines
    .slice(lines.lastIndexOf("\n") + 1)
    .trimStart()
    .startsWith("```");
}
