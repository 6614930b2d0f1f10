import type { Registry } from "../state/registry.ts";
import { UnknownRefError, type RefBook } from "../state/tool.ts";
import { findEntry, findEntryForRow, isUnsavedDraft } from "./entries.ts";
import { nearRefs } from "./refs.ts";

/** Number of known refs that an error suggests. */
const NEAR_LIMIT = 5;

/**
 * The registry as tools see it. A demoted entity can still be asked for; a deleted one cannot.
 *
 * Contract: `resolve` throws `UnknownRefError` for every ref that stands for nothing that exists.
 */
export function createRefBook(registry: Registry): RefBook {
  return {
    resolve(ref) {
      const entry = findEntry(registry, ref);
      if (entry === undefined) throw new UnknownRefError(ref, nearRefs(registry, ref, NEAR_LIMIT));
      if (entry.action === "deleted") {
        const near = nearRefs(registry, ref, NEAR_LIMIT);
        throw new UnknownRefError(ref, near, { deleted: entry.label });
      }
      const draft = isUnsavedDraft(entry) ? entry.row : null;
      return { type: entry.type, id: entry.id, label: entry.label, draft };
    },
    find(ref) {
      const entry = findEntry(registry, ref);
      return entry === undefined ? null : { type: entry.type, id: entry.id };
    },
    refFor(type, id) {
      return findEntryForRow(registry, { type, id })?.ref ?? null;
    },
    held(type, id) {
      const entry = findEntryForRow(registry, { type, id });
      if (entry === undefined || entry.row === null || entry.rowVersion === null) return null;
      return { ref: entry.ref, rowVersion: entry.rowVersion, detail: entry.detail };
    },
  };
}
