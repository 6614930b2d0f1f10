import { testEffect } from "../../support/effect.ts";
import { expect, test } from "vitest";
import { saveTurn } from "../../../storage/conversations/archive-rows.ts";
import { cleanUp, type CleanedUp } from "../../../storage/conversations/clean-up.ts";
import { enqueueMessage, finishMessage } from "../../../storage/conversations/inbox.ts";
import {
  acquireLease,
  LeaseLostError,
  releaseLease,
  whileLeased,
} from "../../../storage/conversations/leases.ts";
import { claimThread } from "../../../storage/conversations/threads.ts";
import { withTransaction } from "../../../storage/postgres/transaction.ts";
import { asUser } from "../../../storage/users/user-data.ts";
import { testDatabase } from "../../support/database.ts";
import { openThread, testThread } from "../../support/test-thread.ts";
import { ADDING } from "../../support/adding.ts";
import { turnRow } from "../../support/replies.ts";

const database = await testDatabase();
const { pool, owner, userData } = database;

const DAYS = 90;

/** The parts of a user's thread and the age of each, in days. */
interface Ages {
  readonly effect: number;
  /** Null for a turn that never ended. */
  readonly turn: number | null;
  /** Null for a message that waits. */
  readonly finished: number | null;
  readonly lease: number;
}

async function makeThread(userId: string, { name, ...ages }: Ages & { name: string }) {
  const threadId = `${userId}/${name}`;
  const message = { threadId, messageId: "m1" };
  await asUser(pool, { userId }, async (tx) => {
    await claimThread(tx, { threadId });
    await enqueueMessage(tx, { ...message, text: "hi", run: {} });
    const turn = ages.turn === null ? null : 1;
    if (ages.finished !== null) await finishMessage(tx, { ...message, outcome: "answered", turn });
    if (ages.turn === null) return;
    await saveTurn(tx, turnRow(threadId, 1));
  });
  await userData.write(userId, testEffect(threadId, threadId), async () => name);
  await acquireLease(pool, { threadId, owner: "a", ttlMs: 1 });
  await releaseLease(pool, { threadId, owner: "a", fence: 1 });
  for (const sql of [
    `update effects set created_at = ${ago(ages.effect)} where thread_id = $1`,
    `update turns set created_at = ${ago(ages.turn ?? 0)} where thread_id = $1`,
    `update inbox set finished_at = ${ago(ages.finished ?? 0)} where thread_id = $1 and finished_at is not null`,
    `update leases set expires_at = ${ago(ages.lease)} where thread_id = $1`,
  ]) {
    await owner.query(sql, [threadId]);
  }
}

function ago(days: number): string {
  return `now() - interval '${days} days'`;
}

const OLD: Ages = { effect: 91, turn: 91, finished: 91, lease: 91 };

async function clean(userId: string, batch = 100): Promise<CleanedUp> {
  return asUser(pool, { userId }, (tx) => cleanUp(tx, { days: DAYS, batch }));
}

/** The names of a user's threads that still have rows of each kind. */
async function left(userId: string) {
  const names = async (table: string): Promise<string[]> => {
    const { rows } = await owner.query<{ name: string }>(
      `select substr(thread_id, length($1) + 2) as name from ${table} where thread_id like $1 || '/%' order by 1`,
      [userId],
    );
    return rows.map(({ name }) => name);
  };
  return {
    effects: await names("effects"),
    inbox: await names("inbox"),
    leases: await names("leases"),
    turns: await names("turns"),
  };
}

