import type { JsonObject } from "../../state/json.ts";
import type { JournalRow } from "./read-journal.ts";

/** A row as it was before the first and is after the last of its changes. */
export interface NetRow {
  readonly table: string;
  readonly key: string;
  /** Null where it did not exist. */
  readonly before: JsonObject | null;
  readonly after: JsonObject | null;
  /** False where nothing but its version and time changed. */
  readonly isChanged: boolean;
  /** True where only foreign keys and triggers changed it. */
  readonly follows: boolean;
}

/** Folds journal rows into one net change a row, in the order of their first change; a row that came and went is left out. Pure. */
export function foldJournal(journal: readonly JournalRow[]): readonly NetRow[] {
  const rows = new Map<string, NetRow>();
  for (const { table, key, action, before, after, follows } of journal) {
    const place = `${table}\n${key}`;
    const earlier = rows.get(place);
    const isReal = action !== "touch";
    rows.set(place, {
      table,
      key,
      before: earlier === undefined ? before : earlier.before,
      after,
      isChanged: isReal || earlier?.isChanged === true,
      follows: (earlier?.follows ?? true) && (follows || !isReal),
    });
  }
  return [...rows.values()].filter((row) => row.before !== null || row.after !== null);
}
