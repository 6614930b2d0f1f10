import { refPrefix } from "../../registry/refs.ts";
import type { JsonObject } from "../../state/json.ts";
import type { Detail, EntityRow, EntityType } from "../../state/entity.ts";
import {
  UnknownRefError,
  type HeldRow,
  type RefBook,
  type ResolvedRef,
  type ToolOutcome,
} from "../../state/tool.ts";

interface Entry extends ResolvedRef {
  readonly held: Omit<HeldRow, "ref"> | null;
}

/** A ref book that allots refs the way the registry does, for tests of tools. */
export interface TestRefBook extends RefBook {
  /** Takes in what a tool reported and returns the refs of its rows, in order. */
  take(outcome: ToolOutcome): string[];
  /** Adds a draft and returns its ref. */
  draft(type: string, content: JsonObject): string;
  /** Forgets what is held, not the refs. */
  forget(): void;
}

/** Makes an empty ref book over the entity types. */
export function createRefBook(entityTypes: readonly EntityType[]): TestRefBook {
  const entries = new Map<string, Entry>();
  const counters = new Map<string, number>();
  const find = (type: string, id: string): string | undefined =>
    [...entries].find(([, entry]) => entry.id === id && entry.type === type)?.[0];
  const findType = (type: string): EntityType => {
    const found = entityTypes.find((candidate) => candidate.type === type);
    if (found === undefined) throw new Error(`Cannot find the entity type "${type}"`);
    return found;
  };
  const next = (prefix: string): string => {
    const number = (counters.get(prefix) ?? 0) + 1;
    counters.set(prefix, number);
    return `${prefix}_${number}`;
  };
  const hold = (type: string, row: EntityRow, detail: Detail | "deleted"): string => {
    const entityType = findType(type);
    const ref = find(type, row.id) ?? next(refPrefix(entityType, { draft: false }));
    const held = detail === "deleted" ? null : { rowVersion: row.rowVersion, detail };
    const label = entityType.label(row.values);
    entries.set(ref, { type, id: row.id, label, draft: null, held });
    return ref;
  };
  return {
    resolve(ref) {
      const entry = entries.get(ref);
      if (entry === undefined) throw new UnknownRefError(ref, [...entries.keys()].slice(0, 3));
      return { type: entry.type, id: entry.id, label: entry.label, draft: entry.draft };
    },
    find(ref) {
      const entry = entries.get(ref);
      return entry === undefined ? null : { type: entry.type, id: entry.id };
    },
    refFor(type, id) {
      return find(type, id) ?? null;
    },
    held(type, id) {
      const ref = find(type, id);
      const entry = ref === undefined ? undefined : entries.get(ref);
      if (ref === undefined || entry === undefined || entry.held === null) return null;
      return { ref, ...entry.held };
    },
    take(outcome) {
      const read = outcome.reads.flatMap(({ type, rows, ids, detail }) => {
        for (const row of rows) hold(type, row, detail);
        return ids.map((id) => find(type, id) ?? "unknown");
      });
      const written = outcome.writes.map(({ type, row, action, draft }) => {
        if (draft !== null) {
          const entry = entries.get(draft);
          if (entry !== undefined) entries.set(draft, { ...entry, id: row.id, draft: null });
        }
        return hold(type, row, action === "deleted" ? "deleted" : "full");
      });
      for (const { type, rows } of outcome.linked)
        for (const row of rows) hold(type, row, "summary");
      return [...read, ...written];
    },
    draft(type, content) {
      const entityType = findType(type);
      const ref = next(refPrefix(entityType, { draft: true }));
      const label = entityType.label(content);
      entries.set(ref, { type, id: null, label, draft: content, held: null });
      return ref;
    },
    forget() {
      for (const [ref, entry] of entries) entries.set(ref, { ...entry, held: null });
    },
  };
}