test("cleanUp() removes what is over and old, and nothing that is younger, unfinished or waiting", async () => {
  const threads: Readonly<Record<string, Ages>> = {
    old: OLD,
    young: { effect: 89, turn: 89, finished: 89, lease: 89 },
    // Its write is old, its turn is not over.
    unfinished: { ...OLD, turn: null },
    waiting: { ...OLD, finished: null },
    used: { ...OLD, lease: 1 },
  };
  for (const [name, ages] of Object.entries(threads)) await makeThread("ada", { name, ...ages });
  await makeThread("bob", { name: "old", ...OLD });

  expect(await clean("ada")).toEqual({ effects: 2, messages: 3, leases: 2 });

  expect(await left("ada")).toEqual({
    effects: ["unfinished", "waiting", "young"],
    inbox: ["waiting", "young"],
    leases: ["used", "waiting", "young"],
    turns: ["old", "used", "waiting", "young"],
  });
  const one = ["old"];
  expect(await left("bob")).toEqual({ effects: one, inbox: one, leases: one, turns: one });
  expect(await clean("ada")).toEqual({ effects: 0, messages: 0, leases: 0 });
});

test("a write is known again for as long as its key is kept, however long its turn is over", async () => {
  await makeThread("eve", { name: "weeks ago", ...OLD, effect: 60, turn: 60 });
  const effect = testEffect("eve/weeks ago", "eve/weeks ago");
  await clean("eve");
  expect(
    await userData.write("eve", effect, async () => {
      throw new Error("must not run");
    }),
  ).toMatchObject({ result: "weeks ago", repeated: true });
});

test("the keys of a user's seeding stay: no turn was archived after them", async () => {
  await userData.write("kim", testEffect("kim/seed", "kim/seed"), async () => 1);
  await owner.query(
    "update effects set created_at = now() - interval '9 years' where key = 'kim/seed'",
  );
  expect(await clean("kim")).toEqual({ effects: 0, messages: 0, leases: 0 });
});

test("cleanUp() takes the oldest first, a batch at a time", async () => {
  for (const age of [95, 93, 94]) {
    await makeThread("leo", { name: String(age), ...OLD, effect: age, turn: age, finished: age });
  }
  expect(await clean("leo", 2)).toMatchObject({ effects: 2, messages: 2, leases: 2 });
  expect(await left("leo")).toMatchObject({ effects: ["93"], inbox: ["93"] });
  expect(await clean("leo", 2)).toMatchObject({ effects: 1, messages: 1, leases: 1 });
});

test("cleanUp() waits for nobody: what another transaction holds is left for the next time", async () => {
  await makeThread("mia", { name: "held", ...OLD });
  await makeThread("mia", { name: "free", ...OLD });
  await withTransaction(owner, async (tx) => {
    for (const table of ["effects", "inbox", "leases"]) {
      await tx.query(`select from ${table} where thread_id = 'mia/held' for update`);
    }
    expect(await clean("mia")).toEqual({ effects: 1, messages: 1, leases: 1 });
  });
  expect(await left("mia")).toMatchObject({ effects: ["held"], inbox: ["held"], leases: ["held"] });
});

test("a claim to a lease that was removed is worth nothing, whoever takes the thread next", async () => {
  await makeThread("ned", { name: "old", ...OLD });
  await clean("ned");
  const old = { threadId: "ned/old", owner: "a", fence: 1 };
  expect(await acquireLease(pool, { ...old, owner: "b", ttlMs: 60_000 })).toEqual({ fence: 1 });
  await expect(
    withTransaction(pool, async () => undefined, { condition: whileLeased(old) }),
  ).rejects.toThrow(LeaseLostError);
});

test("a turn whose cleaning fails has ended all the same, and the failure is told", async () => {
  const failures: unknown[] = [];
  const failure = new Error("It fails");
  const thread = await testThread(database, {
    onFailure: (error) => failures.push(error),
    store: (store) => ({
      ...store,
      cleanUp: () => Promise.reject(failure),
    }),
  });
  expect((await thread.send("hello")).at(-1)).toMatchObject({ type: "turn-end", turn: 1 });
  expect(failures).toEqual([failure]);
});

test("a turn cleans up what is left of its user's older ones", async () => {
  const { run } = await testThread(database);
  await makeThread(run.userId, { name: "old", ...OLD });
  await openThread(database, { run, behaviour: ADDING }).send("add figs");
  expect(await left(run.userId)).toEqual({ effects: [], inbox: [], leases: [], turns: ["old"] });
});
