import { wordDay, type SpokenDay } from "../../state/calendar.ts";
import { readListItems } from "../../domain/changes/list-items.ts";
import {
  listInlineLists,
  listVisibleColumns,
  type Column,
  type EntityType,
} from "../../state/entity.ts";
import type { Json, JsonObject } from "../../state/json.ts";
import { foldWords } from "../../text/fold-words.ts";
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

/** Returns the values of a row and of its lists as one text; keys and pointers are left out, whose figures nobody sees. Pure. */
export function joinValues(row: JsonObject | null, type: EntityType): string {
  const lists = listInlineLists(type).flatMap((list) =>
    readListItems(row?.[list.name]).flatMap((item) => listOwnValues(item, list)),
  );
  return JSON.stringify([...listOwnValues(row ?? {}, type), ...lists]);
}

function listOwnValues(
  row: JsonObject,
  described: { readonly columns: readonly Column[] },
): Json[] {
  return listVisibleColumns(described)
    .filter(({ references }) => references === undefined)
    .map(({ name }) => row[name] ?? null);
}

/**
 * Returns a message without the names of a row, so that their words and figures stand for no value: each
 * whole label, and its words of letters. Pure.
 *
 * @example
 * leaveOutNames("set Acme's net to 90 on R-2026-5", ["R-2026-5"]); // "set Acme's net to 90 on --"
 */
export function leaveOutNames(message: string, labels: readonly string[]): string {
  return labels.reduce(leaveOutName, message);
}

function leaveOutName(message: string, label: string): string {
  const own = foldWords(label);
  const found = [...message.matchAll(/[\p{L}\p{M}\p{N}]+/gu)].map(({ 0: raw, index }) => ({
    word: foldWords(raw).join(""),
    index,
    end: index + raw.length,
  }));
  const isLabel = (start: number): boolean =>
    own.length > 0 && own.every((word, at) => found[start + at]?.word === word);
  const inLabel = new Set(
    found.flatMap((_, start) => (isLabel(start) ? own.map((__, at) => start + at) : [])),
  );
  return found
    .filter(({ word }, at) => inLabel.has(at) || (own.includes(word) && /\p{L}{3}/u.test(word)))
    .toReversed()
    .reduce((rest, { index, end }) => rest.slice(0, index) + rest.slice(end), message);
}
