import type { Part } from "../language/lexicon.ts";
import { describeNew, type Target } from "../language/request.ts";
import type { PromptRef } from "../prompt/read-entities.ts";
import {
  findChoice,
  findFillable,
  findNameColumns,
  type ShownTable,
} from "../prompt/read-tables.ts";

/** Columns of a new row with their values; a pair without a column or a value is left out. */
export type NewRow = readonly (readonly [column: string | null, value: string | number | null])[];

/** Fills a row with a thing that is added. It has to be somewhere: without a place it goes to the first that its table knows. */
export function fillAddition(
  { text, quantity, unit }: Target,
  part: Part | null,
  table: ShownTable,
): NewRow {
  const usual = table.fillable.find(({ name }) => name === "location") ?? null;
  const place = findChoice(table, part?.value ?? null) ?? usual?.name ?? null;
  return [
    ...fillName(text, findNameColumns(table)),
    [findFillable(table, "number"), quantity],
    ["unit", unit],
    [place, part?.value ?? usual?.values[0] ?? null],
  ];
}

/** Says why nothing can be added to a table by name alone, or not so much of it; null where it can. */
export function refuseAddition(
  names: readonly Target[],
  table: ShownTable,
  home: string,
): string | null {
  if (table.columns.some(({ references }) => references !== null))
    return `I cannot add to ${home} by name alone.`;
  const counted = names.find(({ quantity, unit }) => (quantity ?? 1) !== 1 || unit !== null);
  if (counted !== undefined && findFillable(table, "number") === null)
    return `I set no amounts in ${home}, so "${describeNew(counted)}" has no place there.`;
  const parts = findNameColumns(table);
  const short = names.find(({ text }) => text.split(/\s+/).length < parts.length);
  return short === undefined
    ? null
    : `I cannot add "${short.text}" to ${home}: a whole name has ${parts.length} parts there.`;
}

/** Fills the columns of a name with its words: the last takes what is left. */
function fillName(text: string, columns: readonly string[]): NewRow {
  const [words, last] = [text.split(/\s+/), columns.length - 1];
  const rest = words.slice(last).join(" ");
  return columns.map((column, at) => [column, (at < last ? words[at] : rest) || null]);
}

interface Plan {
  readonly table: ShownTable;
  /** Number of people at home. */
  readonly household: number | null;
}

/** Fills a row with a dish that is put on a day. */
export function fillMeal(
  { day, slot, people }: Target,
  { ref, label }: PromptRef,
  { table, household }: Plan,
): NewRow {
  const has = (name: string): string | null =>
    table.columns.some((column) => column.name === name) ? name : null;
  const target = table.columns.find(({ references }) => references !== null)?.name ?? null;
  const time = slot ?? "dinner";
  return [
    [findFillable(table, "date"), day?.first ?? null],
    [findChoice(table, time), time],
    [target, ref],
    [has("title"), label],
    [has("servings"), people ?? household],
  ];
}
