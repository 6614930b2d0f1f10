import { z } from "zod";

/** A value that survives JSON unchanged: what channels, events and stored rows are made of. */
export type Json =
  | string
  | number
  | boolean
  | null
  | readonly Json[]
  | { readonly [key: string]: Json };
/** A plain JSON object. */
export type JsonObject = { readonly [key: string]: Json };

/** Accepts strict JSON only: no `Date`, no class instance, no NaN, no BigInt, no undefined. */
export const JsonSchema: z.ZodType<Json> = z.json();
/** A value parsed from JSON text, which therefore needs no further check. */
export const ParsedJsonSchema: z.ZodType<Json> = z.custom<Json>((value) => value !== undefined);
/** Accepts a strict JSON object; a key `__proto__` is left out. */
export const JsonObjectSchema: z.ZodType<JsonObject> = z.record(z.string(), JsonSchema);

/** Returns an object as JSON has it: without what is undefined, and without classes. */
export function toJsonObject(value: object): JsonObject {
  return JsonObjectSchema.parse(JSON.parse(JSON.stringify(value)));
}

/** Returns true for a JSON object: neither null nor a list. */
export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
