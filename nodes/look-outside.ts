import { applyEvent, foldRegistry } from "../registry/apply-event.ts";
import { findEntryForRow, isUnsavedDraft } from "../registry/entries.ts";
import type { Domain } from "../state/domain.ts";
import { rowKey, type EntityRow } from "../state/entity.ts";
import type { Registry, RegistryEntry, RegistryEvent } from "../state/registry.ts";
import type { OutsideRow, WantedRows } from "../state/store.ts";
import type { TurnContext, TurnState } from "../state/turn.ts";
import { viewOutsideChanges } from "../registry/view-outside-changes.ts";
import type { NodeIO, NodeServices } from "./node.ts";
import { refsInJson } from "./reply/refs-in-text.ts";

type OutsideServices = Pick<NodeServices, "data" | "domain" | "limits">;

/**
 * Looks, before a model is asked, for known rows that something outside the conversation has changed
 * since its last turn. Returns the registry events of what it found. What can be chosen, what was listed
 * last and what drafts point at is always checked; of the rest the rows spoken of last, up to
 * `checkedRows`. Rows that are passed over keep the place from which they are to be checked.
 */
export async function lookOutside(
  { registry, turn }: Pick<TurnState, "registry" | "turn">,
  reader: Pick<TurnContext, "userId" | "threadId">,
  services: OutsideServices,
): Promise<RegistryEvent[]> {
  const { domain, limits } = services;
  if (domain.entityTypes.length === 0) return [];
  const rows = listRowsToCheck(registry, limits.checkedRows);
  const { seen, events } = await findChanges({ registry, turn, rows }, reader, services);
  const checked = new Set(rows.map(({ ref }) => ref));
  const before = new Map(registry.unchecked?.map(({ ref, since }) => [ref, since]));
  const unchecked = registry.entries
    .filter((entry) => isStored(entry) && !checked.has(entry.ref))
    .map(({ ref }) => ({ ref, since: before.get(ref) ?? registry.journalSeen ?? seen }));
  const looked: RegistryEvent = { kind: "looked", turn, seen };
  return [unchecked.length === 0 ? looked : { ...looked, unchecked }, ...events];
}

interface LateLook extends Pick<TurnState, "registry" | "turn"> {
  /** Refs that the message has turned out to be about. */
  readonly refs: readonly string[];
}

/**
 * Looks for changes of rows that a message speaks of and that the turn's first look has passed over.
 * Returns no event where it has passed over none of them.
 */
export async function lookAgain(
  { registry, turn, refs }: LateLook,
  reader: Pick<TurnContext, "userId" | "threadId">,
  services: OutsideServices,
): Promise<RegistryEvent[]> {
  const { unchecked = [], journalSeen } = registry;
  const wanted = new Set(unchecked.map(({ ref }) => ref).filter((ref) => refs.includes(ref)));
  if (wanted.size === 0 || journalSeen === null) return [];
  const rows = registry.entries.filter((entry) => wanted.has(entry.ref) && isStored(entry));
  const { events } = await findChanges({ registry, turn, rows }, reader, services);
  const rest = unchecked.filter(({ ref }) => !wanted.has(ref));
  // The place stays: the other rows were looked at from there.
  return [{ kind: "looked", turn, seen: journalSeen, unchecked: rest }, ...events];
}

interface Look extends Pick<TurnState, "registry" | "turn"> {
  readonly rows: readonly RegistryEntry[];
}

/** Finds the changes of rows since each was checked last; what is read twice is left out by its content. */
async function findChanges(
  { registry, turn, rows: known }: Look,
  { userId, threadId }: Pick<TurnContext, "userId" | "threadId">,
  { data, domain }: OutsideServices,
): Promise<{ readonly seen: string; readonly events: RegistryEvent[] }> {
  const checked = new Set(known.map(({ ref }) => ref));
  const places = (registry.unchecked ?? []).flatMap(({ ref, since }) =>
    checked.has(ref) ? [since] : [],
  );
  const { seen, changes } = await data.findOutsideChanges(userId, {
    threadId,
    since: findEarliest(registry.journalSeen, places),
    rows: groupByType(known),
  });
  const present = changes.filter(({ action }) => action === "updated");
  const rows = await fetchPresent(present, { userId, data });
  const entries = new Map(known.map((entry) => [rowKey(entry.type, entry.id ?? ""), entry]));
  const events = changes.flatMap(({ type, id, who }): RegistryEvent[] => {
    const place = rowKey(type, id);
    const entry = entries.get(place);
    if (entry === undefined) return [];
    const row = rows.get(place) ?? null;
    const event = { kind: "outside", turn, type, id, row, who, before: entry.label } as const;
    if (entry.action === "deleted") return row === null ? [] : [{ ...event, isBack: true }];
    return isKnown(event, registry, domain) ? [] : [event];
  });
  return { seen, events };
}

