import type { CountTokens } from "../state/model.ts";
import { oneLine } from "../text/fence.ts";
import type { EntityType } from "../state/entity.ts";
import type { Registry, RegistryEntry, TableLine } from "../state/registry.ts";
import { alternateTypes } from "./alternate-types.ts";
import { isInPlay, isUnsavedDraft } from "./entries.ts";
import { createIdHider, type HideIds } from "./hide-ids.ts";
import { joinLines } from "./fit-lines.ts";
import { describeRefs } from "./refs.ts";
import { clip } from "./shorten.ts";
import { isActive, isKept, latestFirst, type Window } from "./window.ts";

/** The registry as a section of a prompt. */
export interface RenderedTable {
  readonly text: string;
  /** The number of entities that are left out, in words: the last line of the table; empty for none. */
  readonly more: string;
  /** The lines of the table that no longer hold, as they are now; empty when there are none. */
  readonly changes: string;
  /** The refs that stand in it and are in play, in order. */
  readonly shown: string[];
  /** Number of entities in play left out for lack of space. */
  readonly hidden: number;
  /** The lines with which the next table begins. */
  readonly lines: readonly TableLine[];
}

interface TableOptions extends Window {
  /** The domain's, of which some show their keys. Default: none. */
  readonly types?: readonly EntityType[];
  /** The table as it was shown last; empty where there was none. */
  readonly before: readonly TableLine[];
  /** Refs that the message of the turn names: they have their lines, and their facts, before all others. Default: none. */
  readonly named?: readonly string[];
  /** True to cut the table even if it fits, because the prompt changes before it anyway. */
  readonly cut?: boolean;
  readonly budget: number;
  readonly countTokens: CountTokens;
}

/** An entity in play. */
interface Line {
  readonly entry: RegistryEntry;
  /** Place in the order of appearance. */
  readonly index: number;
  readonly active: boolean;
  /** The message of the turn names it. */
  readonly named: boolean;
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
  /** Entities whose facts are left out. */
  readonly bare: ReadonlySet<RegistryEntry>;
}

const LABEL_CHARACTERS = 80;
const FACTS_CHARACTERS = 120;
/** The share of the budget used after a cut; the rest is room to grow until the next one. */
const CUT_SHARE = 0.8;
/** Corrections beyond this share of the budget cost more in every turn than a cut costs once. */
const CHANGES_SHARE = 0.25;

/**
 * One line an entity: ref, label, facts. Endpoints read the beginning of a prompt again only where
 * it has changed, so the table only grows from turn to turn: a line stays as it was first shown,
 * new entities and those that are spoken of again come last. What has changed since or been
 * deleted is said in `changes`; what is demoted or forgotten leaves at once.
 *
 * Over the budget, where it is asked for and where there was none before, the table is cut: what is
 * deleted goes, inactive entities leave, longest unreferenced first, until there is room
 * to grow, and all lines are up to date and in order of appearance. Where even the active ones are
 * too many, facts go, then lines: retained ones and drafts keep theirs longest, then the latest
 * referenced of each type in turn, so that a long list pushes no other type out. An entity that is
 * referenced after its facts went has them again, in `changes`.
 *
 * Contract: text, more and changes together never count more than the budget; what is demoted or not
 * in the registry is in none of them.
 */
export function renderRegistryTable(registry: Registry, options: TableOptions): RenderedTable {
  const { budget, countTokens, types = [] } = options;
  const hideIds = createIdHider(registry, types);
  const inPlay = listLines(registry, { ...options, hideIds });
  if (options.cut !== true && options.before.length > 0) {
    const grown = grownTable(registry, { ...options, inPlay, hideIds });
    const fits = countTokens(joinLines([grown.text, grown.more, grown.changes])) <= budget;
    if (fits && countTokens(grown.changes) <= budget * CHANGES_SHARE) return grown;
  }
  const layout = layoutWithin(inPlay, options);
  const lines = layout.lines.map((line) => ({
    ref: line.entry.ref,
    text: chooseForm(line, layout).text,
    turn: options.turn,
  }));
  return {
    text: joinTableLines(lines),
    more: moreText(inPlay.length - lines.length),
    changes: "",
    shown: lines.map(({ ref }) => ref),
    hidden: inPlay.length - lines.length,
    lines,
  };
}

interface GrownTableParts {
  readonly inPlay: readonly Line[];
  readonly hideIds: HideIds;
}

/** The table with what is new at its end, and what no longer holds of it. */
function grownTable(registry: Registry, options: TableOptions & GrownTableParts): RenderedTable {
  const { before, inPlay, hideIds } = options;
  const entries = new Map(registry.entries.map((entry) => [entry.ref, entry]));
  const standing = before
    .filter(({ ref }) => entries.get(ref)?.demotion === null)
    // An id that was not known as one when the line was written is hidden now.
    .map(({ ref, text, turn }) => ({ ref, text: hideIds(text), turn }));
  const known = new Set(standing.map(({ ref }) => ref));
  const added = inPlay
    .filter(({ entry, active }) => active && !known.has(entry.ref))
    .map(({ entry, full }) => ({ ref: entry.ref, text: full.text, turn: options.turn }));
  const lines = [...standing, ...added];
  const current = new Map(inPlay.map((line) => [line.entry.ref, line]));
  const outdated = standing.flatMap(({ ref, text, turn }) => {
    const line = current.get(ref);
    if (line === undefined || text === line.full.text) return [];
    const lacksOnlyFacts =
      text === line.bare.text && line.entry.referencedTurn < turn && !line.named;
    return lacksOnlyFacts ? [] : [line.full.text];
  });
  const gone = standing.filter(({ ref }) => !current.has(ref));
  const shown = lines.flatMap(({ ref }) => (current.has(ref) ? [ref] : []));
  return {
    text: joinTableLines(lines),
    more: moreText(inPlay.length - shown.length),
    changes: joinLines([
      ...outdated,
      gone.length === 0 ? "" : `Deleted: ${describeRefs(gone.map(({ ref }) => ref))}`,
    ]),
    shown,
    hidden: inPlay.length - shown.length,
    lines,
  };
}

