import { z } from "zod";
import { markNewestBranch } from "../conversations/archive.ts";
import type { Queryable } from "../../state/store.ts";

/** A turn to roll back. `turn` is null if none was begun. */
export interface UndoneTurn {
  readonly threadId: string;
  readonly turn: number | null;
  /** Newest checkpoint before it; null if there was none. */
  readonly baseCheckpointId: string | null;
}

/** Checks that a turn can be rolled back: it has applied no writes, and the state before it exists. `tx` carries the user, here and below. */
export async function mayRollBack(tx: Queryable, undone: UndoneTurn): Promise<boolean> {
  const { threadId, turn, baseCheckpointId } = undone;
  const { rows } = await tx.query(
    `select not exists (select from effects
                         where thread_id = $1 and starts_with(key, $2))
            and ($3::text is null
                 or exists (select from checkpoints
                             where thread_id = $1 and checkpoint_ns = '' and checkpoint_id = $3)) as may`,
    [threadId, turn === null ? null : `${threadId}/${turn}/`, baseCheckpointId],
  );
  return z.boolean().parse(rows[0]?.["may"]);
}

/**
 * Rolls a turn back: restores the thread's state before it and removes it from the archive. To be
 * called under the thread's lease, for a turn that `mayRollBack`.
 */
export async function rollBackTurn(tx: Queryable, undone: UndoneTurn): Promise<void> {
  const { threadId, turn, baseCheckpointId } = undone;
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
  if (turn === null) return;
  // Turns of other branches may have the same number; only current ones, or none yet, are of this run.
  for (const table of ["batches", "journeys"]) {
    await tx.query(
      `delete from ${table} as gone where thread_id = $1 and turn = $2
          and not exists (select from turns
                           where turns.thread_id = gone.thread_id and turns.run_id = gone.run_id
                             and not turns.is_current)`,
      [threadId, turn],
    );
  }
  const removed = await tx.query(
    "delete from turns where thread_id = $1 and turn = $2 and is_current returning 1",
    [threadId, turn],
  );
  if (removed.rows.length > 0) await markNewestBranch(tx, threadId);
}
