import type { RunnableConfig } from "@langchain/core/runnables";
import {
  BaseCheckpointSaver,
  TASKS,
  WRITES_IDX_MAP,
  type ChannelVersions,
  type Checkpoint,
  type CheckpointListOptions,
  type CheckpointMetadata,
  type CheckpointTuple,
  type PendingWrite,
} from "@langchain/langgraph-checkpoint";
import type { Pool } from "pg";
import { z } from "zod";
import { LeaseClaimSchema, type LeaseClaim } from "../../state/store.ts";
import { createBatches, type Batches } from "../conversations/batches.ts";
import {
  dumpCheckpoint,
  dumpWrites,
  loadCheckpoint,
  toPutColumns,
  toPutValues,
  type DumpedCheckpoint,
  type TaskWrites,
} from "./checkpoint-rows.ts";
import {
  DELETE_THREAD,
  PUT_CHECKPOINT,
  PUT_CHECKPOINTS,
  PUT_WRITES,
  READ_CHECKPOINT,
  READ_NEWEST,
  READ_NEWEST_OF_MANY,
  REPLACE_WRITES,
} from "./checkpoint-statements.ts";
import { asDatabaseError } from "../postgres/database-error.ts";
import { createHeldWrites, type HeldWrites, type WritePlace } from "./held-writes.ts";
import { LeaseLostError } from "../conversations/leases.ts";
import { listCheckpointRows } from "./list-checkpoints.ts";
import { pruneCheckpoints, pruneTurnsBefore } from "./prune-checkpoints.ts";

export interface CheckpointerOptions {
  /** Time that a finished task's writes wait for the checkpoint that supersedes them, in milliseconds; 0 stores them at once. Default 20. */
  readonly holdWritesMs?: number;
}

// Not settings: they trade a few milliseconds for fewer statements.
const HOLD_WRITES_MS = 20;
/** Fewer make larger batches; with several, the others continue while one waits for a lease. */
const BATCHES_UNDER_WAY = 2;
const BATCH_ITEMS = 50;

/** A thread, and a subgraph in it. */
interface Place {
  readonly threadId: string;
  readonly namespace: string;
}

type Row = Record<string, unknown>;

/** A checkpoint, and the lease that must hold; null where nothing is checked. */
interface LeasedCheckpoint extends DumpedCheckpoint {
  readonly lease: LeaseClaim | null;
}

/**
 * LangGraph's checkpointer in Postgres. It shares tables and rows with LangGraph's `PostgresSaver`
 * (either reads what the other wrote), takes at most one statement a call, and fixes a silent
 * corruption: that saver counts channel versions 1, 2, 3 and stores a value once per version, so a
 * fork, a replay or a second run reaches the same number and reads the other's value. Here versions
 * rise and are unique.
 *
 * Concurrent calls are batched, across threads: checkpoints are stored in one statement, and newest
 * checkpoints are read in one.
 *
 * A `LeaseClaim` in the config's `configurable.lease` is checked by the statement that writes; without
 * one nothing is checked.
 *
 * A connection of the caller's pool is used for one statement at a time, without leaving a
 * transaction open; the pool is never closed here.
 *
 * Contract: a call that resolved is durable. Writes of `putWrites` may be durable as part of the
 * checkpoint that supersedes them.
 *
 * @throws DatabaseUnavailableError from every method when the database is gone; LeaseLostError
 *   from `put`, `putWrites` and `pruneTurns`, which then changed nothing.
 */
