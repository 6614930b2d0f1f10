import type { RunnableConfig } from "@langchain/core/runnables";
import type {
  ChannelVersions,
  Checkpoint,
  CheckpointListOptions,
  CheckpointMetadata,
  CheckpointTuple,
  PendingWrite,
} from "@langchain/langgraph-checkpoint";
import { PostgresSaver } from "@langchain/langgraph-checkpoint-postgres";
import type { Pool } from "pg";
import type { Queryable } from "../state/store.ts";
import { asDatabaseError } from "./database-error.ts";
import { SCHEMA } from "./app-role.ts";
import { withTransaction } from "./transaction.ts";

/**
 * LangGraph's Postgres checkpointer without its silent corruption.
 *
 * The stock saver counts channel versions 1, 2, 3 and stores a channel's value once per version:
 * a fork, a replay or a second run counts to the same number and gets the other's value. Here
 * versions rise and are unique. Threads that the stock saver wrote stay readable.
 *
 * @throws DatabaseUnavailableError from every method when the database is gone.
 */
export class PostgresCheckpointer extends PostgresSaver {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    super(pool, undefined, { schema: SCHEMA });
    this.#pool = pool;
  }

  /** The tables are made by the migrations; the program's role could not. */
  override async setup(): Promise<void> {}

  override getNextVersion(current: number | undefined): number {
    return Math.floor(current ?? 0) + 1 + Math.random();
  }

  override async getTuple(config: RunnableConfig): Promise<CheckpointTuple | undefined> {
    return explained(() => super.getTuple(config));
  }

  override async *list(
    config: RunnableConfig,
    options?: CheckpointListOptions,
  ): AsyncGenerator<CheckpointTuple> {
    try {
      yield* super.list(config, options);
    } catch (error) {
      throw asDatabaseError(error);
    }
  }

  override async put(
    config: RunnableConfig,
    checkpoint: Checkpoint,
    metadata: CheckpointMetadata,
    newVersions: ChannelVersions,
  ): Promise<RunnableConfig> {
    return explained(() => super.put(config, checkpoint, metadata, newVersions));
  }

  override async putWrites(
    config: RunnableConfig,
    writes: PendingWrite[],
    taskId: string,
  ): Promise<void> {
    return explained(() => super.putWrites(config, writes, taskId));
  }

  override async deleteThread(threadId: string): Promise<void> {
    return explained(() => super.deleteThread(threadId));
  }

  /**
   * Deletes a thread's checkpoints but the newest `keep`, with the values and writes that only they
   * used, subgraphs' included. Returns how many checkpoints went.
   *
   * Contract: the newest state and everything pending on it stays. To be called under the thread's lease.
   */
  async prune(threadId: string, keep: number): Promise<number> {
    return withTransaction(this.#pool, (tx) =>
      pruneBefore(tx, { threadId, oldest: nthNewest(keep, "true") }),
    );
  }

  /** The same by turns: keeps the checkpoints since the `keep`-th newest input. */
  async pruneTurns(threadId: string, keep: number): Promise<number> {
    return withTransaction(this.#pool, (tx) =>
      pruneBefore(tx, { threadId, oldest: nthNewest(keep, "metadata ->> 'source' = 'input'") }),
    );
  }
}

/** Makes the checkpointer on the program's pool. */
export function createCheckpointer(pool: Pool): PostgresCheckpointer {
  return new PostgresCheckpointer(pool);
}

async function explained<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw asDatabaseError(error);
  }
}

/** SQL for the n-th newest checkpoint of the graph itself that fulfils `condition`; null where there are fewer. */
function nthNewest(n: number, condition: string): string {
  if (!Number.isInteger(n) || n < 1) throw new RangeError(`Cannot keep ${n}: keep at least 1`);
  return `(select checkpoint_id from checkpoints
            where thread_id = $1 and checkpoint_ns = '' and ${condition}
            order by checkpoint_id desc offset ${n - 1} limit 1)`;
}

/**
 * Checkpoint ids rise with time, in subgraphs as well: what a subgraph stored before the oldest
 * kept checkpoint of the graph belongs to steps that are over.
 */
async function pruneBefore(
  tx: Queryable,
  { threadId, oldest }: { threadId: string; oldest: string },
): Promise<number> {
  const { rowCount } = await tx.query(
    `delete from checkpoints where thread_id = $1 and checkpoint_id < ${oldest}`,
    [threadId],
  );
  if (rowCount === 0) return 0;
  await tx.query(
    `delete from checkpoint_writes as writes
      where thread_id = $1
        and not exists (select from checkpoints as kept
                         where kept.thread_id = $1 and kept.checkpoint_ns = writes.checkpoint_ns
                           and kept.checkpoint_id = writes.checkpoint_id)`,
    [threadId],
  );
  await tx.query(
    `delete from checkpoint_blobs as blobs
      where thread_id = $1
        and not exists (select from checkpoints as kept
                         where kept.thread_id = $1 and kept.checkpoint_ns = blobs.checkpoint_ns
                           and kept.checkpoint -> 'channel_versions' ->> blobs.channel = blobs.version)`,
    [threadId],
  );
  return rowCount ?? 0;
}
