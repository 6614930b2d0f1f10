import { renderFacts, type Detail, type EntityRow, type EntityType } from "../state/entity.ts";
import type { JsonObject } from "../state/json.ts";
import type { Registry, RegistryEntry, RegistryEvent } from "../state/registry.ts";
import {
  closeEmptyChoices,
  focusChoice,
  judgeChoice,
  restoreToChoices,
  touchChoices,
} from "./choices.ts";
import {
  EMPTY_REGISTRY,
  findEntry,
  findEntryForRow,
  isUnsavedDraft,
  withoutRow,
} from "./entries.ts";
import { parseRef, refPrefix } from "./refs.ts";
import { mentions, rowWithRefs, toDraftContent } from "./translate.ts";
import { typeNamed } from "./types.ts";

type EventOf<Kind extends RegistryEvent["kind"]> = Extract<RegistryEvent, { kind: Kind }>;

/** The part of an entry that is derived from its row. */
type Content = Pick<RegistryEntry, "label" | "facts" | "row">;

/**
 * The registry after one event.
 *
 * Contract: a ref never changes its entity, counters never go back, and the same events in the
 * same order allot the same refs.
 *
 * @throws RangeError for an entity type that is not in `types`.
 */
export function applyEvent(
  registry: Registry,
  event: RegistryEvent,
  types: readonly EntityType[],
): Registry {
  switch (event.kind) {
    case "read":
      return applyRead(registry, event, types);
    case "linked":
      return applyLinked(registry, event, types);
    case "written":
      return applyWritten(registry, event, types);
    case "drafted":
      return applyDrafted(registry, event, types);
    case "curated":
      return applyCuration(registry, event, types);
    case "referenced":
      return touchChoices(
        changeEach(registry, event.refs, (entry) => named(entry, event.turn)),
        { refs: event.refs, turn: event.turn, types },
      );
    case "judged":
      return judgeChoice(registry, event);
    case "focused":
      return focusChoice(registry, event.choice, event.turn);
    case "listed":
      return applyListed(registry, event);
    case "looked":
      return applyLooked(registry, event);
    case "outside":
      return applyOutside(registry, event, types);
    case "recalled":
      return applyRecalled(registry, event);
    default:
      event satisfies never;
      return registry;
  }
}

/** The registry after all the events, in order; folding in two parts gives the same. */
export function foldRegistry(
  registry: Registry,
  events: readonly RegistryEvent[],
  types: readonly EntityType[],
): Registry {
  return events.reduce((current, event) => applyEvent(current, event, types), registry);
}

/**
 * Every row is met before any foreign id is translated, so a row may point at a later one. An id
 * without a row is only met: it takes its place in the order, or counts as looked at.
 */
function applyRead(
  registry: Registry,
  event: EventOf<"read">,
  types: readonly EntityType[],
): Registry {
  const type = typeNamed(types, event.type);
  const ids = [...event.ids, ...event.rows.map((row) => row.id)];
  const met = ids.reduce((current, id) => meet(current, { type, id, turn: event.turn }), registry);
  return event.rows.reduce((current, row) => {
    const content = readContent(current, row.values, type);
    return changeRow(current, { type, id: row.id }, (entry) =>
      readAgain(entry, { row, content, turn: event.turn, detail: event.detail }),
    );
  }, met);
}

interface RowReading {
  readonly row: EntityRow;
  readonly content: Content;
  readonly turn: number;
  readonly detail: Detail;
}

/** A row of the same version that was held in more detail stays as it is held. */
function readAgain(entry: RegistryEntry, read: RowReading): RegistryEntry {
  const held = entry.rowVersion === read.row.rowVersion && entry.row !== null;
  const richer = held && DETAIL_RANK[entry.detail] > DETAIL_RANK[read.detail];
  return {
    ...entry,
    ...(richer ? {} : { ...read.content, detail: read.detail }),
    rowVersion: read.row.rowVersion,
    action: "read",
    byUser: false,
    readTurn: read.turn,
  };
}

const DETAIL_RANK = { none: 0, summary: 1, full: 2 } as const satisfies Record<Detail, number>;

