import type { Queryable } from "../../state/store.ts";
import { holdIdle } from "./idle-threads.ts";
import { lockThread } from "./thread-records.ts";

/** Everything that is kept under a thread's name; a run's events go with it. */
export const THREAD_TABLES = [
  "inbox",
  "runs",
  "turns",
  "registry_refs",
  "batches",
  "journeys",
  // Their keys begin with the thread's name: a new thread of the same name must not find them.
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
 * Deletes a thread of the user whom `tx` carries, with everything that is kept of it. What was
 * done in it stays done: rows of the domain are the user's.
 */
export async function deleteThread(tx: Queryable, threadId: string): Promise<ThreadDeletion> {
  if (!(await lockThread(tx, threadId))) return "absent";
  if (!(await holdIdle(tx, [threadId]))) return "busy";
  await deleteThreadRows(tx, [threadId]);
  return "deleted";
}

/** Deletes all rows of threads that are the user's and rest. */
export async function deleteThreadRows(tx: Queryable, threadIds: readonly string[]): Promise<void> {
  const deletions = THREAD_TABLES.map(
    (table) => `${table}_gone as (delete from ${table} where thread_id = any($1::text[]))`,
  );
  await tx.query(`with ${deletions.join(", ")} select`, [threadIds]);
}
