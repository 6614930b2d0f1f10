import { z } from "zod";
import type { Queryable } from "../../state/store.ts";

/** The turn of a thread that is to be as if it had not been. `turn` is null where none was begun. */
export interface UndoneTurn {
  readonly threadId: string;
  readonly turn: number | null;
  /** The newest checkpoint before it; null where there was none. */
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
 * Takes a turn back: the thread's state is the one before it, and nothing of it is archived. To be
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
  for (const table of ["turns", "batches", "journeys"]) {
    await tx.query(`delete from ${table} where thread_id = $1 and turn = $2`, [threadId, turn]);
  }
}
