import type { Queryable } from "../../state/store.ts";

/**
 * Locks threads of the user whom `tx` carries until the transaction ends, and returns true if all are
 * idle: no unfinished run, and no process that holds the lease (a turn of the terminal has no run).
 * No run begins while they are locked.
 */
export async function holdIdle(tx: Queryable, threadIds: readonly string[]): Promise<boolean> {
  await tx.query(
    "select from threads where thread_id = any($1::text[]) order by thread_id for update",
    [threadIds],
  );
  const leases = await tx.query(
    `select owner is not null and expires_at > clock_timestamp() as held from leases
      where thread_id = any($1::text[]) order by thread_id for update`,
    [threadIds],
  );
  const runs = await tx.query(
    "select from runs where thread_id = any($1::text[]) and finished_at is null limit 1",
    [threadIds],
  );
  return runs.rows.length === 0 && leases.rows.every((row) => row["held"] === false);
}
