import { Temporal } from "temporal-polyfill";
import type { Json, JsonObject } from "../state/json.ts";

/** A value as a text; empty where it is none. Drafts may hold anything, so nothing is assumed. */
export function textOf(values: JsonObject, name: string): string {
  const value = values[name];
  return typeof value === "string" ? value.trim() : "";
}

/** A value as a number; null where it is none. */
export function numberOf(values: JsonObject, name: string): number | null {
  const value = values[name];
  return typeof value === "number" ? value : null;
}

/** The texts in a list; empty where it is none. */
export function textsOf(values: JsonObject, name: string): readonly string[] {
  return listOf(values, name).filter((item): item is string => typeof item === "string");
}

/** A list; empty where it is none. */
export function listOf(values: JsonObject, name: string): readonly Json[] {
  const value: Json = values[name] ?? null;
  return Array.isArray(value) ? value : [];
}

/** The names of a recipe's ingredients, whether they came as names or as rows. */
export function ingredientNames(values: JsonObject): readonly string[] {
  return listOf(values, "ingredients").flatMap((item) => {
    if (typeof item === "string") return [item];
    return isObject(item) ? [textOf(item, "name")] : [];
  });
}

/** Whether a value is a JSON object. */
export function isObject(value: Json): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Weekday and day for people: `Tue 13 Jan`; the text itself where it is no date. */
export function dayWords(date: string): string {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) return date;
  try {
    return Temporal.PlainDate.from(date, { overflow: "reject" })
      .toLocaleString("en-GB", { weekday: "short", day: "numeric", month: "short" })
      .replace(",", "");
  } catch {
    return date;
  }
}
