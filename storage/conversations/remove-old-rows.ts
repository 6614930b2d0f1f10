import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import { z } from "zod";
import type { Queryable } from "../../state/store.ts";
import { cleanUp, removeOldJournal } from "./clean-up.ts";
import { asDatabaseError } from "../postgres/database-error.ts";
import { holdLease } from "./leases.ts";
import { pruneCheckpoints } from "../checkpoints/prune-checkpoints.ts";
import { asUser } from "../users/user-data.ts";

/** Times for which each kind of row is kept. */
export interface Retention {
  /** Events of a run that has ended, in hours. After that the run cannot be streamed again. */
  readonly eventsHours: number;
  /** Runs that have ended, in days. */
  readonly runsDays: number;
  /** Rows that only serve to recognise repeated requests (see `cleanUp`), in days. */
  readonly repetitionDays: number;
  /** Rows of the journal, in days. After that a change can no longer be undone. */
  readonly journalDays: number;
  /** All checkpoints but the newest of a thread that was not used for so many days; null keeps them. */
  readonly checkpointsDays: number | null;
  /** Turns, batches and journeys in the archive, in days; null keeps them. */
  readonly archiveDays: number | null;
  /** Lifetime of the lease under which a thread's checkpoints are removed, in seconds. */
  readonly leaseSeconds: number;
  /** Ends the removal between two batches. */
  readonly signal?: AbortSignal;
}

/** Numbers of removed rows. */
export interface RemovedRows {
  readonly users: number;
  readonly events: number;
  readonly runs: number;
  /** Effects, finished messages and leases. */
  readonly repetitions: number;
  readonly journal: number;
  readonly checkpoints: number;
  /** Turns, batches and journeys. */
  readonly archived: number;
}

/** The program's connections, and those of the administrator, who removes rows of the journal. */
export interface CleanedDatabase {
  readonly pool: Pool;
  readonly admin: Pool;
}

/** Number of the advisory lock that lets one process remove old rows at a time. */
const LOCK = 5_824_906_174;
// Rows per statement. Not settings: they keep transactions short, and the next statement continues.
const USERS = 200;
const THREADS = 50;
/** Runs whose events are removed at once: a run may have thousands of events. */
const RUNS = 50;
const ROWS = 1_000;

/**
 * Removes rows of every user that are too old, a batch at a time, so that no turn waits for it. Null
 * if another process is doing it.
 *
 * Contract: every thread stays usable: its newest state is kept, and everything that an unfinished
 * turn or a waiting message needs. It can be repeated, and run beside other processes.
 *
 * @throws RangeError for a time that is negative or not a number, or an archive kept for less time
 *   than repeated requests are recognised; DatabaseUnavailableError.
 */
export async function removeOldRows(
  database: CleanedDatabase,
  retention: Retention,
): Promise<RemovedRows | null> {
  assertRetention(retention);
  try {
    return await runExclusively(database.pool, () => removeForAllUsers(database, retention));
  } catch (error) {
    throw asDatabaseError(error);
  }
}

function assertRetention({ signal: _signal, ...spans }: Retention): void {
  for (const [name, span] of Object.entries(spans)) {
    if (span === null || (Number.isFinite(span) && span >= 0)) continue;
    throw new RangeError(`Cannot remove old rows: ${name} is ${span}; use a number from 0 on`);
  }
  const { archiveDays, repetitionDays } = spans;
  if (archiveDays === null || archiveDays >= repetitionDays) return;
  throw new RangeError(
    `Cannot remove old rows: archiveDays is ${archiveDays} and repetitionDays ${repetitionDays}; keep the archive at least as long`,
  );
}

/** Runs the work under a lock of the session, which ends with its process. */
async function runExclusively<T>(pool: Pool, work: () => Promise<T>): Promise<T | null> {
  const client = await pool.connect();
  let broken = true;
  try {
    const { rows } = await client.query<{ locked: boolean }>(
      "select pg_try_advisory_lock($1) as locked",
      [LOCK],
    );
    if (rows[0]?.locked !== true) {
      broken = false;
      return null;
    }
    const result = await work();
    await client.query("select pg_advisory_unlock($1)", [LOCK]);
    broken = false;
    return result;
  } finally {
    // Closing the connection releases the lock.
    client.release(broken);
  }
}

async function removeForAllUsers(
  { pool, admin }: CleanedDatabase,
  retention: Retention,
): Promise<RemovedRows> {
  let total: RemovedRows = NOTHING;
  for await (const userId of iterateUsers(pool)) {
    if (retention.signal?.aborted === true) return total;
    total = addCounts(total, await removeForUser({ pool, admin, userId, retention }));
  }
  return total;
}

const NOTHING: RemovedRows = {
  users: 0,
  events: 0,
  runs: 0,
  repetitions: 0,
  journal: 0,
  checkpoints: 0,
  archived: 0,
};

function addCounts(a: RemovedRows, b: RemovedRows): RemovedRows {
  return {
    users: a.users + b.users,
    events: a.events + b.events,
    runs: a.runs + b.runs,
    repetitions: a.repetitions + b.repetitions,
    journal: a.journal + b.journal,
    checkpoints: a.checkpoints + b.checkpoints,
    archived: a.archived + b.archived,
  };
}

const UserRow = z.object({ userId: z.string() });

