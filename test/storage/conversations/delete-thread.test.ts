import { expect, test } from "vitest";
import type { Queryable } from "../../../state/store.ts";
import { deleteThread, THREAD_TABLES } from "../../../storage/conversations/delete-thread.ts";
import { releaseLease } from "../../../storage/conversations/leases.ts";
import { finishRun, insertRun } from "../../../storage/runs/runs.ts";
import { claimThread } from "../../../storage/conversations/threads.ts";
import { asUser } from "../../../storage/users/user-data.ts";
import { addedReply, ADDING } from "../../support/adding.ts";
import { testDatabase } from "../../support/database.ts";
import { fillThread } from "../../support/full-thread.ts";
import { newRun } from "../../support/stored-run.ts";
import { takeLease } from "../../support/test-leases.ts";
import { openThread, repliesIn, testThread, type TestThread } from "../../support/test-thread.ts";
import { namesIn } from "../../support/fresh-kitchen.ts";
import { untilOneWaits } from "../../support/until-one-waits.ts";
import { wholeDatabase } from "../../support/whole-database.ts";

const database = await testDatabase();
const { pool, owner } = database;

/** A conversation with something in every table, its run not finished yet. */
async function converse(): Promise<TestThread> {
  const thread = await testThread(database, { behaviour: ADDING });
  const { userId, threadId } = thread.run;
  await thread.send("add figs");
  await asUser(pool, { userId }, async (tx) => {
    await fillThread(tx, { threadId, runId: nameRun(thread) });
    // What a step left that died before its checkpoint.
    await tx.query(
      `insert into checkpoint_writes (thread_id, checkpoint_id, task_id, idx, channel, blob)
       values ($1, '1', '1', 0, 'x', '')`,
      [threadId],
    );
  });
  return thread;
}

function nameRun({ run }: TestThread): string {
  return `run of ${run.threadId}`;
}

function as<T>({ run }: TestThread, work: (tx: Queryable) => Promise<T>): Promise<T> {
  return asUser(pool, { userId: run.userId }, work);
}

function finish(thread: TestThread): Promise<void> {
  return as(thread, (tx) => finishRun(tx, { runId: nameRun(thread), status: "success" }));
}

async function countRows(threadId: string): Promise<Record<string, number>> {
  const counts = THREAD_TABLES.map(
    (table) => `(select count(*) from ${table} where thread_id = $1) as ${table}`,
  );
  const { rows } = await owner.query<Record<string, number>>(`select ${counts.join(", ")}`, [
    threadId,
  ]);
  return rows[0] ?? {};
}

test("deleteThread() leaves nothing of a thread, and everything of the others", async () => {
  const before = await wholeDatabase(database);
  const thread = await converse();
  const { userId, threadId } = thread.run;
  await finish(thread);
  const there = await countRows(threadId);
  expect(Object.values(there).every((count) => count > 0)).toBe(true);

  expect(await as(thread, (tx) => deleteThread(tx, threadId))).toBe("deleted");

  const after = await wholeDatabase(database);
  const changed = Object.keys(after).filter((table) => after[table] !== before[table]);
  // The kitchen, and the key under which it was furnished.
  expect(changed.filter((table) => (THREAD_TABLES as readonly string[]).includes(table))).toEqual([
    "effects",
  ]);
  expect(changed).not.toContain("run_events");
  expect(await countRows(threadId)).toEqual(
    Object.fromEntries(THREAD_TABLES.map((table) => [table, 0])),
  );
  expect(await namesIn(database, { table: "shopping_list", userId })).toContain("figs");
  expect(await as(thread, (tx) => deleteThread(tx, threadId))).toBe("absent");
});

test("a thread of the same name begins anew, and its writes are no repetitions", async () => {
  const thread = await testThread(database, { behaviour: ADDING });
  await thread.send("add figs");
  const { userId, threadId } = thread.run;
  expect(await as(thread, (tx) => deleteThread(tx, threadId))).toBe("deleted");
  const again = openThread(database, { run: thread.run, behaviour: ADDING });
  expect(repliesIn(await again.send("add dates"))).toEqual([addedReply("dates")]);
  expect((await again.state()).turn).toBe(1);
  expect(await namesIn(database, { table: "shopping_list", userId })).toEqual(
    expect.arrayContaining(["dates", "figs"]),
  );
});

test("deleteThread() refuses while a run is under way, or a process holds the thread", async () => {
  const thread = await converse();
  const { threadId } = thread.run;
  const whole = await wholeDatabase(database);
  expect(await as(thread, (tx) => deleteThread(tx, threadId))).toBe("busy");
  expect(await wholeDatabase(database)).toEqual(whole);

  await finish(thread);
  const lease = await takeLease(database, threadId);
  expect(await as(thread, (tx) => deleteThread(tx, threadId))).toBe("busy");
  await releaseLease(pool, { threadId, ...lease });
  expect(await as(thread, (tx) => deleteThread(tx, threadId))).toBe("deleted");
});

test("deleteThread() waits for a run that is just being made, and then refuses", async () => {
  const thread = await testThread(database);
  const { threadId } = thread.run;
  await thread.send("hello");
  const { promise: made, resolve: make } = Promise.withResolvers<void>();
  const { promise: claimed, resolve: hold } = Promise.withResolvers<void>();
  const making = as(thread, async (tx) => {
    await claimThread(tx, { threadId });
    hold();
    await made;
    await insertRun(tx, newRun({ runId: nameRun(thread), threadId, messageId: "m2" }));
  });
  await claimed;
  const deleting = as(thread, (tx) => deleteThread(tx, threadId));
  await untilOneWaits(owner);
  make();
  await making;
  expect(await deleting).toBe("busy");
});

test("another's thread is absent, and stays", async () => {
  const thread = await testThread(database);
  await thread.send("hello");
  const whole = await wholeDatabase(database);
  const { threadId } = thread.run;
  expect(await asUser(pool, { userId: "eve" }, (tx) => deleteThread(tx, threadId))).toBe("absent");
  expect(await wholeDatabase(database)).toEqual(whole);
});

test("no table that names a thread is forgotten, but wishes and spending outlive the conversation", async () => {
  const { rows } = await owner.query<{ name: string }>(
    `select table_name as name from information_schema.columns
      where table_schema = 'concierge' and column_name = 'thread_id'
        and table_name not in ('wishes', 'spending')`,
  );
  expect(rows.map(({ name }) => name).toSorted()).toEqual(THREAD_TABLES.toSorted());
});
