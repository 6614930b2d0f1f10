import { isJsonObject, type Json, type JsonObject } from "../../state/json.ts";
import type { NamedSchema } from "../../state/model.ts";
import { isList, listProperties } from "../schema/schema-parts.ts";
import { listJson, parseJson, readLooseObject, type FoundJson } from "./find-json.ts";
import { findStrictBreaches } from "../schema/find-breaches.ts";
import { fitSchema } from "../schema/fit-schema.ts";
import { CLOSING_TAG, OPENING_TAG, splitThinking } from "./split-thinking.ts";

/** A structured answer in the form that its schema asks for, as far as it can be mended. */
export interface NormalizedAnswer {
  /** Undefined where the text holds no JSON, or only what the prompt shows. */
  readonly value: unknown;
  /** One line a mending, with its path and kind and never a value: `steps.0.group: default added`. */
  readonly mended: readonly string[];
  /** The thinking before the answer, without its tags; empty for none. */
  readonly thought: string;
}

/**
 * Reads a structured answer however loosely a model gave it (models.md §1, "Normalisation"): without
 * thinking, fences, words around it, comments and a wrapper, and brought into the form of its schema.
 * Of several objects it takes the last of those that fit best. A key without a stated `absent` value is
 * never made up, but for null and the empty list.
 *
 * Contract: pure and total. Normalizing the JSON text of the value gives that value, nothing mended.
 * The value is none of those that the prompt shows (`shown`): an example is nobody's answer.
 */
export function normalizeAnswer(
  text: string,
  schema: NamedSchema,
  shown: readonly string[] = [],
): NormalizedAnswer {
  const { found, thought } = extractJson(text);
  const fits = found.map((each) => fitFound(each, schema));
  const examples = listExamples(schema, shown);
  const [best] = fits
    .filter(({ value }) => !examples.some((example) => isSame(example, value)))
    .toReversed()
    .toSorted((one, other) => one.misfit - other.misfit);
  if (best === undefined) return { value: undefined, mended: [], thought };
  const chosen = fits.length > 1 ? ["answer: one of several taken"] : [];
  return { value: best.value, mended: [...chosen, ...best.mended], thought };
}

/** Lists what of the prompt's texts would be an answer, by line too: half an object hides all behind it. */
function listExamples(schema: NamedSchema, shown: readonly string[]): readonly Json[] {
  return (
    shown
      .flatMap((text) => [text, ...text.split("\n")])
      // Most lines of a prompt hold no JSON, and to look is quicker than to parse.
      .filter((text) => text.includes("{"))
      .flatMap(listJson)
      .map((each) => fitFound(each, schema))
      .filter(({ misfit }) => misfit === 0)
      .map(({ value }) => value)
  );
}

interface FittedJson extends Pick<NormalizedAnswer, "mended"> {
  readonly value: Json;
  /** 0 for what the schema takes, 1 where something in it is wrong, 2 for something else. */
  readonly misfit: number;
}

function fitFound({ value, place, isLoose }: FoundJson, schema: NamedSchema): FittedJson {
  const answer = unwrap(value, schema);
  const fit = fitSchema(answer, schema);
  const properties = listProperties(schema.schema);
  const isAbout = isJsonObject(answer) && Object.keys(answer).some((key) => properties.has(key));
  const isWrong = findStrictBreaches(fit.value, schema.schema).length > 0;
  const around = [
    ...(place === "fence" ? ["answer: code fence removed"] : []),
    ...(place === "words" ? ["answer: words around it removed"] : []),
    ...(isLoose ? ["answer: comments or trailing commas removed"] : []),
    ...(answer === value ? [] : ["answer: wrapper removed"]),
  ];
  const misfit = isAbout ? Number(isWrong) : 2;
  return { value: fit.value, misfit, mended: [...around, ...fit.mended] };
}

/** Deeper than any answer goes: what lies below is not compared, so that no value exhausts the stack. */
const DEEPEST = 200;

function isSame(one: Json | undefined, other: Json | undefined, depth = 0): boolean {
  if (one === other || depth > DEEPEST) return true;
  const below = depth + 1;
  if (isList(one) && isList(other)) {
    return one.length === other.length && one.every((item, at) => isSame(item, other[at], below));
  }
  if (!isJsonObject(one) || !isJsonObject(other)) return false;
  const keys = Object.keys(one);
  const isAlike = keys.length === Object.keys(other).length;
  return isAlike && keys.every((key) => isSame(one[key], other[key], below));
}

/** The JSON of an answer before it is mended, and the thinking before it. */
export interface ExtractedJson {
  readonly found: readonly FoundJson[];
  readonly thought: string;
}

/** Finds the JSON of an answer after its thinking: what `findStrictBreaches` judges. Pure and total. */
export function extractJson(text: string): ExtractedJson {
  // An opening tag before nothing but the answer never began a thought.
  const whole = parseJson(text) ?? parseJson(text.replace(OPENING_TAG, ""));
  if (whole !== undefined) {
    return { found: [{ value: whole, source: text, place: "whole", isLoose: false }], thought: "" };
  }
  const { thought, rest } = splitThinking(text);
  if (!OPENING_TAG.test(text)) {
    // A closing tag alone may stand within a text of the answer.
    const around = listJson(text);
    const isInside = around.some(({ source }) => CLOSING_TAG.test(source));
    if (isInside) return { found: around, thought: "" };
  }
  return { found: listJson(rest), thought };
}

/**
 * Takes out of `{ "<schema's name>": {…} }`, of `{ "name": …, "arguments": {…} }`, of a list of one and of
 * a text of JSON what is inside.
 */
function unwrap(value: Json, named: NamedSchema): Json {
  const inner = isJsonObject(value) ? readWrapped(value, named) : readInside(value);
  return inner === null ? value : unwrap(inner, named);
}

function readInside(value: Json): JsonObject | null {
  if (typeof value === "string") return readObject(value);
  return isList(value) && value.length === 1 ? readObject(value[0]) : null;
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
  const parsed = typeof value === "string" ? readLooseObject(value) : value;
  return isJsonObject(parsed) ? parsed : null;
}
