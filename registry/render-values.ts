import type { Column, EntityType } from "../state/entity.ts";
import { neutralise, oneLine } from "../text/fence.ts";
import type { Json, JsonObject } from "../state/json.ts";
import type { Registry } from "../state/registry.ts";
import { findEntry } from "./entries.ts";
import { isUuid, type HideIds } from "./hide-ids.ts";
import type { FindReader } from "./render-more.ts";

/** The parts needed to render values without ids. */
export interface Writing {
  readonly registry: Registry;
  readonly types: readonly EntityType[];
  readonly hideIds: HideIds;
  readonly findReader: FindReader;
}

/** A text longer than this, or of several lines, makes its row be written field by field. */
const LONG_TEXT = 100;

/** Returns true when a row has texts that do not fit on a line. */
export function hasLongText(row: JsonObject, type: EntityType): boolean {
  return type.columns.some((column) => isLong(row[column.name]));
}

export interface ColumnTextOptions {
  readonly column: Column | undefined;
  readonly writing: Writing;
}

/**
 * A value as text, line ends kept: nested values with their keys, refs of other entities with their label, known ids as refs, and
 * nothing for an id without a ref.
 */
export function columnText(value: Json, options: ColumnTextOptions): string {
  if (value === null) return "";
  if (typeof value !== "object") return scalarText(value, options);
  const parts = Array.isArray(value)
    ? value.map((part: Json) => columnText(part, options))
    : Object.entries(value).map(([key, part]) => {
        const text = columnText(part, options);
        return text === "" ? "" : `${neutralise(key)}: ${text}`;
      });
  return parts.filter((text) => text !== "").join(", ");
}

function scalarText(value: string | number | boolean, options: ColumnTextOptions): string {
  const { column, writing } = options;
  if (typeof value !== "string") return String(value);
  const text = neutralise(writing.hideIds(value));
  if (isUuid(text)) return "";
  if (column?.references === undefined) return text;
  const entry = findEntry(writing.registry, value);
  return entry === undefined ? text : `${value} (${oneLine(writing.hideIds(entry.label))})`;
}

function isLong(value: Json | undefined): boolean {
  return typeof value === "string" && (value.length > LONG_TEXT || value.includes("\n"));
}
