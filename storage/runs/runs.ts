import {
  isEnded,
  RunRecordSchema,
  type CancelAction,
  type RunError,
  type RunRecord,
  type RunStatus,
} from "../../state/run.ts";
import type { Queryable } from "../../state/store.ts";
import { toJsonColumn } from "../postgres/json-column.ts";

/** A run to create. */
export type NewRun = Pick<
  RunRecord,
  | "runId"
  | "threadId"
  | "messageId"
  | "multitaskStrategy"
  | "streamModes"
  | "trace"
  | "metadata"
  | "kwargs"
>;

/** A run's columns by the names of its record. */
export const RUN_COLUMNS = `run_id as "runId", thread_id as "threadId", message_id as "messageId", user_id as "userId",
  status, multitask_strategy as "multitaskStrategy", cancel, stream_modes as "streamModes", trace, metadata,
  kwargs, error, base_checkpoint_id as "baseCheckpointId", created_at as "createdAt",
  updated_at as "updatedAt", started_at as "startedAt", finished_at as "finishedAt"`;

/** Stores a run as `pending`. `tx` carries its user, here and below: other users' runs do not exist there. @throws the database's error for an id that exists. */
export async function insertRun(tx: Queryable, run: NewRun): Promise<RunRecord> {
  const { rows } = await tx.query(
    `insert into runs
       (run_id, thread_id, message_id, multitask_strategy, stream_modes, trace, metadata, kwargs)
     values ($1, $2, $3, $4, $5, $6, $7, $8)
     returning ${RUN_COLUMNS}`,
    [
      run.runId,
      run.threadId,
      run.messageId,
      run.multitaskStrategy,
      toJsonColumn(run.streamModes),
      run.trace,
      toJsonColumn(run.metadata),
      toJsonColumn(run.kwargs),
    ],
  );
  return RunRecordSchema.parse(rows[0]);
}

/** Returns a run; null if there is none with that id. */
export async function findRun(tx: Queryable, runId: string): Promise<RunRecord | null> {
  return parseRun(await tx.query(`select ${RUN_COLUMNS} from runs where run_id = $1`, [runId]));
}

/** Finds a run and locks it until the transaction's end. */
export async function lockRun(tx: Queryable, runId: string): Promise<RunRecord | null> {
  return parseRun(
    await tx.query(`select ${RUN_COLUMNS} from runs where run_id = $1 for update`, [runId]),
  );
}

export interface RunFilter {
  readonly threadId: string;
  readonly status?: RunStatus;
  readonly limit: number;
  readonly offset: number;
}

/** Lists runs of a thread, the newest first. */
export async function listRuns(tx: Queryable, filter: RunFilter): Promise<readonly RunRecord[]> {
  const { rows } = await tx.query(
    `select ${RUN_COLUMNS} from runs
      where thread_id = $1 and ($2::text is null or status = $2)
      order by seq desc limit $3 offset $4`,
    [filter.threadId, filter.status ?? null, filter.limit, filter.offset],
  );
  return RunRecordSchema.array().parse(rows);
}

/** Lists the thread's unfinished runs, the oldest first. */
export async function listUnfinishedRuns(
  tx: Queryable,
  threadId: string,
): Promise<readonly RunRecord[]> {
  const { rows } = await tx.query(
    `select ${RUN_COLUMNS} from runs where thread_id = $1 and finished_at is null order by seq`,
    [threadId],
  );
  return RunRecordSchema.array().parse(rows);
}

/**
 * Marks a run as running and records the checkpoint before its message's first run: the one recorded
 * for that run or, if none has started yet, the newest checkpoint. Null, without a change, if the run
 * has ended.
 */
export async function startRun(tx: Queryable, runId: string): Promise<RunRecord | null> {
  return parseRun(
    await tx.query(
      `update runs set status = 'running', updated_at = now(), started_at = coalesce(started_at, now()),
              base_checkpoint_id = case
                when started_at is not null then base_checkpoint_id
                when exists (select from runs as first where ${OF_SAME_MESSAGE})
                then (select base_checkpoint_id from runs as first where ${OF_SAME_MESSAGE}
                       order by seq limit 1)
                else (select max(checkpoint_id) from checkpoints
                       where checkpoints.thread_id = runs.thread_id and checkpoint_ns = '') end
        where run_id = $1 and finished_at is null
        returning ${RUN_COLUMNS}`,
      [runId],
    ),
  );
}

/** Runs of the same message that have started. */
const OF_SAME_MESSAGE = `first.thread_id = runs.thread_id and first.message_id = runs.message_id
                         and first.started_at is not null`;

/** A run's final status. */
interface FinishedRun {
  readonly runId: string;
  readonly status: RunStatus;
  readonly error?: RunError;
}

/**
 * Ends a run; the first end is kept.
 *
 * @throws RangeError for a status that does not end a run.
 */
export async function finishRun(tx: Queryable, run: FinishedRun): Promise<void> {
  if (!isEnded(run.status)) {
    throw new RangeError(
      `Cannot end run "${run.runId}" as "${run.status}": that status does not end a run`,
    );
  }
  await tx.query(
    `update runs set status = $2, error = $3, updated_at = now(), finished_at = now()
      where run_id = $1 and finished_at is null`,
    [run.runId, run.status, run.error === undefined ? null : toJsonColumn(run.error)],
  );
}

/** A run to cancel, and the way to cancel it. */
export interface CancelRequest {
  readonly runId: string;
  readonly action: CancelAction;
}

/** Records a request to cancel a run that has not ended; `rollback` replaces `interrupt`, not the other way round. */
export async function requestCancel(tx: Queryable, request: CancelRequest): Promise<void> {
  await tx.query(
    `update runs set cancel = case when cancel = 'rollback' then cancel else $2 end, updated_at = now()
      where run_id = $1 and finished_at is null`,
    [request.runId, request.action],
  );
}

/** Removes a run with its events. */
export async function deleteRun(tx: Queryable, runId: string): Promise<void> {
  await tx.query("delete from runs where run_id = $1", [runId]);
}

function parseRun({ rows }: Awaited<ReturnType<Queryable["query"]>>): RunRecord | null {
  return rows[0] === undefined ? null : RunRecordSchema.parse(rows[0]);
}
