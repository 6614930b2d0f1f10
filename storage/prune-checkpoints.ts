import { z } from "zod";
import type { Queryable } from "../state/store.ts";

/** Deletes a thread's checkpoints but the newest `keep`; see `PostgresCheckpointer.prune`. */
export async function pruneCheckpoints(
  db: Queryable,
  { threadId, keep }: { threadId: string; keep: number },
): Promise<number> {
  return pruneBefore(db, { threadId, keep, counted: "true" });
}

/** The same by turns: keeps the checkpoints since the `keep`-th newest input. */
export async function pruneTurnsBefore(
  db: Queryable,
  { threadId, keep }: { threadId: string; keep: number },
): Promise<number> {
  return pruneBefore(db, { threadId, keep, counted: "metadata ->> 'source' = 'input'" });
}

const CountRow = z.object({ count: z.number().int() });

/**
 * `counted` is the SQL condition of the graph's checkpoints that `keep` counts.
 *
 * Checkpoint ids rise with time, in subgraphs as well: what a subgraph stored before the oldest
 * kept checkpoint of the graph belongs to steps that are over.
 */
async function pruneBefore(
  db: Queryable,
  { threadId, keep, counted }: { threadId: string; keep: number; counted: string },
): Promise<number> {
  if (!Number.isInteger(keep) || keep < 1)
    throw new RangeError(`Cannot keep ${keep}: keep at least 1`);
  const { rows } = await db.query(
    `with oldest as materialized (
       select checkpoint_id as id from checkpoints
        where thread_id = $1 and checkpoint_ns = '' and ${counted}
        order by checkpoint_id desc offset $2 limit 1),
     kept as materialized (
       select checkpoint_ns, checkpoint_id, checkpoint -> 'channel_versions' as versions
         from checkpoints, oldest
        where thread_id = $1 and checkpoint_id >= oldest.id),
     kept_values as materialized (
       select distinct checkpoint_ns, value.key as channel, value.value as version
         from kept, jsonb_each_text(kept.versions) as value),
     deleted as (
       delete from checkpoints using oldest
        where thread_id = $1 and checkpoint_id < oldest.id returning 1),
     deleted_writes as (
       delete from checkpoint_writes as writes using oldest
        where writes.thread_id = $1
          and not exists (select from kept
                           where kept.checkpoint_ns = writes.checkpoint_ns
                             and kept.checkpoint_id = writes.checkpoint_id)),
     deleted_values as (
       delete from checkpoint_blobs as blobs using oldest
        where blobs.thread_id = $1
          and not exists (select from kept_values as kept
                           where kept.checkpoint_ns = blobs.checkpoint_ns
                             and kept.channel = blobs.channel and kept.version = blobs.version))
     select count(*) as count from deleted`,
    [threadId, keep - 1],
  );
  return CountRow.parse(rows[0]).count;
}