/** The earliest of places in the journal, which are whole numbers of any length. */
function findEarliest(seen: string | null, places: readonly string[]): string | null {
  if (seen === null) return null;
  return places.reduce((first, place) => (BigInt(place) < BigInt(first) ? place : first), seen);
}

/** Returns true for a row that is held as it is, or of which no visible part has changed. */
function isKnown(
  event: Extract<RegistryEvent, { kind: "outside" }>,
  registry: Registry,
  { entityTypes }: Pick<Domain, "entityTypes">,
): boolean {
  const { row, type, id } = event;
  if (row === null) return false;
  const before = findEntryForRow(registry, { type, id });
  if (before?.row != null) return before.rowVersion === row.rowVersion;
  const after = findEntryForRow(applyEvent(registry, event, entityTypes), { type, id });
  return before?.label === after?.label && before?.facts === after?.facts;
}

/** Reports the changes to the clients of the turn. */
export function emitOutside(
  state: Pick<TurnState, "registry" | "registryEvents" | "turn">,
  { domain }: Pick<NodeServices, "domain">,
  io: NodeIO,
): void {
  const registry = foldRegistry(state.registry, state.registryEvents, domain.entityTypes);
  const changes = viewOutsideChanges(registry, state.registryEvents);
  if (changes.length === 0) return;
  io.emit({
    type: "outside",
    changes: changes.map(({ action, who, text }) => ({ action, who, text })),
  });
}

/** The rows that are in view, deleted ones too, which may come back; after them those that were spoken of last, up to a number. */
function listRowsToCheck(registry: Registry, most: number): RegistryEntry[] {
  const inView = listRefsInView(registry);
  const first = registry.entries.filter(({ ref, id }) => id !== null && inView.has(ref));
  const rest = registry.entries
    .filter((entry) => isStored(entry) && !inView.has(entry.ref))
    .toSorted((a, b) => b.referencedTurn - a.referencedTurn);
  return [...first, ...rest.slice(0, Math.max(0, most - first.length))];
}

/** The refs of open choices and of the list shown last, and those that drafts point at. */
function listRefsInView({ entries, choices, listed }: Registry): ReadonlySet<string> {
  const drafts = entries.filter(isUnsavedDraft).flatMap(({ row }) => (row === null ? [] : [row]));
  const known = new Set(entries.map(({ ref }) => ref));
  const pointedAt = refsInJson(drafts).filter((ref) => known.has(ref));
  return new Set([...choices.flatMap(({ refs }) => refs), ...listed, ...pointedAt]);
}

function isStored({ id, action }: RegistryEntry): boolean {
  return id !== null && action !== "deleted";
}

function groupByType(rows: readonly Pick<RegistryEntry, "type" | "id">[]): WantedRows[] {
  const byType = Map.groupBy(rows, ({ type }) => type);
  return [...byType].map(([type, own]) => ({ type, ids: own.flatMap(({ id }) => id ?? []) }));
}

/** The person, and the rows of their data. */
interface PresentRows {
  readonly userId: string;
  readonly data: NodeServices["data"];
}

/** The rows that are still there, by type and key; a changed one that is gone by now is left out. */
async function fetchPresent(
  changed: readonly Pick<OutsideRow, "type" | "id">[],
  { userId, data }: PresentRows,
): Promise<ReadonlyMap<string, EntityRow>> {
  if (changed.length === 0) return new Map();
  const { reads } = await data.fetchRows(userId, groupByType(changed), "summary");
  return new Map(
    reads.flatMap(({ type, rows }) =>
      rows.map((row): [string, EntityRow] => [rowKey(type, row.id), row]),
    ),
  );
}
