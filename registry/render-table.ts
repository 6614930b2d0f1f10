import type { CountTokens } from "../state/model.ts";
import { oneLine } from "../state/fence.ts";
import type { Registry, RegistryEntry } from "../state/registry.ts";
import { isInPlay, isUnsavedDraft } from "./entries.ts";
import { createIdHider, type HideIds } from "./hide-ids.ts";
import { joinLines } from "./fit-lines.ts";
import { clip } from "./shorten.ts";
import { isActive, type Window } from "./window.ts";

/** The registry as a section of a prompt. */
export interface RenderedTable {
  readonly text: string;
  /** The refs that stand in it, in order. */
  readonly shown: string[];
  /** How many entities were left out for want of room. */
  readonly hidden: number;
}

interface Line {
  readonly entry: RegistryEntry;
  /** Place in the order of appearance. */
  readonly index: number;
  readonly active: boolean;
  /** With facts, and without. */
  readonly full: Counted;
  readonly bare: Counted;
}

interface Counted {
  readonly text: string;
  readonly tokens: number;
}

interface Layout {
  readonly lines: readonly Line[];
  /** Entity types whose facts are left out. */
  readonly bareTypes: ReadonlySet<string>;
}

const LABEL_CHARACTERS = 80;
const FACTS_CHARACTERS = 120;
/** Entities leave by whole blocks of turns, coarse ones first, so that the table is cut seldom and only grows between. */
const BLOCKS = [10, 5, 1] as const;

/**
 * One line an entity, in order of appearance: ref, label, facts. What is demoted or deleted is not in it.
 *
 * Nothing in a line changes from turn to turn, and new entities come last, so a prompt's prefix
 * stays. Over the budget inactive entities leave, those of the oldest turns first and by whole
 * blocks of turns; what is active of those turns then stands at the end. Their number is said.
 * Where even the active ones are too many, the facts of the most numerous types go, then lines:
 * retained ones and drafts stay longest, then the latest referenced.
 *
 * Contract: the text never counts more than the budget.
 */
export function renderRegistryTable(
  registry: Registry,
  options: Window & { readonly budget: number; readonly countTokens: CountTokens },
): RenderedTable {
  const lines = linesOf(registry, options);
  const layout = layoutWithin(lines, options);
  return {
    text: textOf(layout, lines.length),
    shown: layout.lines.map((line) => line.entry.ref),
    hidden: lines.length - layout.lines.length,
  };
}

/**
 * What was taken out of the choice, on one line with labels, so that "the wings after all" can be
 * understood; empty where nothing is. For the node that restores, not for those that choose.
 */
export function renderHidden(
  registry: Registry,
  options: { readonly budget: number; readonly countTokens: CountTokens },
): string {
  const hideIds = createIdHider(registry);
  const names = registry.entries
    .filter((entry) => entry.demotion !== null && entry.action !== "deleted")
    .toSorted((a, b) => (b.demotion?.turn ?? 0) - (a.demotion?.turn ?? 0))
    .map((entry) => `${entry.ref} ${labelOf(entry, hideIds)}`);
  for (let count = names.length; count > 0; count -= 1) {
    const more = names.length - count;
    const text = [...names.slice(0, count), ...(more > 0 ? [`+ ${more} older`] : [])].join(", ");
    if (options.countTokens(text) <= options.budget) return text;
  }
  return "";
}

function linesOf(
  registry: Registry,
  options: Window & { readonly countTokens: CountTokens },
): Line[] {
  const hideIds = createIdHider(registry);
  const counted = (text: string): Counted => ({ text, tokens: options.countTokens(`${text}\n`) });
  return registry.entries.filter(isInPlay).map((entry, index) => {
    const draft = isUnsavedDraft(entry) ? " (draft, not saved)" : "";
    const bare = `${entry.ref} ${labelOf(entry, hideIds)}${draft}`;
    const facts = clip(oneLine(hideIds(entry.facts)), FACTS_CHARACTERS);
    return {
      entry,
      index,
      active: isActive(entry, options),
      full: counted(facts === "" ? bare : `${bare}: ${facts}`),
      bare: counted(bare),
    };
  });
}

function labelOf(entry: RegistryEntry, hideIds: HideIds): string {
  return clip(oneLine(hideIds(entry.label)), LABEL_CHARACTERS);
}

/** The layout of the earliest cut that fits; where none does, as much of the active ones as can be. */
function layoutWithin(
  lines: readonly Line[],
  options: Window & { readonly budget: number; readonly countTokens: CountTokens },
): Layout {
  const { budget, countTokens } = options;
  const fits = (layout: Layout): boolean =>
    tokensOf(layout) <= budget && countTokens(textOf(layout, lines.length)) <= budget;
  const cut = cutsUntil(options.turn)
    .map((turn) => layoutAt(lines, turn))
    .find(fits);
  if (cut !== undefined) return cut;
  const active = layoutAt(lines, options.turn);
  const bare = barerLayouts(active);
  const least = bare.find(fits) ?? bare.at(-1) ?? active;
  let kept = least;
  for (const line of least.lines.toSorted(byWorth)) {
    if (fits(kept)) break;
    kept = { ...kept, lines: kept.lines.filter((other) => other !== line) };
  }
  return kept;
}

/** Turns up to which entities may leave: none, then whole blocks. */
function cutsUntil(turn: number): number[] {
  const blocks = BLOCKS.flatMap((size) =>
    Array.from({ length: Math.floor(turn / size) }, (_, index) => (index + 1) * size),
  );
  return [...new Set([0, ...blocks])];
}

function layoutAt(lines: readonly Line[], cut: number): Layout {
  const recent = lines.filter((line) => line.entry.createdTurn > cut);
  const earlier = lines.filter((line) => line.entry.createdTurn <= cut && line.active);
  return { lines: [...recent, ...earlier], bareTypes: new Set() };
}

/** The layout without the facts of the most numerous type, of the two most numerous, and so on. */
function barerLayouts(layout: Layout): Layout[] {
  const types = [...Map.groupBy(layout.lines, (line) => line.entry.type)]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .map(([type]) => type);
  return types.map((_, index) => ({
    lines: layout.lines,
    bareTypes: new Set(types.slice(0, index + 1)),
  }));
}

/** What matters least comes first: longest unreferenced, and of those the last of their list. */
function byWorth(a: Line, b: Line): number {
  return worthOf(a) - worthOf(b) || b.index - a.index;
}

function worthOf(line: Line): number {
  const kept = line.entry.retention !== null || isUnsavedDraft(line.entry);
  return kept ? Number.MAX_SAFE_INTEGER : line.entry.referencedTurn;
}

function formOf(line: Line, layout: Layout): Counted {
  return layout.bareTypes.has(line.entry.type) ? line.bare : line.full;
}

function tokensOf(layout: Layout): number {
  return layout.lines.reduce((sum, line) => sum + formOf(line, layout).tokens, 0);
}

function textOf(layout: Layout, all: number): string {
  const hidden = all - layout.lines.length;
  const more = hidden === 0 ? "" : `+ ${hidden} older, ask recall`;
  return joinLines([...layout.lines.map((line) => formOf(line, layout).text), more]);
}
