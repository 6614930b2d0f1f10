import type { EntityType } from "../state/entity.ts";
import type { JsonObject } from "../state/json.ts";
import type { CountTokens } from "../state/model.ts";
import type { Registry, RegistryEntry } from "../state/registry.ts";
import { oneLine } from "../text/fence.ts";
import { alternateTypes } from "./alternate-types.ts";
import { findEntry, isUnsavedDraft } from "./entries.ts";
import { joinLines } from "./fit-lines.ts";
import { createIdHider } from "./hide-ids.ts";
import { hasItemValues, renderLists } from "./render-lists.ts";
import { renderMore, type FindReader } from "./render-more.ts";
import { columnText, hasLongText, type Writing } from "./render-values.ts";
import { fitLongest, shorten } from "./shorten.ts";
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

/** One row as text, and the head of the table that it stands in. */
interface Piece {
  readonly held: Held;
  /** Rows of one table share it; null for a row that is written field by field. */
  readonly head: { readonly text: string } | null;
  readonly text: string;
}

/** From this many rows on, a value that all of them share stands in the head instead. */
const SHARED_ROWS = 3;

export interface RenderRowsOptions {
  readonly refs: readonly string[];
  /** Refs among them that have room before all others. Default: none. */
  readonly named?: readonly string[];
  readonly types: readonly EntityType[];
  readonly budget: number;
  readonly countTokens: CountTokens;
  /** Number of further rows of a type that were found and not read. Default: none. */
  readonly unread?: ReadonlyMap<string, number>;
  /** Default: the reader of the text has no tools. */
  readonly findReader?: FindReader;
}

/**
 * The content of those refs, in that order: neighbouring small rows of a type as a table under one
 * head (columns that are empty throughout are left out, what all rows share stands in the head),
 * drafts and rows with long texts or lists field by field.
 *
 * Where not all have room, the ones that are named come first, then one of each type in turn. The
 * first row of a type that finds no room is shortened in its middle to the type's share; the first of
 * all is always shown, unless the budget is too small for its ref and the line about the rest.
 *
 * Contract: refs stand in place of all ids, ids without a ref are left out, and the text never
 * counts more than the budget; what did not fit is counted by type, with the way to read it. Refs
 * whose content is not held are passed over.
 */
export function renderRows(registry: Registry, options: RenderRowsOptions): RenderedRows {
  const writing: Writing = {
    registry,
    types: options.types,
    hideIds: createIdHider(registry, options.types),
    findReader: options.findReader ?? (() => null),
  };
  const pieces = renderPieces(listHeld(options, writing), writing);
  const context = { pieces, options, writing };
  const all = joinPieces(pieces, context);
  if (options.countTokens(all) <= options.budget) {
    return { text: all, shown: listRefs(pieces), more: 0 };
  }
  return fitPieces(context);
}

/** Shows the rows that find room; where the line that counts the rest has none then, it is kept for it. */
function fitPieces(context: FitContext): RenderedRows {
  const queue = queuePieces(context);
  const filled = showChosen(choosePieces(queue, context, { keepsRoom: false }), context);
  if (filled !== null) return filled;
  let chosen = choosePieces(queue, context, { keepsRoom: true });
  for (; chosen.length > 0; chosen = chosen.slice(0, -1)) {
    const fitting = showChosen(chosen, context);
    if (fitting !== null) return fitting;
  }
  return showFirst(queue, context);
}

/** Shows rows in the order in which they were asked for; null where none is chosen or they are too many. */
function showChosen(chosen: readonly Piece[], context: FitContext): RenderedRows | null {
  const { pieces, options } = context;
  const fitting = new Map(chosen.map((piece) => [piece.held, piece]));
  const shown = pieces.flatMap(({ held }) => fitting.get(held) ?? []);
  const text = joinPieces(shown, context);
  if (shown.length === 0 || options.countTokens(text) > options.budget) return null;
  return { text, shown: listRefs(shown), more: pieces.length - shown.length };
}

/** Shows the first row alone, as short as the ending makes it; nothing where not even its ref has room. */
function showFirst([first]: readonly Piece[], context: FitContext): RenderedRows {
  const { pieces, options } = context;
  const { countTokens, budget } = options;
  const nothing = { text: "", shown: [], more: pieces.length };
  if (first === undefined) return nothing;
  const cut = (tokens: number): Piece => ({
    ...first,
    text: shorten(first.text, { tokens, countTokens }),
  });
  const render = (tokens: number): string => joinPieces([cut(tokens)], context);
  const longest = fitLongest(budget, render, { tokens: budget, countTokens });
  const { ref } = first.held.entry;
  if (longest === null || !cut(longest.size).text.startsWith(ref)) return nothing;
  return { text: longest.text, shown: [ref], more: pieces.length - 1 };
}

interface FitContext {
  readonly pieces: readonly Piece[];
  readonly options: RenderRowsOptions;
  readonly writing: Writing;
}

interface RoomOptions {
  /** True to keep room for the longest ending beside whole rows too. */
  readonly keepsRoom: boolean;
}

