import { z } from "zod";
import type { Queryable } from "../state/store.ts";

/** A thread's newest checkpoint; null where it has none. */
export async function newestCheckpointId(tx: Queryable, threadId: string): Promise<string | null> {
  const { rows } = await tx.query(
    "select max(checkpoint_id) as id from checkpoints where thread_id = $1 and checkpoint_ns = ''",
    [threadId],
  );
  return z.string().nullable().parse(rows[0]?.["id"]);
}

/** The turn of a thread that is to be as if it had not been. `turn` is null where none was begun. */
export interface UndoneTurn {
  readonly threadId: string;
  readonly turn: number | null;
  /** The newest checkpoint before it; null where there was none. */
  readonly baseCheckpointId: string | null;
}

/**
 * Takes a turn back: the thread's state is the one before it, and nothing of it is archived. False,
 * and nothing is changed, where it has applied writes, or where the state before it is gone.
 *
 * `tx` carries the user, and the lease of the thread was checked in it.
 */
export async function rollBackTurn(tx: Queryable, undone: UndoneTurn): Promise<boolean> {
  if (!(await mayBeUndone(tx, undone))) return false;
  const { threadId, turn, baseCheckpointId: base } = undone;
  const since = [threadId, base];
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
  if (turn === null) return true;
  for (const table of ["turns", "batches", "journeys"]) {
    await tx.query(`delete from ${table} where thread_id = $1 and turn = $2`, [threadId, turn]);
  }
  return true;
}

async function mayBeUndone(
  tx: Queryable,
  { threadId, turn, baseCheckpointId }: UndoneTurn,
): Promise<boolean> {
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
