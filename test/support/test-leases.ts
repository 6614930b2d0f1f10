import type { LeaseClaim } from "../../state/store.ts";
import { acquireLease } from "../../storage/conversations/leases.ts";
import type { TestDatabase } from "./database.ts";

/** Takes the thread's lease for a minute. */
export async function takeLease(
  { pool }: Pick<TestDatabase, "pool">,
  threadId: string,
  owner = "me",
): Promise<LeaseClaim> {
  const lease = await acquireLease(pool, { threadId, owner, ttlMs: 60_000 });
  if (lease === null) throw new Error(`Cannot take the lease of "${threadId}": another holds it`);
  return { owner, fence: lease.fence };
}

/** Ends the thread's lease a second ago, or in some seconds, by the database's clock. */
export async function expireLease(
  { owner }: Pick<TestDatabase, "owner">,
  threadId: string,
  seconds = -1,
): Promise<void> {
  await owner.query(
    "update leases set expires_at = clock_timestamp() + $2 * interval '1 second' where thread_id = $1",
    [threadId, seconds],
  );
}

/** Gives the thread's lease to another owner. */
export async function loseLease(database: TestDatabase, threadId: string): Promise<void> {
  await expireLease(database, threadId);
  await takeLease(database, threadId, "another");
}

/** Counts what the checkpointer has stored of a thread. */
export async function countCheckpointRows({ owner }: TestDatabase, threadId: string) {
  const { rows } = await owner.query<{ checkpoints: number; blobs: number; writes: number }>(
    `select (select count(*) from checkpoints where thread_id = $1) as checkpoints,
            (select count(*) from checkpoint_blobs where thread_id = $1) as blobs,
            (select count(*) from checkpoint_writes where thread_id = $1) as writes`,
    [threadId],
  );
  return rows[0] ?? { checkpoints: 0, blobs: 0, writes: 0 };
}
