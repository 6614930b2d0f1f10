import type { EntityRow } from "../../state/entity.ts";
import type { JsonObject } from "../../state/json.ts";
import type { Curation, Registry, RegistryEvent } from "../../state/registry.ts";
import type { ToolRead } from "../../state/tool.ts";
import { foldRegistry } from "../../registry/apply-event.ts";
import { EMPTY_REGISTRY } from "../../registry/entries.ts";
import { toId } from "./arbitraries.ts";
import { testTypes } from "./entity-types.ts";
import { makeCuration } from "./turn-state.ts";

type EventOf<Kind extends RegistryEvent["kind"]> = Extract<RegistryEvent, { kind: Kind }>;

/** The registry after those events, from nothing or from another. */
export function fold(events: readonly RegistryEvent[], from: Registry = EMPTY_REGISTRY): Registry {
  return foldRegistry(from, events, testTypes);
}

/** The n-th recipe of the test universe, at row version 1. */
export function recipeRow(index: number, values: JsonObject): EntityRow {
  return { id: toId("recipe", index), rowVersion: 1, values };
}

/** A read of recipes with those names, rows 0, 1, 2 and so on, at summary detail. */
export function readRecipes(turn: number, names: readonly string[]): EventOf<"read"> {
  const rows = names.map((name, index) => recipeRow(index, { name }));
  const ids = rows.map((row) => row.id);
  return { kind: "read", turn, type: "recipe", ids, rows, detail: "summary" };
}

/** A read of that many items, `item 1` and on, in the pantry. */
export function readItems(turn: number, count: number): EventOf<"read"> {
  const rows = Array.from({ length: count }, (_, index) => ({
    id: toId("item", index),
    rowVersion: 1,
    values: { name: `item ${index + 1}`, quantity: index + 1, location: "pantry" },
  }));
  const ids = rows.map((row) => row.id);
  return { kind: "read", turn, type: "item", ids, rows, detail: "summary" };
}

/** The result of a tool that read those rows, at summary detail. */
export function toolRead(type: string, rows: EntityRow[]): ToolRead {
  const ids = rows.map((row) => row.id);
  return { type, ids, rows, detail: "summary", total: ids.length, suppressed: false };
}

/** Rows of that type that something points at. */
export function linked(turn: number, type: string, rows: EntityRow[]): EventOf<"linked"> {
  return { kind: "linked", turn, type, rows };
}

/** A recipe draft, new or changed. */
export function drafted(turn: number, ref: string | null, content: JsonObject): EventOf<"drafted"> {
  return { kind: "drafted", turn, type: "recipe", ref, content };
}

/** A recipe that was written; created unless said otherwise. */
export function written(
  turn: number,
  write: Pick<EventOf<"written">, "row"> & Partial<EventOf<"written">>,
): EventOf<"written"> {
  return {
    kind: "written",
    turn,
    type: "recipe",
    action: "created",
    draft: null,
    byUser: false,
    ...write,
  };
}

/** Decisions of Understand; what is not given is not decided. */
export function curated(turn: number, curation: Partial<Curation>): EventOf<"curated"> {
  return { kind: "curated", turn, curation: { ...NO_CURATION, ...curation } };
}

/** Nothing decided. */
export const NO_CURATION: Curation = makeCuration();

/** Every entity as "ref label", in order. */
export function refsAndLabels(registry: Registry): string[] {
  return registry.entries.map((entry) => `${entry.ref} ${entry.label}`);
}