function applyLinked(
  registry: Registry,
  event: EventOf<"linked">,
  types: readonly EntityType[],
): Registry {
  const type = typeNamed(types, event.type);
  return event.rows.reduce((current, row) => {
    const { label, facts } = readContent(current, row.values, type);
    if (findEntryForRow(current, { type: type.type, id: row.id }) === undefined) {
      const entry = newEntry({ type, id: row.id, turn: event.turn });
      return append(
        current,
        { ...entry, label, facts, action: "linked" },
        refPrefix(type, { draft: false }),
      );
    }
    return changeRow(current, { type, id: row.id }, (entry) => ({
      ...entry,
      label,
      facts: entry.facts || facts,
      // A row known by such pointers alone is spoken of with what points at it, the second time as the first.
      referencedTurn: entry.action === "linked" ? event.turn : entry.referencedTurn,
    }));
  }, registry);
}

function applyWritten(
  registry: Registry,
  event: EventOf<"written">,
  types: readonly EntityType[],
): Registry {
  const type = typeNamed(types, event.type);
  const { id } = event.row;
  const met = meet(adopt(registry, event), { type, id, turn: event.turn });
  const content = readContent(met, event.row.values, type);
  const gone = event.action === "deleted";
  if (gone && findEntryForRow(met, { type: type.type, id })?.ref === event.draft)
    return unsave(met, { ref: event.draft, turn: event.turn, row: content.row }, types);
  const written = changeRow(met, { type, id }, (entry) => ({
    ...entry,
    ...content,
    row: gone ? null : content.row,
    detail: gone ? "none" : "full",
    rowVersion: gone ? null : event.row.rowVersion,
    retention: gone ? null : entry.retention,
    action: event.action,
    byUser: event.byUser,
    referencedTurn: event.turn,
  }));
  return gone ? closeEmptyChoices(written) : written;
}

interface UnsavedRow {
  readonly ref: string;
  readonly turn: number;
  readonly row: JsonObject | null;
}

/** Makes a row that began as a draft one again, with the row's content. */
function unsave(
  registry: Registry,
  { ref, turn, row }: UnsavedRow,
  types: readonly EntityType[],
): Registry {
  const back = changeEach(registry, [ref], (entry) => ({
    ...entry,
    id: null,
    rowVersion: null,
    action: "generated",
  }));
  const name = findEntry(back, ref)?.type ?? "";
  const content = toDraftContent(row ?? {}, typeNamed(types, name));
  return applyDrafted(back, { kind: "drafted", turn, type: name, ref, content }, types);
}

/** A registry in which every row is checked has no list of others. */
function applyLooked(
  { unchecked: _before, ...registry }: Registry,
  { seen, unchecked = [] }: EventOf<"looked">,
): Registry {
  const looked = { ...registry, journalSeen: seen };
  return unchecked.length === 0 ? looked : { ...looked, unchecked };
}

/** A row that changed is as it is now, in the detail of its summary; one that is gone is no longer offered, one that is back is again. */
function applyOutside(
  registry: Registry,
  { type: name, id, row, turn }: EventOf<"outside">,
  types: readonly EntityType[],
): Registry {
  const type = typeNamed(types, name);
  if (row === null) {
    const gone = changeRow(registry, { type, id }, (entry) => ({
      ...withoutRow(entry),
      action: "deleted",
      retention: null,
      referencedTurn: turn,
    }));
    return closeEmptyChoices(gone);
  }
  const { label, facts } = readContent(registry, row.values, type);
  return changeRow(registry, { type, id }, (entry) => ({
    ...withoutRow(entry),
    label,
    facts,
    action: entry.action === "deleted" ? "read" : entry.action,
  }));
}

/** Gives an unsaved draft the id under which it was saved; a row the thread knows already keeps its own ref. */
function adopt(registry: Registry, event: EventOf<"written">): Registry {
  const { draft, type, row } = event;
  const known = findEntryForRow(registry, { type, id: row.id }) !== undefined;
  if (draft === null || known || event.action === "deleted") return registry;
  return changeEach(registry, [draft], (entry) =>
    isUnsavedDraft(entry) && entry.type === type
      ? { ...entry, id: row.id, savedAs: row.id }
      : entry,
  );
}

