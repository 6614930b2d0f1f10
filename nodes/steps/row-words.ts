import { wordDay, type SpokenDay } from "../../state/calendar.ts";
import type { Column } from "../../state/entity.ts";
import type { Json } from "../../state/json.ts";
import { nameInWords } from "../../text/blot-machinery.ts";

/** Returns the words by which people say a column's value; none for a pointer, and where it is none. Pure. */
export function wordValue(
  value: Json | undefined,
  { kind, references }: Pick<Column, "kind" | "references">,
  day: SpokenDay,
): readonly string[] {
  if (Array.isArray(value)) return value.filter((item) => typeof item === "string");
  if (references !== undefined || (typeof value !== "string" && typeof value !== "number")) {
    return [];
  }
  return [kind === "date" ? wordDay(String(value), day) : String(value)];
}

/** Returns the words for a column. Pure. */
export function nameColumn({ name, label }: Pick<Column, "name" | "label">): string {
  return label ?? nameInWords(name);
}
