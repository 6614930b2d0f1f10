import type { Queryable } from "../../state/store.ts";
import { holdIdle } from "./idle-threads.ts";
import { lockThread } from "./thread-records.ts";

/** Tables with rows of a thread; a run's events are deleted with the run. */
export const THREAD_TABLES = [
  "inbox",
  "runs",
  "turns",
  "registry_refs",
  "batches",
  "journeys",
  // Their keys begin with the thread's id: a new thread with the same id must not find them.
  "effects",
  "checkpoints",
  "checkpoint_blobs",
  "checkpoint_writes",
  "leases",
  "threads",
] as const;

/** Outcome of deleting: `busy` while a run is under way, with nothing deleted; `absent` if the user has no such thread. */
export type ThreadDeletion = "deleted" | "busy" | "absent";

/**
 * Deletes a thread of the user whom `tx` carries, with all its rows. Rows of the domain are kept: they
 * belong to the user.
 */
export async function deleteThread(tx: Queryable, threadId: string): Promise<ThreadDeletion> {
  if (!(await lockThread(tx, threadId))) return "absent";
  if (!(await holdIdle(tx, [threadId]))) return "busy";
  await deleteThreadRows(tx, [threadId]);
  return "deleted";
}

/** Deletes all rows of idle threads of the user. */
export async function deleteThreadRows(tx: Queryable, threadIds: readonly string[]): Promise<void> {
  const deletions = THREAD_TABLES.map(
    (table) => `${table}_gone as (delete from ${table} where thread_id = any($1::text[]))`,
  );
  await tx.query(`with ${deletions.join(", ")} select`, [threadIds]);
}
