import type { RowIdentity } from "../state/entity.ts";
import type { Registry, RegistryEntry } from "../state/registry.ts";

/** Finds the entry of a ref; undefined when the registry has none. */
export function findEntry(registry: Registry, ref: string): RegistryEntry | undefined {
  return registry.entries.find((entry) => entry.ref === ref);
}

/** The entry of a row; undefined where the thread has not met it. */
export function findEntryForRow(registry: Registry, row: RowIdentity): RegistryEntry | undefined {
  return registry.entries.find((entry) => entry.id === row.id && entry.type === row.type);
}

/** The entry of what began as a draft and is, or was, saved as a row. */
export function findDraftForRow(registry: Registry, row: RowIdentity): RegistryEntry | undefined {
  return registry.entries.find((entry) => entry.savedAs === row.id && entry.type === row.type);
}

/** Returns true for generated content that is not saved and exists only in the registry. */
export function isUnsavedDraft(entry: RegistryEntry): boolean {
  return entry.id === null && entry.action !== "deleted";
}

/** Returns true when the entity still exists and has not been excluded. */
export function isInPlay(entry: RegistryEntry): boolean {
  return entry.action !== "deleted" && entry.demotion === null;
}

/** The entry with its row let go: reading it again is a real read. */
export function withoutRow(entry: RegistryEntry): RegistryEntry {
  return entry.row === null ? entry : { ...entry, row: null, rowVersion: null, detail: "none" };
}

/** A registry that knows nothing. */
export const EMPTY_REGISTRY: Registry = {
  entries: [],
  counters: [],
  listed: [],
  choices: [],
  journalSeen: null,
};
