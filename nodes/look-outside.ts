import { applyEvent, foldRegistry } from "../registry/apply-event.ts";
import { findEntryForRow } from "../registry/entries.ts";
import type { Domain } from "../state/domain.ts";
import { rowKey, type EntityRow } from "../state/entity.ts";
import type { Registry, RegistryEntry, RegistryEvent } from "../state/registry.ts";
import type { WantedRows } from "../state/store.ts";
import type { TurnContext, TurnState } from "../state/turn.ts";
import { viewOutsideChanges } from "../registry/view-outside-changes.ts";
import type { NodeIO, NodeServices } from "./node.ts";

type OutsideServices = Pick<NodeServices, "data" | "domain" | "limits">;

/**
 * Looks, before a model is asked, for known rows that something outside the conversation has changed
 * since its last turn. Returns the registry events of what it found.
 */
export async function lookOutside(
  { registry, turn }: Pick<TurnState, "registry" | "turn">,
  { userId, threadId }: Pick<TurnContext, "userId" | "threadId">,
  services: OutsideServices,
): Promise<RegistryEvent[]> {
  const { data, domain, limits } = services;
  if (domain.entityTypes.length === 0) return [];
  const known = listKnownRows(registry, limits.checkedRows);
  const { seen, changes } = await data.findOutsideChanges(userId, {
    threadId,
    since: registry.journalSeen,
    rows: groupByType(known),
  });
  const looked: RegistryEvent = { kind: "looked", turn, seen };
  if (changes.length === 0) return [looked];
  const present = changes.filter(({ action }) => action === "updated");
  const rows = await fetchPresent(present, { userId, data });
  const entries = new Map(known.map((entry) => [rowKey(entry.type, entry.id ?? ""), entry]));
  const events = changes.flatMap(({ type, id, who }): RegistryEvent[] => {
    const place = rowKey(type, id);
    const entry = entries.get(place);
    if (entry === undefined) return [];
    const row = rows.get(place) ?? null;
    const event = { kind: "outside", turn, type, id, row, who, before: entry.label } as const;
    return isKnown(event, registry, domain) ? [] : [event];
  });
  return [looked, ...events];
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

/** The rows that were spoken of last, up to a number. */
function listKnownRows({ entries }: Registry, most: number): RegistryEntry[] {
  return entries
    .filter(({ id, action }) => id !== null && action !== "deleted")
    .toSorted((a, b) => b.referencedTurn - a.referencedTurn)
    .slice(0, most);
}

function groupByType(
  rows: readonly { readonly type: string; readonly id: string | null }[],
): WantedRows[] {
  const byType = Map.groupBy(rows, ({ type }) => type);
  return [...byType].map(([type, own]) => ({ type, ids: own.flatMap(({ id }) => id ?? []) }));
}

/** The rows that are still there, by type and key; a changed one that is gone by now is left out. */
async function fetchPresent(
  changed: readonly { readonly type: string; readonly id: string }[],
  { userId, data }: { readonly userId: string; readonly data: NodeServices["data"] },
): Promise<ReadonlyMap<string, EntityRow>> {
  if (changed.length === 0) return new Map();
  const { reads } = await data.fetchRows(userId, groupByType(changed), "summary");
  return new Map(
    reads.flatMap(({ type, rows }) =>
      rows.map((row): [string, EntityRow] => [rowKey(type, row.id), row]),
    ),
  );
}
