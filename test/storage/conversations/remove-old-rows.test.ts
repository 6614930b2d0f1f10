import { expect, test } from "vitest";
import { releaseLease } from "../../../storage/conversations/leases.ts";
import {
  removeOldRows,
  type RemovedRows,
  type Retention,
} from "../../../storage/conversations/remove-old-rows.ts";
import { saveBatch, saveTurn } from "../../../storage/conversations/archive-rows.ts";
import { saveJourney } from "../../../storage/conversations/journey-rows.ts";
import { appendRunEvents, lastEventSeq } from "../../../storage/runs/run-events.ts";
import { finishRun, insertRun } from "../../../storage/runs/runs.ts";
import { claimThread } from "../../../storage/conversations/threads.ts";
import { asUser } from "../../../storage/users/user-data.ts";
import { addedReply, ADDING } from "../../support/adding.ts";
import { testDatabase } from "../../support/database.ts";
import { batchRow, fillThread, journeyRow } from "../../support/full-thread.ts";
import { ownedDatabase } from "../../support/owned-database.ts";
import { turnRow } from "../../support/replies.ts";
import { newRun, runEvent } from "../../support/stored-run.ts";
import { takeLease } from "../../support/test-leases.ts";
import { openThread, repliesIn, testThread, type TestThread } from "../../support/test-thread.ts";
import { wholeDatabase } from "../../support/whole-database.ts";

const database = await testDatabase();
const { pool, owner } = database;

const RETENTION: Retention = {
  eventsHours: 24,
  runsDays: 30,
  repetitionDays: 90,
  journalDays: 30,
  checkpointsDays: 14,
  archiveDays: null,
  leaseSeconds: 5,
};

const NOTHING: Omit<RemovedRows, "users"> = {
  events: 0,
  runs: 0,
  repetitions: 0,
  journal: 0,
  checkpoints: 0,
  archived: 0,
};

/** A conversation of two turns with a run that ended and told two things. */
async function converse(): Promise<TestThread> {
  const thread = await testThread(database, { behaviour: ADDING });
  await thread.send("add figs");
  await thread.send("add dates");
  const { userId, threadId } = thread.run;
  await asUser(pool, { userId }, async (tx) => {
    const runId = nameRun(thread);
    await fillThread(tx, { threadId, runId });
    await finishRun(tx, { runId, status: "success" });
  });
  return thread;
}

function nameRun({ run }: TestThread): string {
  return `run of ${run.threadId}`;
}

/** As if so much time had gone by for the thread. */
async function age({ run }: TestThread, interval: string): Promise<void> {
  for (const column of [
    "runs set finished_at = finished_at",
    "threads set updated_at = updated_at",
    "turns set created_at = created_at",
    "batches set created_at = created_at",
    "journeys set created_at = created_at",
    "effects set created_at = created_at",
    "journal set created_at = created_at",
    "inbox set finished_at = finished_at",
    "leases set expires_at = expires_at",
  ]) {
    const own = column.startsWith("journal")
      ? "effect_id in (select effect_id from effects where thread_id = $1)"
      : "thread_id = $1";
    await owner.query(`update ${column} - $2::interval where ${own}`, [run.threadId, interval]);
  }
}

/** Counts the stored rows of a thread. */
async function left({ run: { threadId } }: TestThread): Promise<Record<string, number>> {
  const { rows } = await owner.query<Record<string, number>>(
    `select (select count(*) from runs where thread_id = $1) as runs,
            (select count(*) from run_events join runs using (run_id) where thread_id = $1) as events,
            (select count(*) from turns where thread_id = $1) as turns,
            (select count(*) from registry_refs where thread_id = $1) as refs,
            (select count(*) from batches where thread_id = $1) as batches,
            (select count(*) from journeys where thread_id = $1) as journeys,
            (select count(*) from effects where thread_id = $1) as effects,
            (select least(count(*), 1) from journal
              where effect_id in (select effect_id from effects where thread_id = $1)) as journal,
            (select count(*) from inbox where thread_id = $1) as messages,
            (select least(count(*), 2) from checkpoints where thread_id = $1) as checkpoints`,
    [threadId],
  );
  return rows[0] ?? {};
}

const WHOLE = {
  runs: 1,
  events: 2,
  turns: 2,
  refs: 1,
  batches: 1,
  journeys: 1,
  effects: 2,
  // Or more.
  journal: 1,
  messages: 2,
  // Or more.
  checkpoints: 2,
};

async function remove(retention: Partial<Retention> = {}): Promise<RemovedRows | null> {
  return removeOldRows(database, { ...RETENTION, ...retention });
}

test("removeOldRows() removes what is too old of every user, kind by kind, and leaves the rest", async () => {
  const [young, daysOld, weeksOld, monthsOld] = [
    await converse(),
    await converse(),
    await converse(),
    await converse(),
  ];
  await age(young, "23 hours");
  await age(daysOld, "25 hours");
  await age(weeksOld, "31 days");
  await age(monthsOld, "91 days");

  const removed = await remove();

  expect(await left(young)).toEqual(WHOLE);
  expect(await left(daysOld)).toEqual({ ...WHOLE, events: 0 });
  expect(await left(weeksOld)).toEqual({
    ...WHOLE,
    events: 0,
    runs: 0,
    journal: 0,
    checkpoints: 1,
  });
  expect(await left(monthsOld)).toEqual({
    ...WHOLE,
    events: 0,
    runs: 0,
    journal: 0,
    checkpoints: 1,
    effects: 0,
    messages: 0,
  });
  expect(removed).toMatchObject({ events: 6, runs: 2, repetitions: 5, archived: 0 });
  expect(removed?.checkpoints).toBeGreaterThan(2);
  // The lease of the old thread is there again: it was pruned under it.
  expect(await remove()).toMatchObject(NOTHING);

  const read = await asUser(pool, { userId: daysOld.run.userId }, (tx) =>
    lastEventSeq(tx, nameRun(daysOld)),
  );
  expect(read).toBe(0);
});

