import { Temporal } from "temporal-polyfill";
import { isJsonObject, type Json, type JsonObject } from "../state/json.ts";

/** Returns a field as text; empty when it is not text. Drafts may hold anything, so nothing is assumed. */
export function readTextField(values: JsonObject, name: string): string {
  const value = values[name];
  return typeof value === "string" ? value.trim() : "";
}

/** Returns a field as a number; null when it is not a number. */
export function readNumberField(values: JsonObject, name: string): number | null {
  const value = values[name];
  return typeof value === "number" ? value : null;
}

/** Returns the texts in a list field; empty when it is not a list. */
export function readTextListField(values: JsonObject, name: string): readonly string[] {
  return readListField(values, name).filter((item): item is string => typeof item === "string");
}

/** Returns a list field; empty when it is not a list. */
export function readListField(values: JsonObject, name: string): readonly Json[] {
  const value: Json = values[name] ?? null;
  return Array.isArray(value) ? value : [];
}

/** The names of a recipe's ingredients, whether they came as names or as rows. */
export function ingredientNames(values: JsonObject): readonly string[] {
  return readListField(values, "ingredients").flatMap((item) => {
    if (typeof item === "string") return [item];
    return isJsonObject(item) ? [readTextField(item, "name")] : [];
  });
}

/** Made once: making one takes longer than all else about a day. */
const DAY_WORDS = new Intl.DateTimeFormat("en-GB", {
  timeZone: "UTC",
  weekday: "short",
  day: "numeric",
  month: "short",
});

/** Weekday and day for people: `Tue 13 Jan`; the text itself where it is no date. */
export function dayWords(date: string): string {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) return date;
  try {
    const day = Temporal.PlainDate.from(date, { overflow: "reject" });
    return DAY_WORDS.format(day.toZonedDateTime("UTC").epochMilliseconds).replace(",", "");
  } catch {
    return date;
  }
}

/** A word with a capital letter, for the beginning of a line. */
export function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
