import type { Client } from "pg";
import { getMigrationPlans, PgBoss } from "pg-boss";
import { z } from "zod";
import type { Queryable } from "../../state/store.ts";
import { JOB_SCHEMA } from "../postgres/app-role.ts";

/** Queue of threads with work. The thread is the key, and at most one job per key waits. */
export const WORK_QUEUE = "thread-work";
/** Queue of dead letters; the messages of their threads still wait in the inbox. */
export const DEAD_QUEUE = "thread-work-dead";

/** Time after which a job without a heartbeat is recovered, in seconds. Not a setting: it is the shortest that pg-boss allows. */
export const UNTOUCHED_SECONDS = 10;

const DAY = 86_400;

// Not settings: they are stored in the database when it is migrated, for all processes.
const WORK_OPTIONS = {
  deadLetter: DEAD_QUEUE,
  heartbeatSeconds: UNTOUCHED_SECONDS,
  // Heartbeats reveal a dead process; a turn may take long.
  expireInSeconds: DAY,
  // Retries for about a day.
  retryLimit: 9_000,
  retryDelay: 1,
  retryBackoff: true,
  // The cause of a failure may be gone at any time; the thread waits this long at most.
  retryDelayMax: 10,
  deleteAfterSeconds: 3_600,
  retentionSeconds: 365 * DAY,
};

/** Dead letters are kept for two weeks, so that an operator can inspect them. */
const DEAD_OPTIONS = { retentionSeconds: 14 * DAY, deleteAfterSeconds: 14 * DAY };

/**
 * Without these, pg-boss's search for jobs of dead processes reads the whole table three times every
 * three seconds, finished jobs included: 0.2 seconds after an hour at twenty jobs a second. The index
 * finds active jobs; the statistics of each queue, which are not used here, are never computed.
 */
const CHEAPER = `
  create index if not exists concierge_active on ${JOB_SCHEMA}.job_common (name) where state = 'active';
  update ${JOB_SCHEMA}.version set monitor_backoff_on = 'infinity'`;

const VersionRow = z.object({ version: z.number().int() });

/**
 * Creates or upgrades pg-boss's tables and the program's queues. To be called by one process at a
 * time, as the owner of the job schema, which must exist.
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
 * Upgrades by pg-boss's plans, not by its `start()`, which creates some indexes later, one by one. Here
 * they are created at once, and so not concurrently.
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

/** Version of the tables of the pinned pg-boss; a test compares the two. */
const BOSS_VERSION = 40;

/** Removes all jobs of a user: they contain ids of threads. */
export async function deleteUserJobs(tx: Queryable, userId: string): Promise<void> {
  await tx.query(`delete from ${JOB_SCHEMA}.job where data ->> 'userId' = $1`, [userId]);
}