async function* iterateUsers(db: Queryable): AsyncGenerator<string> {
  for (let after = ""; ;) {
    const { rows } = await db.query('select u as "userId" from concierge_users($1, $2) as u', [
      after,
      USERS,
    ]);
    const users = UserRow.array().parse(rows);
    for (const { userId } of users) yield userId;
    const last = users.at(-1);
    if (last === undefined) return;
    after = last.userId;
  }
}

interface UserRemoval extends CleanedDatabase {
  readonly userId: string;
  readonly retention: Retention;
}

async function removeForUser(removal: UserRemoval): Promise<RemovedRows> {
  const { eventsHours, runsDays, repetitionDays, journalDays, archiveDays } = removal.retention;
  // First: it reads the archive to learn which turns have ended.
  const repetitions = await removeInBatches(removal, ROWS, async (tx) => {
    const removed = await cleanUp(tx, { days: repetitionDays, batch: ROWS });
    return removed.effects + removed.messages + removed.leases;
  });
  return {
    users: 1,
    events: await removeInBatches(removal, 1, (tx) => removeEvents(tx, eventsHours)),
    runs: await removeInBatches(removal, ROWS, (tx) => removeRuns(tx, runsDays)),
    repetitions,
    journal: await removeInBatches({ ...removal, pool: removal.admin }, ROWS, (tx) =>
      removeOldJournal(tx, { days: journalDays, batch: ROWS }),
    ),
    checkpoints: await removeCheckpoints(removal),
    archived: archiveDays === null ? 0 : await removeArchive(removal, archiveDays),
  };
}

/** Removes batches, each in its own transaction, until one has fewer than `full` rows. */
async function removeInBatches(
  { pool, userId, retention }: UserRemoval,
  full: number,
  remove: (tx: Queryable) => Promise<number>,
): Promise<number> {
  for (let total = 0; ;) {
    const removed = await asUser(pool, { userId }, remove);
    total += removed;
    if (removed < full || retention.signal?.aborted === true) return total;
  }
}

async function removeEvents(tx: Queryable, hours: number): Promise<number> {
  const { rowCount } = await tx.query(
    `delete from run_events where run_id in
       (select run_id from runs
         where finished_at < now() - $1 * interval '1 hour'
           and exists (select from run_events where run_events.run_id = runs.run_id)
         order by finished_at limit $2 for update skip locked)`,
    [hours, RUNS],
  );
  return rowCount ?? 0;
}

async function removeRuns(tx: Queryable, days: number): Promise<number> {
  const { rowCount } = await tx.query(
    `delete from runs where run_id in
       (select run_id from runs where finished_at < now() - $1 * interval '1 day'
         order by finished_at limit $2 for update skip locked)`,
    [days, ROWS],
  );
  return rowCount ?? 0;
}

const ThreadRow = z.object({ threadId: z.string() });

/** Removes checkpoints under the lease of each thread; a thread in use is left for the next time. */
async function removeCheckpoints(removal: UserRemoval): Promise<number> {
  const { checkpointsDays, signal } = removal.retention;
  if (checkpointsDays === null) return 0;
  let total = 0;
  for await (const threadId of restingThreads(removal, checkpointsDays)) {
    if (signal?.aborted === true) break;
    total += await pruneToNewest(removal, threadId);
  }
  return total;
}

/** Yields the threads that were not used for so many days and have more than one checkpoint. */
async function* restingThreads(
  { pool, userId }: UserRemoval,
  days: number,
): AsyncGenerator<string> {
  for (let after = ""; ;) {
    const { rows } = await asUser(pool, { userId, readOnly: true }, (tx) =>
      tx.query(
        `select thread_id as "threadId" from threads
          where thread_id > $1 and updated_at < now() - $2 * interval '1 day'
            and (select count(*) from checkpoints
                  where checkpoints.thread_id = threads.thread_id and checkpoint_ns = '') > 1
          order by thread_id limit $3`,
        [after, days, THREADS],
      ),
    );
    const threads = ThreadRow.array().parse(rows);
    for (const { threadId } of threads) yield threadId;
    const last = threads.at(-1);
    if (last === undefined) return;
    after = last.threadId;
  }
}

async function pruneToNewest({ pool, retention }: UserRemoval, threadId: string): Promise<number> {
  const held = await holdLease(
    pool,
    {
      threadId,
      owner: randomUUID(),
      ttlMs: retention.leaseSeconds * 1_000,
      waitMs: 0,
      signal: null,
    },
    ({ lease }) => pruneCheckpoints(pool, { threadId, keep: 1, lease }),
  );
  return held.held ? held.result : 0;
}

/** Tables of the archive, with what names a row of a thread in each. */
const ARCHIVE = {
  turns: "run_id",
  batches: "run_id, batch_id",
  journeys: "journey_id, changed_turn, run_id",
};

async function removeArchive(removal: UserRemoval, days: number): Promise<number> {
  let total = 0;
  for (const [table, key] of Object.entries(ARCHIVE)) {
    total += await removeInBatches(removal, ROWS, async (tx) => {
      const { rowCount } = await tx.query(
        `delete from ${table} where (thread_id, ${key}) in
           (select thread_id, ${key} from ${table} where created_at < now() - $1 * interval '1 day'
             limit $2 for update skip locked)`,
        [days, ROWS],
      );
      return rowCount ?? 0;
    });
  }
  return total;
}
