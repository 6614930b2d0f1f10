import type { Pool } from "pg";
import { z } from "zod";
import type { Queryable } from "../../state/store.ts";
import { asDatabaseError } from "../postgres/database-error.ts";
import { deleteThread } from "./delete-thread.ts";
import { asUser } from "../users/user-data.ts";

/** Delay before a thread that is still held is checked again. Not a setting: its run is about to end. */
const HELD = "interval '15 seconds'";

/** Users, and threads of each, per call. Not settings: the next call continues. */
const USERS = 200;
const THREADS = 1_000;

/** Lets the thread be removed so many seconds after the end of its last run. `tx` carries its user. */
export async function makeTemporary(
  tx: Queryable,
  threadId: string,
  seconds: number,
): Promise<void> {
  await tx.query(
    "update threads set remove_at = now() + $2 * interval '1 second' where thread_id = $1",
    [threadId, seconds],
  );
}

/**
 * Deletes the temporary threads of every user whose last run ended `seconds` ago, the time for a
 * disconnected client to come back for the run's events. Returns their number. `signal` ends it
 * between two threads.
 *
 * Contract: cheap if there are none, and safe beside other processes that do the same: every worker
 * calls it every few seconds.
 *
 * @throws DatabaseUnavailableError.
 */
export async function removeTemporaryThreads(
  pool: Pool,
  seconds: number,
  signal?: AbortSignal,
): Promise<number> {
  let removed = 0;
  for (const userId of await listUsersToVisit(pool)) {
    for (const threadId of await listTemporaryThreads(pool, userId)) {
      if (signal?.aborted === true) return removed;
      const isGone = await asUser(pool, { userId }, (tx) =>
        removeOrPostpone(tx, threadId, seconds),
      );
      if (isGone) removed += 1;
    }
  }
  return removed;
}

const UserRow = z.object({ userId: z.string() });
const ThreadRow = z.object({ threadId: z.string() });

async function listUsersToVisit(db: Queryable): Promise<readonly string[]> {
  const { rows } = await db
    .query('select u as "userId" from concierge_users_of_temporary_threads($1) as u', [USERS])
    .catch((error: unknown) => {
      throw asDatabaseError(error);
    });
  return UserRow.array()
    .parse(rows)
    .map(({ userId }) => userId);
}

async function listTemporaryThreads(pool: Pool, userId: string): Promise<readonly string[]> {
  const { rows } = await asUser(pool, { userId, readOnly: true }, (tx) =>
    tx.query(
      `select thread_id as "threadId" from threads where remove_at <= now()
        order by remove_at limit $1`,
      [THREADS],
    ),
  );
  return ThreadRow.array()
    .parse(rows)
    .map(({ threadId }) => threadId);
}

/** Skips a thread that another process is removing. */
async function removeOrPostpone(
  tx: Queryable,
  threadId: string,
  seconds: number,
): Promise<boolean> {
  const { rowCount } = await tx.query(
    "select from threads where thread_id = $1 and remove_at <= now() for update skip locked",
    [threadId],
  );
  if (rowCount === 0 || (await postpone(tx, threadId, seconds))) return false;
  if ((await deleteThread(tx, threadId)) !== "busy") return true;
  await tx.query(`update threads set remove_at = now() + ${HELD} where thread_id = $1`, [threadId]);
  return false;
}

/** Postpones the removal if the last run has not ended long enough ago; returns true if so. */
async function postpone(tx: Queryable, threadId: string, seconds: number): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update threads set remove_at = rest.until
       from (select max(coalesce(finished_at, now())) + $2 * interval '1 second' as until
               from runs where thread_id = $1) as rest
      where thread_id = $1 and rest.until > now()`,
    [threadId, seconds],
  );
  return rowCount === 1;
}