/** Applies a draft. A saved row changes only by a write, so editing one creates a separate draft. */
function applyDrafted(
  registry: Registry,
  event: EventOf<"drafted">,
  types: readonly EntityType[],
): Registry {
  const type = typeNamed(types, event.type);
  const change = {
    row: event.content,
    label: type.label(event.content) || type.words.one,
    facts: renderFacts(type, event.content),
    action: "generated",
    byUser: false,
    detail: "full",
    referencedTurn: event.turn,
  } as const satisfies Partial<RegistryEntry>;
  const before = event.ref === null ? undefined : findEntry(registry, event.ref);
  if (before !== undefined && before.type === event.type && isUnsavedDraft(before)) {
    return changeEach(registry, [before.ref], (entry) => ({ ...entry, ...change }));
  }
  const entry = { ...newEntry({ type, id: null, turn: event.turn }), ...change };
  return append(registry, entry, refPrefix(type, { draft: true }));
}

/** Rows that point at something dropped are no longer held: read again, they name it anew. */
function applyCuration(
  registry: Registry,
  { curation, turn }: EventOf<"curated">,
  types: readonly EntityType[],
): Registry {
  if (curation.clearAll)
    return { ...EMPTY_REGISTRY, counters: registry.counters, journalSeen: registry.journalSeen };
  const retained = reasonByRef(curation.retain);
  const demoted = reasonByRef(curation.demote);
  const restored = reasonByRef(curation.restore);
  const entries = registry.entries
    .filter((entry) => !curation.drop.includes(entry.ref))
    .map((entry) => withoutDangling(entry, curation.drop))
    .map((entry) => retain(entry, retained.get(entry.ref)))
    .map((entry) => demote(entry, turn, demoted.get(entry.ref)))
    .map((entry) => (restored.has(entry.ref) ? restore(entry, turn) : entry));
  const restoring = curation.restore.map(({ ref }) => ref);
  const touching = [...curation.demote.map(({ ref }) => ref), ...restoring];
  const touched = touchChoices({ ...registry, entries }, { refs: touching, turn, types });
  return closeEmptyChoices(restoreToChoices(touched, restoring, turn));
}

function retain(entry: RegistryEntry, reason: string | undefined): RegistryEntry {
  return reason === undefined || entry.action === "deleted"
    ? entry
    : { ...entry, retention: reason };
}

function demote(entry: RegistryEntry, turn: number, reason: string | undefined): RegistryEntry {
  if (reason === undefined) return entry;
  return { ...entry, demotion: { turn, reason }, retention: null };
}

function restore(entry: RegistryEntry, turn: number): RegistryEntry {
  return { ...entry, demotion: null, restoredTurn: turn, referencedTurn: turn };
}

function withoutDangling(entry: RegistryEntry, dropped: readonly string[]): RegistryEntry {
  const { row } = entry;
  if (row === null || isUnsavedDraft(entry)) return entry;
  return dropped.some((ref) => mentions(row, ref)) ? withoutRow(entry) : entry;
}

/** Two or more entities of one type are a list to refer to by position, and whatever is numbered; one that is named beside is none. */
function applyListed(registry: Registry, event: EventOf<"listed">): Registry {
  const { refs, beside = [], isNumbered = false, turn } = event;
  const entries = refs.flatMap((ref) => findEntry(registry, ref) ?? []);
  const kinds = Map.groupBy(entries, ({ type }) => type);
  const isList = isNumbered || [...kinds.values()].some((own) => own.length > 1);
  const shown = isNumbered ? refs : entries.map(({ ref }) => ref);
  return {
    ...changeEach(registry, [...refs, ...beside], (entry) => touched(entry, turn)),
    listed: isList ? shown : registry.listed,
  };
}

interface ReasonedRef {
  readonly ref: string;
  readonly reason: string;
}

function reasonByRef(decisions: readonly ReasonedRef[]): ReadonlyMap<string, string> {
  return new Map(decisions.map(({ ref, reason }) => [ref, reason]));
}

