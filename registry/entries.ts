import type { Registry, RegistryEntry } from "../state/registry.ts";

/** The entry of a ref; undefined where the registry has none. */
export function entryOf(registry: Registry, ref: string): RegistryEntry | undefined {
  return registry.entries.find((entry) => entry.ref === ref);
}

/** The entry of a row; undefined where the thread has not met it. */
export function entryOfRow(
  registry: Registry,
  row: { readonly type: string; readonly id: string },
): RegistryEntry | undefined {
  return registry.entries.find((entry) => entry.id === row.id && entry.type === row.type);
}

/** Generated content that is not saved: it exists nowhere but here. */
export function isUnsavedDraft(entry: RegistryEntry): boolean {
  return entry.id === null && entry.action !== "deleted";
}

/** Whether it still exists and has not been taken out of the choice. */
export function isInPlay(entry: RegistryEntry): boolean {
  return entry.action !== "deleted" && entry.demotion === null;
}

/** The entry with its row let go: reading it again is a real read. */
export function withoutRow(entry: RegistryEntry): RegistryEntry {
  return entry.row === null ? entry : { ...entry, row: null, rowVersion: null, detail: "none" };
}

/** A registry that knows nothing. */
export const EMPTY_REGISTRY: Registry = { entries: [], counters: [], listed: [] };