test("a thread whose older checkpoints went goes on as before", async () => {
  const thread = await converse();
  const before = await thread.state();
  await age(thread, "15 days");
  await remove();
  expect(await left(thread)).toMatchObject({ checkpoints: 1 });
  const { rows } = await owner.query(
    "select expires_at <= now() + interval '5 seconds' as short from leases where thread_id = $1",
    [thread.run.threadId],
  );
  expect(rows).toEqual([{ short: true }]);
  expect(await thread.state()).toEqual(before);
  const again = openThread(database, { run: thread.run, behaviour: ADDING });
  expect(repliesIn(await again.send("add plums"))).toEqual([addedReply("plums")]);
  expect((await again.state()).turn).toBe(3);
});

test("the archive goes only where that is wanted", async () => {
  const thread = await converse();
  await age(thread, "200 days");
  await remove({ archiveDays: 201 });
  expect(await left(thread)).toMatchObject({ turns: 2, batches: 1, journeys: 1 });
  expect(await remove({ archiveDays: 199 })).toMatchObject({ archived: 4 });
  expect(await left(thread)).toEqual({
    ...WHOLE,
    runs: 0,
    events: 0,
    turns: 0,
    batches: 0,
    journeys: 0,
    journal: 0,
    effects: 0,
    messages: 0,
    checkpoints: 1,
  });
});

test("a younger row stays, though another branch has an old one of the same turn", async () => {
  const thread = await converse();
  const { userId, threadId } = thread.run;
  await age(thread, "400 days");
  await asUser(pool, { userId }, async (tx) => {
    await saveTurn(tx, turnRow(threadId, 2, { runId: "younger" }));
    await saveBatch(tx, batchRow(threadId, { runId: "younger" }));
    await saveJourney(tx, journeyRow(threadId, { runId: "younger" }));
  });

  await remove({ archiveDays: 300 });

  expect(await left(thread)).toMatchObject({ turns: 1, batches: 1, journeys: 1 });
});

test("a run that has not ended, and a thread that somebody works on, are left alone", async () => {
  const thread = await converse();
  const { userId, threadId } = thread.run;
  const runId = `unfinished in ${threadId}`;
  await asUser(pool, { userId }, async (tx) => {
    await insertRun(tx, newRun({ runId, threadId, messageId: "m2" }));
    await appendRunEvents(tx, { runId, events: [runEvent({}, 1)] });
  });
  await age(thread, "400 days");
  await owner.query("update runs set created_at = created_at - interval '400 days'");
  const lease = await takeLease(database, threadId);
  await remove();
  expect(await left(thread)).toMatchObject({ runs: 1, events: 1, checkpoints: 2 });
  await releaseLease(pool, { threadId, ...lease });
  expect((await remove())?.checkpoints).toBeGreaterThan(0);
});

test("more than one batch is removed at once", async () => {
  const thread = await testThread(database);
  const { userId, threadId } = thread.run;
  await asUser(pool, { userId }, async (tx) => {
    await claimThread(tx, { threadId });
    for (let n = 0; n < 120; n += 1) {
      const runId = `${threadId}/${n}`;
      await insertRun(tx, newRun({ runId, threadId, messageId: `m${n}` }));
      await appendRunEvents(tx, { runId, events: [runEvent({})] });
      await finishRun(tx, { runId, status: "success" });
    }
  });
  await age(thread, "2 days");
  expect(await remove()).toMatchObject({ events: 120, runs: 0 });
});

test("one process at a time removes old rows, and it can be told to stop", async () => {
  await age(await converse(), "2 days");
  const client = await owner.connect();
  const lock = "select pg_advisory_lock(5824906174)";
  await client.query(lock);
  const whole = await wholeDatabase(database);
  expect(await remove()).toBeNull();
  await client.query(lock.replace("lock(", "unlock("));
  client.release();
  expect(await remove({ signal: AbortSignal.abort() })).toEqual({ ...NOTHING, users: 0 });
  expect(await wholeDatabase(database)).toEqual(whole);
  const [first, second] = await Promise.all([remove(), remove()]);
  expect([first, second].filter((removed) => removed !== null).length).toBeGreaterThan(0);
  expect(await remove()).toMatchObject(NOTHING);
});

test.each<[Partial<Retention>, RegExp]>([
  [{ eventsHours: -1 }, /eventsHours is -1/],
  [{ runsDays: Number.NaN }, /runsDays is NaN/],
  [{ archiveDays: 30 }, /archiveDays is 30 and repetitionDays 90/],
])("removeOldRows() refuses %j", async (retention, message) => {
  await expect(remove(retention)).rejects.toThrow(message);
});

const owned = await ownedDatabase();

test("on a database whose owner is no superuser, users are found, by the program alone", async () => {
  for (const userId of ["ada", "bob"]) {
    await asUser(owned.pool, { userId }, async (tx) => {
      await claimThread(tx, { threadId: `${userId}'s` });
      await claimThread(tx, { threadId: `${userId}'s second` });
    });
  }
  expect(await removeOldRows(owned, RETENTION)).toEqual({ ...NOTHING, users: 2 });
  expect((await owned.pool.query("select * from threads")).rows).toEqual([]);
  const { rows } = await owned.pool.query("select * from concierge_users('ada', 10) as name");
  expect(rows).toEqual([{ name: "bob" }]);
});
