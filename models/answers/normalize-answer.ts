import { isJsonObject, type Json, type JsonObject } from "../../state/json.ts";
import type { NamedSchema } from "../../state/model.ts";
import { findJson, parseJson, type FoundJson } from "./find-json.ts";
import { fitSchema } from "../schema/fit-schema.ts";
import { listProperties } from "../schema/schema-parts.ts";
import { OPENING_TAG, splitThinking } from "./split-thinking.ts";

/** A structured answer in the form that its schema asks for, as far as it can be mended. */
export interface NormalizedAnswer {
  /** Undefined where the text holds no JSON. */
  readonly value: unknown;
  /** One line a mending, with its path and kind and never a value: `steps.0.group: default added`. */
  readonly mended: readonly string[];
  /** The thinking before the answer, without its tags; empty for none. */
  readonly thought: string;
}

/**
 * Reads a structured answer however loosely a model gave it (models.md §1, "Normalisation"): without
 * thinking, fences, words around it and a wrapper, and brought into the form of its schema. A key
 * without a stated `absent` value is never made up, but for null and the empty list.
 *
 * Contract: pure and total. Normalizing the JSON text of the value gives that value, nothing mended.
 */
export function normalizeAnswer(text: string, schema: NamedSchema): NormalizedAnswer {
  const { found, thought } = extractJson(text);
  if (found === null) return { value: undefined, mended: [], thought };
  const answer = unwrap(found.value, schema);
  const { value, mended } = fitSchema(answer, schema);
  const around = [
    ...(found.place === "fence" ? ["answer: code fence removed"] : []),
    ...(found.place === "braces" ? ["answer: words around it removed"] : []),
    ...(answer === found.value ? [] : ["answer: wrapper removed"]),
  ];
  return { value, mended: [...around, ...mended], thought };
}

/** The JSON of an answer before it is mended, and the thinking before it. */
export interface ExtractedJson {
  /** Null where the text holds none. */
  readonly found: FoundJson | null;
  readonly thought: string;
}

/** Finds the JSON of an answer after its thinking: what `findStrictBreaches` judges. Pure and total. */
export function extractJson(text: string): ExtractedJson {
  // An opening tag before nothing but the answer never began a thought.
  const whole = parseJson(text) ?? parseJson(text.replace(OPENING_TAG, ""));
  if (whole !== undefined) return { found: { value: whole, place: "whole" }, thought: "" };
  const { thought, rest } = splitThinking(text);
  const found = findJson(rest);
  if (found !== null || OPENING_TAG.test(text)) return { found, thought };
  // A closing tag alone may stand within a text of the answer.
  const around = findJson(text);
  return around === null ? { found, thought } : { found: around, thought: "" };
}

/** Takes out of `{ "<schema's name>": {…} }` and `{ "name": …, "arguments": {…} }` what is inside. */
function unwrap(value: Json, named: NamedSchema): Json {
  const inner = isJsonObject(value) ? readWrapped(value, named) : null;
  return inner === null ? value : unwrap(inner, named);
}

function readWrapped(value: JsonObject, { name, schema }: NamedSchema): JsonObject | null {
  const properties = listProperties(schema);
  const keys = Object.keys(value);
  if (keys.some((key) => properties.has(key))) return null;
  const [only = ""] = keys;
  if (keys.length === 1 && only === name) return readObject(value[only]);
  if (keys.length !== 2 || typeof value["name"] !== "string") return null;
  return readObject(value["arguments"] ?? value["parameters"]);
}

function readObject(value: Json | undefined): JsonObject | null {
  const parsed = typeof value === "string" ? parseJson(value) : value;
  return isJsonObject(parsed) ? parsed : null;
}
