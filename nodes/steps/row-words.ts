import { wordDay, type SpokenDay } from "../../state/calendar.ts";
import type { Column } from "../../state/entity.ts";
import type { Json } from "../../state/json.ts";
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

/**
 * Returns a message without the name of a row, so that its words and figures stand for no value: the whole
 * label, and each of its words of letters. Pure.
 *
 * @example
 * leaveOutName("set Acme's net to 90 on R-2026-5", "R-2026-5"); // "set Acme's net to 90 on --"
 */
export function leaveOutName(message: string, label: string): string {
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
