import type { Pool, PoolClient } from "pg";
import { PgBoss, type Db } from "pg-boss";
import { z } from "zod";
import type { Queryable } from "../../state/store.ts";
import { JOB_SCHEMA } from "../postgres/app-role.ts";
import { notify } from "../postgres/notifications.ts";
import { asDatabaseError } from "../postgres/database-error.ts";
import { DEAD_QUEUE, WORK_QUEUE } from "./job-tables.ts";
import type { Log } from "../../state/log.ts";
import { prepare } from "../postgres/prepared.ts";

/** "This thread has work", now this process's. */
export interface ThreadJob {
  readonly id: string;
  readonly threadId: string;
  readonly userId: string;
}

/** A job that was tried too often, and why it failed last. */
export interface DeadLetter {
  readonly threadId: string;
  readonly userId: string;
  /** Error passed to `retry`, or a missed heartbeat; null if unknown. */
  readonly reason: string | null;
}

/**
 * Says on which threads there is work, to whichever process has time. Order and truth are the
 * inbox and the lease: a job may come twice, and then finds nothing to do.
 *
 * @throws DatabaseUnavailableError from every method when the database is gone.
 */
export interface JobQueue {
  /**
   * Says that the thread has work, in the transaction of its message; sends the notification `work`.
   *
   * Contract: some job of the thread is fetched after this transaction commits, even where one
   * waited before, or waits to be tried again.
   */
  send(
    tx: Queryable,
    thread: { readonly threadId: string; readonly userId: string },
  ): Promise<void>;
  /** At most `count` jobs that are due, the oldest first, now this process's for as long as it touches them. */
  fetch(count: number): Promise<readonly ThreadJob[]>;
  /** Takes a job out of the queue. */
  complete(id: string): Promise<void>;
  /**
   * Gives a job back, to be fetched again after a wait that grows from a second to ten; a
   * dead letter after about a day. No notification is sent when it is due.
   */
  retry(id: string, error: { readonly code: string; readonly message: string }): Promise<void>;
  /** Says that this process still works on them; to be called at least every ten seconds. */
  heartbeat(ids: readonly string[]): Promise<void>;
  /**
   * Returns jobs without a heartbeat for ten seconds to the queue, and deletes old ones.
   * Cheap: to be called every few seconds by every worker; one of them does it every three
   * seconds. No notification is sent: fetch after it.
   */
  recover(): Promise<void>;
  /**
   * Takes dead letters not announced yet, the oldest first, a hundred at most: each is returned once,
   * to one process. They stay in their queue for two weeks.
   */
  takeDeadLetters(): Promise<readonly DeadLetter[]>;
  /** Stops the queue's timers; jobs stay as they are. Calling it again does nothing. */
  close(): Promise<void>;
}

const DAY = 86_400;

const JobRow = z.object({
  id: z.string(),
  data: z.object({ threadId: z.string(), userId: z.string() }),
});

/** Opens the queue over the program's pool; it has no connection of its own, and changes no tables. */
export async function openJobQueue(pool: Pool, log: Log): Promise<JobQueue> {
  const boss = new PgBoss({
    db: overPool(pool),
    schema: JOB_SCHEMA,
    migrate: false,
    schedule: false,
    // Asked for by `recover`; of the rest, what takes more rights than the program has is left out.
    supervise: false,
    reindex: false,
    monitorVacuum: false,
    monitorIntervalSeconds: 3,
    maintenanceIntervalSeconds: 300,
    queueCacheIntervalSeconds: DAY,
  });
  boss.on("error", (error) => log.warn(`The job queue failed: ${error.message}`));
  boss.on("warning", ({ message }) => log.warn(message));
  await boss.start();
  return {
    async send(tx, thread) {
      const { threadId, userId } = thread;
      await Promise.all([
        enqueue(boss, { tx, data: { threadId, userId } }),
        notify(tx, "work", threadId),
      ]);
    },
    async fetch(count) {
      const rows = await boss.fetch(WORK_QUEUE, { batchSize: count });
      return JobRow.array()
        .parse(rows)
        .map(({ id, data: { threadId, userId } }) => ({ id, threadId, userId }));
    },
    async complete(id) {
      await boss.complete(WORK_QUEUE, id);
    },
    async retry(id, { code, message }) {
      await boss.fail(WORK_QUEUE, id, { code, message });
    },
    async heartbeat(ids) {
      if (ids.length > 0) await boss.touch(WORK_QUEUE, [...ids]);
    },
    recover: () => boss.supervise(),
    takeDeadLetters: () => takeDeadLetters(pool),
    close: () => boss.stop({ graceful: false, close: false }),
  };
}

/**
 * One waiting job a thread is enough, if it is still there when this transaction commits: else
 * another process may fetch it, look into the inbox before the message is to be seen, and be done.
 * So it is locked, and fetching passes over it until then; one that was fetched in between no
 * longer stands in the way of a new one.
 */
async function enqueue(
  boss: PgBoss,
  { tx, data }: { tx: Queryable; data: { readonly threadId: string; readonly userId: string } },
): Promise<void> {
  const db: Db = { executeSql: (text, values) => tx.query(text, values) };
  const key = { db, singletonKey: data.threadId };
  for (;;) {
    if ((await boss.send(WORK_QUEUE, data, key)) !== null) return;
    const { rows } = await tx.query(LOCK_WAITING, [WORK_QUEUE, data.threadId]);
    if (rows.length > 0) return;
  }
}

/** In the words of the index that let no second one in. */
const LOCK_WAITING = `select from ${JOB_SCHEMA}.job
  where name = $1 and coalesce(singleton_key, '') = $2 and state = 'created' and policy = 'short'
    for update`;

const DeadLetterRow = JobRow.pick({ data: true }).extend({
  output: z
    .object({ code: z.string(), message: z.string() })
    .transform(({ code, message }) => `${code}: ${message}`)
    .or(
      // The form in which pg-boss reports a job without a heartbeat.
      z
        .object({ value: z.object({ message: z.string() }) })
        .transform(({ value }) => value.message),
    )
    .nullable()
    .catch(null),
});

/** In the words of the index by which pg-boss fetches. */
const TAKE_DEAD_LETTERS = `with found as (
    select name, id from ${JOB_SCHEMA}.job
     where name = $1 and state < 'active' and not blocked
     order by created_on limit 100 for update skip locked),
  taken as (
    update ${JOB_SCHEMA}.job set state = 'completed', completed_on = now()
      from found where job.name = found.name and job.id = found.id
     returning job.data, job.output, job.created_on)
  select data, output from taken order by created_on`;

async function takeDeadLetters(pool: Pool): Promise<readonly DeadLetter[]> {
  try {
    const { rows } = await pool.query(TAKE_DEAD_LETTERS, [DEAD_QUEUE]);
    return DeadLetterRow.array()
      .parse(rows)
      .map(({ data: { threadId, userId }, output }) => ({ threadId, userId, reason: output }));
  } catch (error) {
    throw asDatabaseError(error);
  }
}

/** pg-boss sends whole transactions as one text; where one fails, its connection is still in it. */
function overPool(pool: Pool): Db {
  return {
    async executeSql(text, values) {
      try {
        if (values !== undefined && values.length > 0)
          return await pool.query(prepare(text, values));
        const client = await pool.connect();
        return await runText(client, text);
      } catch (error) {
        throw asDatabaseError(error);
      }
    },
  };
}

async function runText(client: PoolClient, text: string) {
  try {
    const result = await client.query(text);
    client.release();
    return result;
  } catch (error) {
    client.release(true);
    throw error;
  }
}