export class PostgresCheckpointer extends BaseCheckpointSaver {
  readonly #pool: Pool;
  readonly #held: HeldWrites | null;
  readonly #puts: Batches<LeasedCheckpoint, boolean> = createBatches({
    mostUnderWay: BATCHES_UNDER_WAY,
    mostItems: BATCH_ITEMS,
    store: (puts) => this.#storeCheckpoints(puts),
  });
  readonly #reads: Batches<Place, Row | undefined> = createBatches({
    mostUnderWay: BATCHES_UNDER_WAY,
    mostItems: BATCH_ITEMS,
    store: (places) => this.#readNewest(places),
  });
  readonly #db = {
    query: (text: string, values: unknown[] = []) => this.#query({ text, values }),
  };

  constructor(pool: Pool, options: CheckpointerOptions = {}) {
    super();
    this.#pool = pool;
    const delayMs = options.holdWritesMs ?? HOLD_WRITES_MS;
    this.#held =
      delayMs === 0
        ? null
        : createHeldWrites({ delayMs, store: (place, written) => this.#store(place, written) });
  }

  /** Does nothing: the migrations create the tables, and the program's role could not. */
  async setup(): Promise<void> {}

  override getNextVersion(current: number | undefined): number {
    return Math.floor(current ?? 0) + 1 + Math.random();
  }

  override async getTuple(config: RunnableConfig): Promise<CheckpointTuple | undefined> {
    const { thread_id: threadId, checkpoint_ns: namespace, checkpoint_id: id } = placeIn(config);
    if (threadId === undefined) return undefined;
    await this.#held?.flush(threadId);
    const row = id
      ? (await this.#query({ ...READ_CHECKPOINT, values: [threadId, namespace, id] })).rows[0]
      : await this.#reads.add({ threadId, namespace });
    return row === undefined ? undefined : loadCheckpoint(this.serde, row);
  }

  /** Finds checkpoints, the newest first, twenty at a time. */
  override async *list(
    config: RunnableConfig,
    options?: CheckpointListOptions,
  ): AsyncGenerator<CheckpointTuple> {
    await this.#held?.flush(placeIn(config).thread_id);
    for await (const row of listCheckpointRows(this.#db, { config, options })) {
      yield await loadCheckpoint(this.serde, row);
    }
  }

  override async put(
    config: RunnableConfig,
    checkpoint: Checkpoint,
    metadata: CheckpointMetadata,
    newVersions: ChannelVersions,
  ): Promise<RunnableConfig> {
    const {
      thread_id: threadId,
      checkpoint_ns: namespace,
      checkpoint_id: parentId,
    } = placeIn(config);
    if (threadId === undefined) throw missingKeyError("checkpoint", "thread_id");
    const lease = leaseIn(config);
    const dumped = {
      threadId,
      checkpointNs: namespace,
      checkpointId: checkpoint.id,
      parentId: parentId ?? null,
      lease,
      ...(await dumpCheckpoint(this.serde, { checkpoint, metadata, newVersions })),
    };
    const put = async () => {
      if (!(await this.#puts.add(dumped))) throw new LeaseLostError(threadId);
    };
    // Before format 4 the sends of a step are stored with the writes of its parent.
    if (this.#held === null || !parentId || checkpoint.v < 4) await put();
    else {
      const parent = { threadId, checkpointNs: namespace, checkpointId: parentId, lease };
      await this.#held.supersede(parent, put);
    }
    return {
      configurable: {
        thread_id: threadId,
        checkpoint_ns: namespace,
        checkpoint_id: checkpoint.id,
        // `updateState` writes on with this config.
        ...(lease !== null && { lease }),
      },
    };
  }

  override async putWrites(
    config: RunnableConfig,
    writes: PendingWrite[],
    taskId: string,
  ): Promise<void> {
    const { thread_id: threadId, checkpoint_ns: namespace, checkpoint_id: id } = placeIn(config);
    if (threadId === undefined) throw missingKeyError("writes of a task", "thread_id");
    if (!id) throw missingKeyError("writes of a task", "checkpoint_id");
    const place = {
      threadId,
      checkpointNs: namespace,
      checkpointId: id,
      lease: leaseIn(config),
    };
    if (this.#held !== null && writes.every(isSuperseded) && taskId !== NO_TASK) {
      return this.#held.hold(place, { taskId, writes });
    }
    return this.#store(place, [{ taskId, writes }]);
  }

  override async deleteThread(threadId: string): Promise<void> {
    await this.#held?.flush(threadId);
    await this.#query({ text: DELETE_THREAD, values: [threadId] });
  }

  /**
   * Deletes a thread's checkpoints but the newest `keep`, with the values and writes that only they
   * used, including subgraphs. Returns the number of deleted checkpoints.
   *
   * Contract: the newest state and everything pending on it is kept. Call it under the thread's lease.
   */
  async prune(threadId: string, keep: number): Promise<number> {
    await this.#held?.flush(threadId);
    return pruneCheckpoints(this.#db, { threadId, keep, lease: null });
  }

  /**
   * Deletes a thread's checkpoints before the `keep`-th newest input. With a claim, only while its
   * lease is held.
   */
  async pruneTurns(
    threadId: string,
    keep: number,
    lease: LeaseClaim | null = null,
  ): Promise<number> {
    await this.#held?.flush(threadId);
    return pruneTurnsBefore(this.#db, { threadId, keep, lease });
  }

  async #store(place: WritePlace, written: readonly TaskWrites[]): Promise<void> {
    const { threadId, checkpointNs, checkpointId, lease } = place;
    const special = written.every(({ writes }) => writes.every(isSpecial));
    const statement = special ? REPLACE_WRITES : PUT_WRITES;
    const columns = await dumpWrites(this.serde, special ? written.map(keepLastWrites) : written);
    const values = [threadId, checkpointNs, checkpointId, ...columns, lease?.owner, lease?.fence];
    const { rowCount } = await this.#query({ ...statement, values });
    if (rowCount !== 1) throw new LeaseLostError(threadId);
  }

  async #readNewest(places: readonly Place[]): Promise<readonly (Row | undefined)[]> {
    const [first] = places;
    if (first !== undefined && places.length === 1) {
      const values = [first.threadId, first.namespace];
      const { rows } = await this.#query({ ...READ_NEWEST, values });
      return [rows[0]];
    }
    const values = [places.map((one) => one.threadId), places.map((one) => one.namespace)];
    const { rows } = await this.#query({ ...READ_NEWEST_OF_MANY, values });
    return places.map(({ threadId, namespace }) =>
      rows.find((row) => row["thread_id"] === threadId && row["checkpoint_ns"] === namespace),
    );
  }

  async #storeCheckpoints(puts: readonly LeasedCheckpoint[]): Promise<readonly boolean[]> {
    const [first] = puts;
    if (first !== undefined && puts.length === 1) {
      const values = [...toPutValues(first), first.lease?.owner, first.lease?.fence];
      const { rowCount } = await this.#query({ ...PUT_CHECKPOINT, values });
      return [rowCount === 1];
    }
    const owners = puts.map(({ lease }) => lease?.owner);
    const fences = puts.map(({ lease }) => lease?.fence);
    const values = [...toPutColumns(puts), owners, fences];
    const { rows } = await this.#query({ ...PUT_CHECKPOINTS, values });
    const stored = new Set(rows.map(({ number }) => number));
    return puts.map((_, index) => stored.has(index + 1));
  }

  async #query(statement: { text: string; values: unknown[]; name?: string }) {
    try {
      return await this.#pool.query<Row>(statement);
    } catch (error) {
      throw asDatabaseError(error);
    }
  }
}

/** Creates the checkpointer over the program's pool. */
export function createCheckpointer(
  pool: Pool,
  options: CheckpointerOptions = {},
): PostgresCheckpointer {
  return new PostgresCheckpointer(pool, options);
}

/** LangGraph's task id for writes from outside of any task, such as a command's update. */
const NO_TASK = "00000000-0000-0000-0000-000000000000";

/** Special channels whose writes the step's checkpoint supersedes, like ordinary ones. */
const ORDINARY = new Set<string>([TASKS, "__no_writes__"]);

/**
 * Checks that the step's checkpoint will hold this write. It does not hold interrupts, answers to
 * them, errors and results of tasks inside a node, which LangGraph keeps in separate channels.
 */
function isSuperseded([channel]: PendingWrite): boolean {
  return !channel.startsWith("__") || ORDINARY.has(channel);
}

/** Checks that the write has a fixed position, where a later one replaces it. */
function isSpecial([channel]: PendingWrite): boolean {
  return channel in WRITES_IDX_MAP;
}

/** One statement cannot write a row twice. */
function keepLastWrites({ taskId, writes }: TaskWrites): TaskWrites {
  return { taskId, writes: [...new Map(writes.map((write) => [write[0], write])).values()] };
}

/** Converts the ids to text, whatever type the caller's config has. */
function placeIn({ configurable = {} }: RunnableConfig) {
  return {
    thread_id: toText(configurable["thread_id"]),
    checkpoint_ns: toText(configurable["checkpoint_ns"]) ?? "",
    checkpoint_id: toText(configurable["checkpoint_id"]),
  };
}

const Text = z.coerce.string();

function toText(value: unknown): string | undefined {
  return value === undefined || value === null ? undefined : Text.parse(value);
}

const Claim = LeaseClaimSchema.nullable();

function leaseIn({ configurable }: RunnableConfig): LeaseClaim | null {
  return Claim.parse(configurable?.["lease"] ?? null);
}

function missingKeyError(what: string, key: string): TypeError {
  return new TypeError(
    `Cannot save the ${what}: the config's "configurable" has no "${key}"; pass it along`,
  );
}
