import type { Pool, PoolClient } from "pg";
import { PgBoss, type Db } from "pg-boss";
import { z } from "zod";
import type { Queryable } from "../../state/store.ts";
import { JOB_SCHEMA } from "../postgres/app-role.ts";
import { notify } from "../postgres/notifications.ts";
import { asDatabaseError } from "../postgres/database-error.ts";
import { DEAD_QUEUE, WORK_QUEUE } from "./job-tables.ts";
import type { UserThread } from "../../state/conversation-store.ts";
import type { Log } from "../../state/log.ts";
import { prepare } from "../postgres/prepared.ts";

/** A job for a thread that has work, held by this process. */
export interface ThreadJob {
  readonly id: string;
  readonly threadId: string;
  readonly userId: string;
}

/** A job that failed for good, and the reason of its last failure. */
export interface DeadLetter {
  readonly threadId: string;
  readonly userId: string;
  /** Error passed to `retry`, or a missed heartbeat; null if unknown. */
  readonly reason: string | null;
}

/**
 * Hands threads with work to processes with free slots. Inbox and lease decide what is done and in
 * which order: a job may be fetched twice, and then finds nothing to do.
 *
 * @throws DatabaseUnavailableError from every method when the database is gone.
 */
export interface JobQueue {
  /**
   * Enqueues a job for the thread in the transaction of its message, and sends the notification `work`.
   *
   * Contract: a job of the thread is fetched after this transaction commits, even if one was waiting
   * before, or waits to be retried.
   */
  send(tx: Queryable, thread: UserThread): Promise<void>;
  /** Fetches at most `count` due jobs, the oldest first; this process holds them as long as it sends heartbeats. */
  fetch(count: number): Promise<readonly ThreadJob[]>;
  /** Removes a finished job from the queue. */
  complete(id: string): Promise<void>;
  /**
   * Returns a failed job to the queue, to be fetched again after a wait that grows from one second to
   * ten; after about a day it becomes a dead letter. No notification is sent when it is due.
   */
  retry(id: string, error: { readonly code: string; readonly message: string }): Promise<void>;
  /** Keeps jobs held by this process; to be called at least every ten seconds. */
  heartbeat(ids: readonly string[]): Promise<void>;
  /**
   * Returns jobs without a heartbeat for ten seconds to the queue, and deletes old ones.
   * Cheap: every worker calls it every few seconds, and one of them does the work every three
   * seconds. No notification is sent: fetch afterwards.
   */
  recover(): Promise<void>;
  /**
   * Returns dead letters that were not reported yet, the oldest first, at most a hundred: each once, to
   * one process. They stay in their queue for two weeks.
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
    // `recover` does this; the other tasks need more rights than the program has.
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
      await Promise.all([enqueue(boss, tx, { threadId, userId }), notify(tx, "work", threadId)]);
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
 * Makes sure that a job of the thread waits when this transaction commits. A job that waits already is
 * locked until then, and fetching skips it: otherwise another process could fetch it, read the inbox
 * before the message is visible, and complete it. If it is fetched first, a new job is sent.
 */
async function enqueue(boss: PgBoss, tx: Queryable, thread: UserThread): Promise<void> {
  const db: Db = { executeSql: (text, values) => tx.query(text, values) };
  const key = { db, singletonKey: thread.threadId };
  for (;;) {
    if ((await boss.send(WORK_QUEUE, thread, key)) !== null) return;
    const { rows } = await tx.query(LOCK_WAITING, [WORK_QUEUE, thread.threadId]);
    if (rows.length > 0) return;
  }
}

/** Repeats the condition of pg-boss's unique index, so that the index is used. */
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

/** Repeats the condition of the index by which pg-boss fetches. */
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

/** Runs pg-boss's statements. It sends whole transactions as one text: after an error the connection is still in the transaction, and is closed. */
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
