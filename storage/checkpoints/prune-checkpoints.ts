import { z } from "zod";
import type { LeaseClaim, Queryable } from "../../state/store.ts";
import { lockLease } from "./checkpoint-statements.ts";
import { LeaseLostError } from "../conversations/leases.ts";

export interface PruneRequest {
  readonly threadId: string;
  readonly keep: number;
  /** With a claim, nothing is deleted unless its lease is held. */
  readonly lease: LeaseClaim | null;
}

/** Deletes a thread's checkpoints but the newest `keep`; see `PostgresCheckpointer.prune`. */
export async function pruneCheckpoints(db: Queryable, request: PruneRequest): Promise<number> {
  return pruneBefore(db, request, "true");
}

/** Deletes a thread's checkpoints before the `keep`-th newest input. */
export async function pruneTurnsBefore(db: Queryable, request: PruneRequest): Promise<number> {
  return pruneBefore(db, request, "metadata ->> 'source' = 'input'");
}

const OutcomeRow = z.object({ count: z.number().int(), allowed: z.boolean() });

/**
 * Deletes checkpoints; `counted` is the SQL condition of those that `keep` counts.
 *
 * Checkpoint ids rise with time, in subgraphs as well: what a subgraph stored before the oldest kept
 * checkpoint of the graph belongs to finished steps.
 */
async function pruneBefore(
  db: Queryable,
  { threadId, keep, lease }: PruneRequest,
  counted: string,
): Promise<number> {
  if (!Number.isInteger(keep) || keep < 1)
    throw new RangeError(`Cannot keep ${keep}: keep at least 1`);
  const { rows } = await db.query(
    `with ${lockLease(3)},
     oldest as materialized (
       select checkpoint_id as id from checkpoints
        where thread_id = $1 and checkpoint_ns = '' and ${counted} and exists (select from lease)
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
     select count(*) as count, exists (select from lease) as allowed from deleted`,
    [threadId, keep - 1, lease?.owner, lease?.fence],
  );
  const outcome = OutcomeRow.parse(rows[0]);
  if (!outcome.allowed) throw new LeaseLostError(threadId);
  return outcome.count;
}
