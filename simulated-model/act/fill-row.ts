import type { Part } from "../language/lexicon.ts";
import type { Target } from "../language/request.ts";
import type { PromptRef } from "../prompt/read-entities.ts";
import { findChoice, findColumn, findNameColumn, type ShownTable } from "../prompt/read-tables.ts";

/** Columns of a new row with their values; a pair without a column or a value is left out. */
export type NewRow = readonly (readonly [column: string | null, value: string | number | null])[];

/** Fills a row with a thing that is added. It has to be somewhere: without a place it goes to the first that its table knows. */
export function fillAddition(
  { text, quantity, unit }: Target,
  part: Part | null,
  table: ShownTable,
): NewRow {
  const usual = table.columns.find(({ name }) => name === "location") ?? null;
  const place = findChoice(table, part?.value ?? null) ?? usual?.name ?? null;
  return [
    [findNameColumn(table), text],
    [findColumn(table, "number"), quantity],
    ["unit", unit],
    [place, part?.value ?? usual?.values[0] ?? null],
  ];
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
    [findColumn(table, "date"), day?.first ?? null],
    [findChoice(table, time), time],
    [target, ref],
    [has("title"), label],
    [has("servings"), people ?? household],
  ];
}
