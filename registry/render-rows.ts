import { listInlineLists, type EntityType } from "../state/entity.ts";
import type { JsonObject } from "../state/json.ts";
import type { CountTokens } from "../state/model.ts";
import type { Registry, RegistryEntry } from "../state/registry.ts";
import { findEntry, isUnsavedDraft } from "./entries.ts";
import { fittingLines } from "./fit-lines.ts";
import { createIdHider } from "./hide-ids.ts";
import {
  childTexts,
  renderRowCell,
  columnText,
  hasLongText,
  type Writing,
} from "./render-values.ts";
import { shorten } from "./shorten.ts";
import { typeNamed } from "./types.ts";

/** Rows as a section of a prompt. */
export interface RenderedRows {
  readonly text: string;
  /** The refs whose rows stand in it, in order. */
  readonly shown: string[];
  /** Number of rows left out for lack of space. */
  readonly more: number;
}

/** An entity whose content is held. */
interface Held {
  readonly entry: RegistryEntry;
  readonly row: JsonObject;
  readonly type: EntityType;
  /** True when the row is written field by field. */
  readonly whole: boolean;
}

/** From this many rows on, a value that all of them share stands in the head instead. */
const SHARED_ROWS = 3;

export interface RenderRowsOptions {
  readonly refs: readonly string[];
  readonly types: readonly EntityType[];
  readonly budget: number;
  readonly countTokens: CountTokens;
}

/**
 * The content of those refs, in that order: neighbouring small rows of a type as a table under one
 * head (columns that are empty throughout are left out, what all rows share stands in the head),
 * drafts and rows with long texts field by field.
 *
 * Contract: refs stand in place of all ids, ids without a ref are left out, and the text never
 * counts more than the budget; what did not fit is counted ("12 shown, 47 more"). A first row that
 * alone is too long is shortened in its middle. Refs whose content is not held are passed over.
 */
export function renderRows(registry: Registry, options: RenderRowsOptions): RenderedRows {
  const { budget, countTokens } = options;
  const held = heldRows(registry, options);
  const pieces = renderPieces(held, { registry, hideIds: createIdHider(registry) });
  const ending = (left: number): string => moreText(held.length - left, left);
  const { text, fitting } = fittingLines(pieces, { budget, countTokens, ending });
  const first = pieces[0];
  if (fitting > 0 || first === undefined) {
    return { text, shown: refsOfRows(held.slice(0, fitting)), more: held.length - fitting };
  }
  const after = held.length === 1 ? "" : `\n${ending(held.length - 1)}`;
  const part = shorten(first, { tokens: budget - countTokens(after) - 1, countTokens });
  if (part === "") return { text: "", shown: [], more: held.length };
  return { text: `${part}${after}`, shown: refsOfRows(held.slice(0, 1)), more: held.length - 1 };
}

interface RowSelection {
  readonly refs: readonly string[];
  readonly types: readonly EntityType[];
}

function heldRows(registry: Registry, options: RowSelection): Held[] {
  return [...new Set(options.refs)].flatMap((ref) => {
    const entry = findEntry(registry, ref);
    if (entry === undefined || entry.row === null) return [];
    const type = typeNamed(options.types, entry.type);
    const whole = isUnsavedDraft(entry) || hasLongText(entry.row, type);
    return [{ entry, row: entry.row, type, whole }];
  });
}

/** Renders one text per row; the first of a table includes the table's header. */
function renderPieces(held: readonly Held[], writing: Writing): string[] {
  return groupRuns(held).flatMap((stretch) => {
    const [first] = stretch;
    if (first === undefined) return [];
    return first.whole
      ? stretch.map((one) => renderFields(one, writing))
      : renderRowTable(stretch, { type: first.type, writing });
  });
}

/** Groups neighbours of one type that are rendered the same way. */
function groupRuns(held: readonly Held[]): Held[][] {
  const stretches: Held[][] = [];
  for (const one of held) {
    const last = stretches.at(-1);
    const before = last?.[0];
    if (before?.type === one.type && before.whole === one.whole) last?.push(one);
    else stretches.push([one]);
  }
  return stretches;
}

interface RowTableOptions {
  readonly type: EntityType;
  readonly writing: Writing;
}

function renderRowTable(held: readonly Held[], options: RowTableOptions): string[] {
  const { type, writing } = options;
  const names = [
    ...type.columns.map((column) => column.name),
    ...listInlineLists(type).map((list) => list.name),
  ];
  const columns = names
    .map((name) => ({
      name,
      cells: held.map((one) => renderRowCell(one.row, { name, type, writing })),
    }))
    .filter((column) => column.cells.some((cell) => cell !== ""));
  const shared = columns.filter((column) => isShared(column.cells));
  const own = columns.filter((column) => !isShared(column.cells));
  const all = shared.map((column) => `${column.name} = ${column.cells[0]}`).join(", ");
  const head = `${type.table}: ${own.map((column) => column.name).join(" | ")}`.trimEnd();
  return held.map((one, index) => {
    const cells = [one.entry.ref, ...own.map((column) => column.cells[index] ?? "")];
    const line = cells.slice(0, cells.findLastIndex((cell) => cell !== "") + 1).join(" | ");
    return index === 0 ? `${head}${all === "" ? "" : ` (all: ${all})`}\n${line}` : line;
  });
}

function isShared(cells: readonly string[]): boolean {
  return cells.length >= SHARED_ROWS && cells.every((cell) => cell === cells[0]);
}

/** Renders a row field by field, all lines but the first indented so that no content looks like another entity. */
function renderFields({ entry, row, type }: Held, writing: Writing): string {
  const title = `${entry.ref}${isUnsavedDraft(entry) ? " (draft, not saved)" : ""}`;
  const fields = type.columns.flatMap((column) => {
    const text = columnText(row[column.name] ?? null, { column, writing });
    if (text === "") return [];
    return text.includes("\n")
      ? [`  ${column.name}:`, ...text.split("\n").map((line) => `    ${line}`)]
      : [`  ${column.name}: ${text}`];
  });
  const children = listInlineLists(type).flatMap((child) => {
    const texts = childTexts(row[child.name] ?? null, { child, writing });
    return texts.map((text, index) => `${index === 0 ? `  ${child.name}:\n` : ""}  - ${text}`);
  });
  return [title, ...fields, ...children].join("\n");
}

function moreText(shown: number, more: number): string {
  return more === 0 ? "" : `${shown} shown, ${more} more`;
}

function refsOfRows(held: readonly Held[]): string[] {
  return held.map((one) => one.entry.ref);
}