interface LineTools {
  readonly countTokens: CountTokens;
  readonly hideIds: HideIds;
}

function listLines(
  registry: Registry,
  options: Window & LineTools & Pick<TableOptions, "named">,
): Line[] {
  const { hideIds } = options;
  const counted = (text: string): Counted => ({ text, tokens: options.countTokens(`${text}\n`) });
  // What is open to choose from or was listed last is spoken of again.
  const named = new Set(options.named);
  const chosen = new Set([
    ...registry.choices.flatMap(({ refs }) => refs),
    ...registry.listed,
    ...named,
  ]);
  return registry.entries.filter(isInPlay).map((entry, index) => {
    const draft = isUnsavedDraft(entry) ? " (draft, not saved)" : "";
    const bare = `${entry.ref} ${renderLabel(entry, hideIds)}${draft}`;
    const facts = clip(oneLine(hideIds(entry.facts)), FACTS_CHARACTERS);
    return {
      entry,
      index,
      named: named.has(entry.ref),
      active: chosen.has(entry.ref) || isActive(entry, options),
      full: counted(facts === "" ? bare : `${bare}: ${facts}`),
      bare: counted(bare),
    };
  });
}

function renderLabel(entry: RegistryEntry, hideIds: HideIds): string {
  return clip(oneLine(hideIds(entry.label)), LABEL_CHARACTERS);
}

/** Everything where there is room; else without the inactive ones that were not referenced longest; else as much of the active ones as can be. */
function layoutWithin(lines: readonly Line[], options: TableOptions): Layout {
  const { budget, countTokens } = options;
  const fits = (layout: Layout): boolean =>
    countLayoutTokens(layout) <= budget &&
    countTokens(`${layoutText(layout)}\n${moreText(lines.length - layout.lines.length)}`) <= budget;
  const inactive = lines.filter(({ active }) => !active).map(({ entry }) => entry);
  const left = new Set<RegistryEntry>();
  const kept = (): Layout => ({
    lines: lines.filter(({ entry }) => !left.has(entry)),
    bare: new Set(),
  });
  for (const entry of latestFirst(inactive).toReversed()) {
    if (countLayoutTokens(kept()) <= budget * CUT_SHARE && fits(kept())) break;
    left.add(entry);
  }
  return fits(kept()) ? kept() : smallest(kept(), fits);
}

/** The layout without the facts of some entities, and where that is not enough without some of its lines. */
function smallest({ lines }: Layout, fits: (layout: Layout) => boolean): Layout {
  const order = leastWorthFirst(lines);
  const bare = new Set<RegistryEntry>();
  for (const entry of order) {
    if (fits({ lines, bare })) break;
    bare.add(entry);
  }
  let kept = fits({ lines, bare }) ? { lines, bare } : withoutFactsOfMany(lines);
  for (const entry of order) {
    if (fits(kept)) break;
    kept = { ...kept, lines: kept.lines.filter((line) => line.entry !== entry) };
  }
  return kept;
}

/** Orders what loses its facts or its line first: the rest of the most numerous types, at last what is retained and drafts. */
function leastWorthFirst(lines: readonly Line[]): RegistryEntry[] {
  const rank = ({ entry, named }: Line): number => (isKept(entry) ? 0 : named ? 1 : 2);
  const sorted = lines.toSorted((a, b) => b.entry.referencedTurn - a.entry.referencedTurn);
  return [0, 1, 2]
    .flatMap((wanted) =>
      alternateTypes(
        sorted.filter((line) => rank(line) === wanted).map(({ entry }) => entry),
        ({ type }) => type,
      ),
    )
    .toReversed();
}

/** The layout without the facts of each type that has more than its share of the lines. */
function withoutFactsOfMany(lines: readonly Line[]): Layout {
  const types = [...Map.groupBy(lines, (line) => line.entry.type).values()];
  const many = types.filter((own) => own.length >= lines.length / types.length);
  return {
    lines,
    bare: new Set(many.flat().flatMap(({ entry, named }) => (named ? [] : [entry]))),
  };
}

function chooseForm(line: Line, layout: Layout): Counted {
  return layout.bare.has(line.entry) ? line.bare : line.full;
}

function countLayoutTokens(layout: Layout): number {
  return layout.lines.reduce((sum, line) => sum + chooseForm(line, layout).tokens, 0);
}

function layoutText(layout: Layout): string {
  return joinLines(layout.lines.map((line) => chooseForm(line, layout).text));
}

function joinTableLines(lines: readonly TableLine[]): string {
  return joinLines(lines.map(({ text }) => text));
}

function moreText(hidden: number): string {
  return hidden === 0 ? "" : `+ ${hidden} older, ask recall`;
}
