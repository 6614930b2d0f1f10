import { rowKey, type EntityRow } from "../state/entity.ts";
import type { Registry, RegistryEvent } from "../state/registry.ts";
import type { ToolOutcome, ToolRead } from "../state/tool.ts";
import { findEntryForRow } from "./entries.ts";

type OutcomeRows = Pick<ToolOutcome, "reads" | "writes" | "listed" | "linked">;

/**
 * Converts the outcome of a tool call into registry events.
 *
 * Contract: rows that were asked for are numbered before rows that their lists show, and these before
 * rows that are merely pointed at; every row that another points at is known before that other is
 * stored, so no foreign id stays untranslated.
 */
export function toRegistryEvents(
  outcome: OutcomeRows,
  options: { readonly turn: number },
): RegistryEvent[] {
  const { turn } = options;
  const { listed } = outcome;
  const linked = listPlainLinks(outcome);
  const isAlone = listed.length + linked.length === 0 && outcome.reads.length < 2;
  const early = isAlone ? [] : outcome.reads;
  return [
    ...early.map((read) => readEvent({ ...read, rows: [] }, turn)),
    ...listed.map((list) =>
      listedEvent({ ...list, ids: list.rows.map(({ id }) => id), rows: [] }, turn),
    ),
    ...linked.map(({ type, rows }): RegistryEvent => ({ kind: "linked", turn, type, rows })),
    ...listed.map((list) => listedEvent({ ...list, ids: [] }, turn)),
    ...outcome.reads.map((read) => readEvent(read, turn)),
    ...outcome.writes.map(({ type, action, row, draft }): RegistryEvent => ({
      kind: "written",
      turn,
      type,
      action,
      row,
      draft,
      byUser: false,
    })),
  ];
}

/** Returns the refs of rows, in their order; rows unknown to the registry are left out. */
export function findOutcomeRefs(
  registry: Registry,
  type: string,
  ids: readonly string[],
): string[] {
  return ids.flatMap((id) => findEntryForRow(registry, { type, id })?.ref ?? []);
}

function readEvent(read: ToolRead, turn: number): Extract<RegistryEvent, { kind: "read" }> {
  const { type, ids, rows, detail } = read;
  return { kind: "read", turn, type, ids, rows, detail };
}

/** Rows of a list are read with it, as far as a summary goes. */
function listedEvent(list: Pick<ToolRead, "type" | "ids" | "rows">, turn: number): RegistryEvent {
  return readEvent(
    { ...list, detail: "summary", total: list.rows.length, suppressed: false },
    turn,
  );
}

/** Rows that are listed or written themselves need no link. */
function listPlainLinks(outcome: OutcomeRows): { type: string; rows: EntityRow[] }[] {
  const own = new Set([
    ...outcome.listed.flatMap(({ type, rows }) => rows.map(({ id }) => rowKey(type, id))),
    ...outcome.writes.map((write) => rowKey(write.type, write.row.id)),
  ]);
  return outcome.linked
    .map(({ type, rows }) => ({ type, rows: rows.filter((row) => !own.has(rowKey(type, row.id))) }))
    .filter((link) => link.rows.length > 0);
}
