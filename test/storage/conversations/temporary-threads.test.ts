import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import type { Queryable } from "../../../state/store.ts";
import { releaseLease } from "../../../storage/conversations/leases.ts";
import { finishRun, insertRun } from "../../../storage/runs/runs.ts";
import {
  makeTemporary,
  removeTemporaryThreads,
} from "../../../storage/conversations/temporary-threads.ts";
import { claimThread } from "../../../storage/conversations/threads.ts";
import { asUser } from "../../../storage/users/user-data.ts";
import { testDatabase } from "../../support/database.ts";
import { newRun } from "../../support/stored-run.ts";
import { takeLease } from "../../support/test-leases.ts";

const database = await testDatabase();
const { pool, owner } = database;

interface Thread {
  readonly threadId: string;
  readonly userId: string;
}

function as<T>({ userId }: Thread, work: (tx: Queryable) => Promise<T>): Promise<T> {
  return asUser(pool, { userId }, work);
}

/** A thread with a run under way. */
async function begin({ isTemporary }: { readonly isTemporary: boolean }): Promise<Thread> {
  const threadId = randomUUID();
  const thread = { threadId, userId: `user of ${threadId}` };
  await as(thread, async (tx) => {
    await claimThread(tx, { threadId });
    if (isTemporary) await makeTemporary(tx, threadId, 60);
    await insertRun(tx, newRun({ runId: threadId, threadId, messageId: "m1" }));
  });
  return thread;
}

function finish(thread: Thread): Promise<void> {
  return as(thread, (tx) => finishRun(tx, { runId: thread.threadId, status: "success" }));
}

/** As if so many seconds had gone by. */
async function wait({ threadId }: Thread, seconds: number): Promise<void> {
  for (const set of [
    "threads set remove_at = remove_at",
    "runs set finished_at = finished_at",
    "leases set expires_at = expires_at",
  ]) {
    await owner.query(`update ${set} - $2 * interval '1 second' where thread_id = $1`, [
      threadId,
      seconds,
    ]);
  }
}

/** A temporary thread whose run ended more than a minute ago. */
async function beginOverdue(): Promise<Thread> {
  const thread = await begin({ isTemporary: true });
  await finish(thread);
  await wait(thread, 61);
  return thread;
}

async function isThere({ threadId }: Thread): Promise<boolean> {
  const { rowCount } = await owner.query("select from threads where thread_id = $1", [threadId]);
  return rowCount === 1;
}

test("removeTemporaryThreads() deletes what is not to be kept a minute after its run's end, of every user", async () => {
  const threads = await Promise.all([true, true, false].map((is) => begin({ isTemporary: is })));
  for (const thread of threads) {
    await finish(thread);
    await wait(thread, 59);
  }
  expect(await removeTemporaryThreads(pool, 60)).toBe(0);
  for (const thread of threads) await wait(thread, 2);
  expect(await removeTemporaryThreads(pool, 60)).toBe(2);
  expect(await Promise.all(threads.map(isThere))).toEqual([false, false, true]);
  expect(await removeTemporaryThreads(pool, 60)).toBe(0);
});

test("removeTemporaryThreads() gives a run that lasts its minute, too", async () => {
  const thread = await begin({ isTemporary: true });
  await wait(thread, 600);
  expect(await removeTemporaryThreads(pool, 60)).toBe(0);
  await wait(thread, 61);
  await finish(thread);
  expect(await removeTemporaryThreads(pool, 60)).toBe(0);
  await wait(thread, 61);
  expect(await removeTemporaryThreads(pool, 60)).toBe(1);
});

test("removeTemporaryThreads() leaves a thread that is held, and comes back to it", async () => {
  const thread = await beginOverdue();
  const { threadId } = thread;
  const lease = await takeLease(database, threadId);
  expect(await removeTemporaryThreads(pool, 60)).toBe(0);
  await releaseLease(pool, { threadId, ...lease });
  expect(await removeTemporaryThreads(pool, 60)).toBe(0);
  await wait(thread, 16);
  expect(await removeTemporaryThreads(pool, 60)).toBe(1);
});

test("removeTemporaryThreads() by several processes at once deletes each thread once", async () => {
  await Promise.all(Array.from({ length: 12 }, beginOverdue));
  const counts = await Promise.all([1, 2, 3].map(() => removeTemporaryThreads(pool, 60)));
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(12);
});

test("removeTemporaryThreads() ends when it is told to", async () => {
  await beginOverdue();
  expect(await removeTemporaryThreads(pool, 60, AbortSignal.abort())).toBe(0);
  expect(await removeTemporaryThreads(pool, 60)).toBe(1);
});