/** Chooses the rows of the queue that find room. */
function choosePieces(
  queue: readonly Piece[],
  context: FitContext,
  { keepsRoom }: RoomOptions,
): Piece[] {
  const { pieces, options } = context;
  const { budget, countTokens } = options;
  const firsts = [...Map.groupBy(pieces, readType).values()].flatMap((own) => own.slice(0, 1));
  // A shortened row must leave room for the ending, which names a row to go on after where one is shown.
  const endings = [[], firsts].map((shown) => renderEnding(shown, context));
  const reserved = Math.max(...endings.map((text) => countTokens(`\n${text}\n`)));
  const share = Math.floor((budget - reserved) / firsts.length);
  const chosen: Piece[] = [];
  const heads = new Set<Piece["head"]>([null]);
  const started = new Set<string>();
  const full = new Set<string>();
  let sum = 0;
  for (const piece of queue) {
    const type = readType(piece);
    if (full.has(type)) continue;
    const head = heads.has(piece.head) ? "" : `${piece.head?.text ?? ""}\n`;
    const left = budget - reserved - sum - countTokens(head);
    const isWhole = countTokens(`${piece.text}\n`) <= left + (keepsRoom ? 0 : reserved);
    if (!isWhole && started.has(type)) {
      full.add(type);
      continue;
    }
    const tokens = Math.min(left, share) - 1;
    const text = isWhole ? piece.text : shorten(piece.text, { tokens, countTokens });
    // No other type gets a second row while this one has none.
    if (text === "") break;
    chosen.push({ ...piece, text });
    heads.add(piece.head);
    started.add(type);
    sum += countTokens(`${head}${text}\n`);
  }
  return chosen;
}

/** Orders rows as they are given room: the named ones first, and in both parts one of each type in turn. */
function queuePieces({ pieces, options }: FitContext): Piece[] {
  const named = new Set(options.named);
  const parts = [true, false].map((isNamed) =>
    pieces.filter(({ held }) => named.has(held.entry.ref) === isNamed),
  );
  return parts.flatMap((part) => alternateTypes(part, readType));
}

function readType({ held }: Piece): string {
  return held.type.type;
}

function listHeld(options: RenderRowsOptions, writing: Writing): Held[] {
  return [...new Set(options.refs)].flatMap((ref) => {
    const entry = findEntry(writing.registry, ref);
    if (entry === undefined || entry.row === null) return [];
    const { row } = entry;
    const type = typeNamed(options.types, entry.type);
    const isLong = hasLongText(row, type) || hasItemValues(row, type, writing);
    return [{ entry, row, type, whole: isUnsavedDraft(entry) || isLong }];
  });
}

/** Renders one text per row. */
function renderPieces(held: readonly Held[], writing: Writing): Piece[] {
  return groupRuns(held).flatMap((stretch) => {
    const [first] = stretch;
    if (first === undefined) return [];
    return first.whole
      ? stretch.map((one) => ({ held: one, head: null, text: renderFields(one, writing) }))
      : renderRowTable(stretch, first.type, writing);
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

function renderRowTable(held: readonly Held[], type: EntityType, writing: Writing): Piece[] {
  const rows = held.map((one) => renderCells(one, writing));
  const names = [
    ...type.columns.map((column) => column.name),
    ...(type.lists ?? []).map((list) => list.name),
  ];
  const columns = names
    .map((name) => ({ name, cells: rows.map((cells) => cells.get(name) ?? "") }))
    .filter((column) => column.cells.some((cell) => cell !== ""));
  const shared = columns.filter((column) => isShared(column.cells));
  const own = columns.filter((column) => !isShared(column.cells));
  const all = shared.map((column) => `${column.name} = ${column.cells[0]}`).join(", ");
  const title = `${type.table}: ${own.map((column) => column.name).join(" | ")}`.trimEnd();
  const head = { text: `${title}${all === "" ? "" : ` (all: ${all})`}` };
  return held.map((one, index) => {
    const cells = [one.entry.ref, ...own.map((column) => column.cells[index] ?? "")];
    const text = cells.slice(0, cells.findLastIndex((cell) => cell !== "") + 1).join(" | ");
    return { held: one, head, text };
  });
}

/** Renders the columns and lists of a row as table cells: one line each, without the cell separator. */
function renderCells({ entry, row, type }: Held, writing: Writing): Map<string, string> {
  const columns = type.columns.map((column): [string, string] => [
    column.name,
    columnText(row[column.name] ?? null, { column, writing }),
  ]);
  const lists = renderLists({ ref: entry.ref, row, type }, writing).map(
    ({ name, count, items }): [string, string] => [
      name,
      count.includes(",") ? `${count}: ${items}` : items || count,
    ],
  );
  return new Map(
    [...columns, ...lists].map(([name, text]) => [name, oneLine(text).replaceAll("|", "/")]),
  );
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
  const lists = renderLists({ ref: entry.ref, row, type }, writing).flatMap(
    ({ name, count, items, more }) => {
      const line = items === "" ? `  ${name}: ${count}` : `  ${name} (${count}): ${items}`;
      return more === "" ? [line] : [line, `    ${more}`];
    },
  );
  return [title, ...fields, ...lists].join("\n");
}

/** Joins rows below the heads of their tables, and says what is left out. */
function joinPieces(shown: readonly Piece[], context: FitContext): string {
  const lines = shown.map(({ head, text }, index) =>
    head === null || head === shown[index - 1]?.head ? text : `${head.text}\n${text}`,
  );
  return joinLines([...lines, renderEnding(shown, context)]);
}

/** One line for each type of which rows are left out or were not read. */
function renderEnding(shown: readonly Piece[], { pieces, options, writing }: FitContext): string {
  const there = new Set(shown.map(({ held }) => held));
  const lines = [...Map.groupBy(pieces, ({ held }) => held.type)].map(([type, own]) => {
    const unread = options.unread?.get(type.type) ?? 0;
    const count = own.filter(({ held }) => !there.has(held)).length + unread;
    if (count === 0) return "";
    const gap = own.findIndex(({ held }) => !there.has(held));
    const last = own.at(gap === -1 ? -1 : gap - 1);
    // Before the first row there is none to go on after.
    const after = gap === 0 ? null : (last?.held.entry.ref ?? null);
    return renderMore(type, { count, after }, writing);
  });
  return joinLines(lines);
}

function listRefs(pieces: readonly Piece[]): string[] {
  return pieces.map(({ held }) => held.entry.ref);
}
