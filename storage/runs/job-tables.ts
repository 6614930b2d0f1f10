import type { Client } from "pg";
import { getMigrationPlans, PgBoss } from "pg-boss";
import { z } from "zod";
import type { Queryable } from "../../state/store.ts";
import { JOB_SCHEMA } from "../postgres/app-role.ts";

/** Of a thread with work; the thread is the key, and one job of a key waits at a time. */
export const WORK_QUEUE = "thread-work";
/** Queue for jobs that were tried too often; its thread's messages still wait in the inbox. */
export const DEAD_QUEUE = "thread-work-dead";

/** So long a dead process keeps its jobs, in seconds: the shortest that pg-boss has. */
export const UNTOUCHED_SECONDS = 10;

const DAY = 86_400;

const WORK_OPTIONS = {
  deadLetter: DEAD_QUEUE,
  heartbeatSeconds: UNTOUCHED_SECONDS,
  // Heartbeats say when a process is gone; a turn may last.
  expireInSeconds: DAY,
  // About a day of tries.
  retryLimit: 9_000,
  retryDelay: 1,
  retryBackoff: true,
  // What made them fail may be over at any time, and a thread waits for as long then.
  retryDelayMax: 10,
  deleteAfterSeconds: 3_600,
  retentionSeconds: 365 * DAY,
};

/** For an operator to look at, also once they have been announced. */
const DEAD_OPTIONS = { retentionSeconds: 14 * DAY, deleteAfterSeconds: 14 * DAY };

/**
 * Looking for jobs of dead processes read the whole table three times, finished jobs and all, every
 * three seconds: a fifth of a second with an hour's jobs at twenty a second. The index finds those
 * that are worked on; the counts of each queue, which nobody here asks for, are put off for ever.
 */
const CHEAPER = `
  create index if not exists concierge_active on ${JOB_SCHEMA}.job_common (name) where state = 'active';
  update ${JOB_SCHEMA}.version set monitor_backoff_on = 'infinity'`;

const VersionRow = z.object({ version: z.number().int() });

/**
 * Makes or upgrades pg-boss's tables and the program's queues. To be called by one process at a
 * time, as the owner of the job schema, which is there.
 */
export async function installJobTables(client: Client): Promise<void> {
  const { rows } = await client.query<Record<string, unknown>>(
    "select to_regclass($1) is not null as present",
    [`${JOB_SCHEMA}.version`],
  );
  if (rows[0]?.["present"] === true) await upgrade(client);
  const boss = new PgBoss({
    db: { executeSql: (text, values) => client.query(text, values) },
    schema: JOB_SCHEMA,
    createSchema: false,
    supervise: false,
    schedule: false,
  });
  await boss.start();
  try {
    await boss.createQueue(DEAD_QUEUE, DEAD_OPTIONS);
    await boss.updateQueue(DEAD_QUEUE, DEAD_OPTIONS);
    await boss.createQueue(WORK_QUEUE, { policy: "short", ...WORK_OPTIONS });
    await boss.updateQueue(WORK_QUEUE, WORK_OPTIONS);
    await client.query(CHEAPER);
  } finally {
    await boss.stop({ graceful: false, close: false });
  }
}

/**
 * By its plans, not by `start()`, which leaves some indexes to be made one by one later on. They
 * are made here and now, in one go, and so not concurrently.
 */
async function upgrade(client: Client): Promise<void> {
  const { rows } = await client.query<Record<string, unknown>>(
    `select version from ${JOB_SCHEMA}.version`,
  );
  const { version } = VersionRow.parse(rows[0]);
  if (version >= BOSS_VERSION) return;
  const plans = getMigrationPlans(JOB_SCHEMA, version);
  await client.query(plans.replaceAll(/\bconcurrently\b/giu, ""));
}

/** Of its tables, in the pg-boss that is pinned; a test compares. */
const BOSS_VERSION = 40;

/** Removes every job of a user's threads: it holds their names. */
export async function deleteUserJobs(tx: Queryable, userId: string): Promise<void> {
  await tx.query(`delete from ${JOB_SCHEMA}.job where data ->> 'userId' = $1`, [userId]);
}
