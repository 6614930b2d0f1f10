import type { Pool } from "pg";
import { z } from "zod";
import type { Queryable } from "../../state/store.ts";
import { asDatabaseError } from "../postgres/database-error.ts";
import { deleteThread } from "./delete-thread.ts";
import { asUser } from "../users/user-data.ts";

/** Time for a disconnected client to come back for the events of the thread's run. */
const GRACE = "interval '60 seconds'";
/** Delay before a thread that is still held is checked again. */
const HELD = "interval '15 seconds'";

/** Users, and threads of each, at one call; the next one goes on. */
const USERS = 200;
const THREADS = 1_000;

/** Notes that the thread goes a minute after its last run's end. `tx` carries its user. */
export async function makeTemporary(tx: Queryable, threadId: string): Promise<void> {
  await tx.query(`update threads set remove_at = now() + ${GRACE} where thread_id = $1`, [
    threadId,
  ]);
}

/**
 * Deletes the threads, of every user, that are not to be kept and whose runs ended a minute ago;
 * returns how many went. `signal` ends it between two threads.
 *
 * Contract: cheap where there are none, and safe beside other processes that do the same: to be
 * called every few seconds by every worker.
 *
 * @throws DatabaseUnavailableError.
 */
export async function removeTemporaryThreads(pool: Pool, signal?: AbortSignal): Promise<number> {
  let removed = 0;
  for (const userId of await listUsersToVisit(pool)) {
    for (const threadId of await listTemporaryThreads(pool, userId)) {
      if (signal?.aborted === true) return removed;
      const isGone = await asUser(pool, { userId }, (tx) => removeOrPostpone(tx, threadId));
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

/** One that another process is at is left to it. */
async function removeOrPostpone(tx: Queryable, threadId: string): Promise<boolean> {
  const { rowCount } = await tx.query(
    "select from threads where thread_id = $1 and remove_at <= now() for update skip locked",
    [threadId],
  );
  if (rowCount === 0 || (await postpone(tx, threadId))) return false;
  if ((await deleteThread(tx, threadId)) !== "busy") return true;
  await tx.query(`update threads set remove_at = now() + ${HELD} where thread_id = $1`, [threadId]);
  return false;
}

/** Until its last run has ended for long enough, if it has not; then says so. */
async function postpone(tx: Queryable, threadId: string): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update threads set remove_at = rest.until
       from (select max(coalesce(finished_at, now())) + ${GRACE} as until
               from runs where thread_id = $1) as rest
      where thread_id = $1 and rest.until > now()`,
    [threadId],
  );
  return rowCount === 1;
}