/** Restores an entry under its old ref, without its row; one still present, or whose row has another ref by now, stays as it is. */
function applyRecalled(registry: Registry, event: EventOf<"recalled">): Registry {
  const { entry } = event;
  const { id, type } = entry;
  const isKnown = id !== null && findEntryForRow(registry, { type, id }) !== undefined;
  if (isKnown || findEntry(registry, entry.ref) !== undefined) return registry;
  const back = isUnsavedDraft(entry) ? entry : withoutRow(entry);
  const parsed = parseRef(entry.ref);
  return {
    ...registry,
    entries: [...registry.entries, { ...back, referencedTurn: event.turn }],
    counters: parsed === null ? registry.counters : raised(registry, parsed.prefix, parsed.number),
  };
}

/** Named: a linked entity becomes one that the person or the plan spoke of. */
function named(entry: RegistryEntry, turn: number): RegistryEntry {
  const next = touched(entry, turn);
  return entry.action === "linked" ? { ...next, action: "mentioned" } : next;
}

/** Naming something in order to exclude it does not count as a reference. */
function touched(entry: RegistryEntry, turn: number): RegistryEntry {
  return entry.demotion?.turn === turn ? entry : { ...entry, referencedTurn: turn };
}

interface MetRow {
  readonly type: EntityType;
  readonly id: string;
  readonly turn: number;
}

function meet(registry: Registry, row: MetRow): Registry {
  if (findEntryForRow(registry, { type: row.type.type, id: row.id }) === undefined) {
    return append(registry, newEntry(row), refPrefix(row.type, { draft: false }));
  }
  return changeRow(registry, row, (entry) => ({ ...entry, referencedTurn: row.turn }));
}

interface NewRow {
  readonly type: EntityType;
  readonly id: string | null;
  readonly turn: number;
}

function newEntry(row: NewRow): Omit<RegistryEntry, "ref"> {
  return {
    type: row.type.type,
    id: row.id,
    label: row.type.words.one,
    facts: "",
    action: "read",
    byUser: false,
    detail: "none",
    createdTurn: row.turn,
    referencedTurn: row.turn,
    readTurn: null,
    retention: null,
    demotion: null,
    restoredTurn: null,
    row: null,
    rowVersion: null,
  };
}

/** Adds an entry under the next ref of the prefix. */
function append(registry: Registry, entry: Omit<RegistryEntry, "ref">, prefix: string): Registry {
  const number = lastNumber(registry, prefix) + 1;
  return {
    ...registry,
    entries: [...registry.entries, { ref: `${prefix}_${number}`, ...entry }],
    counters: raised(registry, prefix, number),
  };
}

function lastNumber(registry: Registry, prefix: string): number {
  return registry.counters.find((counter) => counter.prefix === prefix)?.last ?? 0;
}

function raised(registry: Registry, prefix: string, number: number): Registry["counters"] {
  const last = Math.max(number, lastNumber(registry, prefix));
  if (!registry.counters.some((counter) => counter.prefix === prefix)) {
    return [...registry.counters, { prefix, last }];
  }
  return registry.counters.map((counter) =>
    counter.prefix === prefix ? { prefix, last } : counter,
  );
}

function changeEach(
  registry: Registry,
  refs: readonly string[],
  change: (entry: RegistryEntry) => RegistryEntry,
): Registry {
  const wanted = new Set(refs);
  return {
    ...registry,
    entries: registry.entries.map((entry) => (wanted.has(entry.ref) ? change(entry) : entry)),
  };
}

interface RowKey {
  readonly type: EntityType;
  readonly id: string;
}

function changeRow(
  registry: Registry,
  row: RowKey,
  change: (entry: RegistryEntry) => RegistryEntry,
): Registry {
  const index = registry.entries.findIndex(
    (entry) => entry.id === row.id && entry.type === row.type.type,
  );
  const entry = registry.entries[index];
  return entry === undefined
    ? registry
    : { ...registry, entries: registry.entries.with(index, change(entry)) };
}

/** Reads label and facts from the translated values, so that neither can contain a foreign id. */
function readContent(registry: Registry, values: JsonObject, type: EntityType): Content {
  const row = rowWithRefs(values, {
    type,
    findRef: (name, id) => findEntryForRow(registry, { type: name, id })?.ref ?? null,
  });
  return { row, label: type.label(row) || type.words.one, facts: renderFacts(type, row) };
}
