import { z } from "zod";
import { isJsonObject, JsonSchema, type Json, type JsonObject } from "./json.ts";

/** Turns a stored model into `snake_case` JSON and back, losing nothing. */
export interface SnakeCaseCodec<T> {
  /** @throws ZodError for a value that is not of the model. */
  encode(value: T): JsonObject;
  /** @throws ZodError for JSON that is not the encoding of a model's value. */
  decode(json: unknown): T;
}

/**
 * Makes the codec of a model.
 *
 * Contract: `decode(encode(value))` equals `value`. Only keys that the schema itself names are
 * renamed: what a record or plain JSON inside holds is data and stays as it is.
 *
 * @throws TypeError for a schema with a key that does not survive the renaming, or of a kind the codec does not know.
 *
 * @example
 * const codec = snakeCaseCodec(z.object({ turnNumber: z.number() }));
 * codec.encode({ turnNumber: 3 }); // { turn_number: 3 }
 */
export function snakeCaseCodec<T extends object>(schema: z.ZodType<T>): SnakeCaseCodec<T> {
  const shape = readShape(schema);
  return {
    encode: (value) => {
      const encoded = rename(shape, JsonSchema.parse(schema.parse(value)), "snake");
      return asObject(encoded);
    },
    decode: (json) => schema.parse(rename(shape, JsonSchema.parse(json), "camel")),
  };
}

/** `turnNumber` → `turn_number`. */
export function toSnakeCase(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function toCamelCase(key: string): string {
  return key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** The part of a value's structure whose keys its schema names. */
type Shape =
  | { readonly kind: "leaf" }
  | { readonly kind: "list"; readonly item: Shape }
  | { readonly kind: "object"; readonly keys: ReadonlyMap<string, Shape> }
  | { readonly kind: "choice"; readonly options: readonly Shape[] };

const LEAF: Shape = { kind: "leaf" };

function readShape(schema: z.core.$ZodType): Shape {
  // zod's own reflection: every schema has it, of whatever kind.
  // oxlint-disable-next-line no-underscore-dangle
  const { def } = schema._zod;
  if (is(def, "object")) {
    const keys = Object.entries(def.shape).map(([key, value]) => {
      if (toCamelCase(toSnakeCase(key)) !== key) {
        throw new TypeError(`Cannot encode key "${key}" in snake_case: it would not come back`);
      }
      return [key, readShape(value)] as const;
    });
    return { kind: "object", keys: new Map(keys) };
  }
  if (is(def, "array")) return { kind: "list", item: readShape(def.element) };
  if (is(def, "nullable") || is(def, "optional") || is(def, "default")) {
    return readShape(def.innerType);
  }
  if (is(def, "union")) {
    const options = def.options.map(readShape).filter(({ kind }) => kind !== "leaf");
    return options.length === 0 ? LEAF : { kind: "choice", options };
  }
  return LEAF;
}

interface DefByType {
  readonly object: z.core.$ZodObjectDef;
  readonly array: z.core.$ZodArrayDef;
  readonly nullable: z.core.$ZodNullableDef;
  readonly optional: z.core.$ZodOptionalDef;
  readonly default: z.core.$ZodDefaultDef;
  readonly union: z.core.$ZodUnionDef;
}

function is<K extends keyof DefByType>(def: z.core.$ZodTypeDef, type: K): def is DefByType[K] {
  return def.type === type;
}

function rename(shape: Shape, value: Json, to: "snake" | "camel"): Json {
  switch (shape.kind) {
    case "leaf":
      return value;
    case "list":
      return isList(value) ? value.map((item) => rename(shape.item, item, to)) : value;
    case "object":
      return isJsonObject(value) ? renameKeys(shape.keys, value, to) : value;
    case "choice": {
      const option = shape.options.find((candidate) => fits(candidate, value, to));
      return option === undefined ? value : rename(option, value, to);
    }
    default:
      return shape satisfies never;
  }
}

function renameKeys(
  keys: ReadonlyMap<string, Shape>,
  value: JsonObject,
  to: "snake" | "camel",
): JsonObject {
  const entries = [...keys].flatMap(([key, shape]) => {
    const snake = toSnakeCase(key);
    const [from, target] = to === "snake" ? [key, snake] : [snake, key];
    const inner = value[from];
    return inner === undefined ? [] : [[target, rename(shape, inner, to)] as const];
  });
  return Object.fromEntries(entries);
}

/** Returns true when the union's option names every key of the value. */
function fits(shape: Shape, value: Json, to: "snake" | "camel"): boolean {
  if (shape.kind === "list") return isList(value);
  if (shape.kind !== "object" || !isJsonObject(value)) return false;
  const known = new Set(
    [...shape.keys.keys()].map((key) => (to === "snake" ? key : toSnakeCase(key))),
  );
  return Object.keys(value).every((key) => known.has(key));
}

function asObject(value: Json): JsonObject {
  if (isJsonObject(value)) return value;
  throw new TypeError("Cannot encode a model that is not an object");
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
