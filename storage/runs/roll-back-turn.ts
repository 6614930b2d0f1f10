import { z } from "zod";
import { markNewestBranch } from "../conversations/archive-rows.ts";
import type { Queryable } from "../../state/store.ts";

/** A turn to roll back. `begun` is null if none was begun. */
export interface UndoneTurn {
  readonly threadId: string;
  readonly begun: { readonly turn: number; readonly runId: string } | null;
  /** Newest checkpoint before it; null if there was none. */
  readonly baseCheckpointId: string | null;
}

/** Checks that the state before a turn exists. `tx` carries the user, here and below. */
export async function mayRollBack(tx: Queryable, undone: UndoneTurn): Promise<boolean> {
  const { threadId, baseCheckpointId } = undone;
  const { rows } = await tx.query(
    `select $2::text is null
         or exists (select from checkpoints
                     where thread_id = $1 and checkpoint_ns = '' and checkpoint_id = $2) as may`,
    [threadId, baseCheckpointId],
  );
  return z.boolean().parse(rows[0]?.["may"]);
}

/** Lists the effects of a turn that have changed something and are in force: they are to be undone before it is rolled back. */
export async function listEffectsInForce(
  tx: Queryable,
  { threadId, begun }: UndoneTurn,
): Promise<readonly number[]> {
  if (begun === null) return [];
  const { rows } = await tx.query(
    `select effect_id from effects
      where thread_id = $1 and starts_with(key, $2) and undone_by is null
        and (final is not null
             or exists (select from journal where journal.effect_id = effects.effect_id))
      order by effect_id`,
    [threadId, `${threadId}/${begun.turn}/${begun.runId}/`],
  );
  return rows.map((row) => z.number().int().parse(row["effect_id"]));
}

/**
 * Rolls a turn back: restores the thread's state before it and removes it from the archive. To be
 * called under the thread's lease, for a turn that `mayRollBack` and has no effects in force.
 */
export async function rollBackTurn(tx: Queryable, undone: UndoneTurn): Promise<void> {
  const { threadId, begun, baseCheckpointId } = undone;
  const since = [threadId, baseCheckpointId];
  const after = "thread_id = $1 and ($2::text is null or checkpoint_id > $2)";
  await tx.query(`delete from checkpoints where ${after}`, since);
  await tx.query(`delete from checkpoint_writes where ${after}`, since);
  await tx.query(
    `delete from checkpoint_blobs as blobs
      where thread_id = $1
        and not exists
          (select from checkpoints as kept, jsonb_each_text(kept.checkpoint -> 'channel_versions') as value
            where kept.thread_id = blobs.thread_id and kept.checkpoint_ns = blobs.checkpoint_ns
              and value.key = blobs.channel and value.value = blobs.version)`,
    [threadId],
  );
  if (begun === null) return;
  const own = [threadId, begun.runId];
  await tx.query("delete from batches where thread_id = $1 and run_id = $2", own);
  // A row of a later run that left no turn would count before what the restored state knows.
  await tx.query(
    `delete from journeys
      where thread_id = $1
        and (run_id = $2
             or changed_turn >= $3
                and not exists (select from turns
                                 where turns.thread_id = journeys.thread_id
                                   and turns.run_id = journeys.run_id))`,
    [...own, begun.turn],
  );
  await tx.query("delete from wishes where thread_id = $1 and run_id = $2", own);
  const removed = await tx.query(
    "delete from turns where thread_id = $1 and run_id = $2 returning 1",
    own,
  );
  if (removed.rows.length > 0) await markNewestBranch(tx, threadId);
}
