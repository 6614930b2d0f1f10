import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import type { TurnState } from "../../../state/turn.ts";
import { saveBatch, storeRefs } from "../../../storage/conversations/archive-rows.ts";
import { copyThread, type ThreadCopy } from "../../../storage/conversations/copy-thread.ts";
import { insertRun } from "../../../storage/runs/runs.ts";
import { findThread, patchThread } from "../../../storage/conversations/thread-records.ts";
import { claimThread } from "../../../storage/conversations/threads.ts";
import { createTurnArchive } from "../../../storage/conversations/turn-archive.ts";
import { asUser } from "../../../storage/users/user-data.ts";
import { addedReply, ADDING } from "../../support/adding.ts";
import { testDatabase } from "../../support/database.ts";
import { appliedWrites, namesIn } from "../../support/fresh-kitchen.ts";
import { batchRow } from "../../support/full-thread.ts";
import { newRun } from "../../support/stored-run.ts";
import { openThread, repliesIn, testThread, type TestThread } from "../../support/test-thread.ts";
import { readStoredViews } from "../../support/turn-views.ts";
import { wholeDatabase } from "../../support/whole-database.ts";

const database = await testDatabase();
const { pool, owner } = database;
const archive = createTurnArchive(pool);

function copy({ run }: TestThread, to: string, userId = run.userId): Promise<ThreadCopy> {
  return asUser(pool, { userId }, (tx) => copyThread(tx, { from: run.threadId, to }));
}

/** The copy, opened as another process would. */
function openCopy({ run }: TestThread, threadId: string): TestThread {
  return openThread(database, { run: { ...run, threadId }, behaviour: ADDING });
}

/** Reads the thread's replies and state. */
function readMemory({ turn, registry, turnExecutionSummaries, messages }: TurnState) {
  return {
    turn,
    registry,
    turnExecutionSummaries,
    texts: messages.map(({ text }) => text),
  };
}

function allTurns(userId: string, threadId: string) {
  return archive.findTurns({ threadId, userId, ref: null, turn: null, words: null, limit: 9 });
}

test("copyThread() makes a thread that goes on where the first stands, each for itself", async () => {
  const first = await testThread(database, { behaviour: ADDING });
  const { userId, threadId } = first.run;
  await first.send("add figs");
  await first.send("add dates");
  await asUser(pool, { userId }, async (tx) => {
    await patchThread(tx, { threadId, metadata: { starred: true } });
    await storeRefs(tx, { threadId, entries: [{ ref: "recipe_1", entry: { id: "1" } }] });
    for (const batchId of ["t1-b9", "t1-b1", "t2-b5"]) {
      await saveBatch(tx, batchRow(threadId, { batchId }));
    }
  });
  const to = `copy of ${threadId}`;

  expect(await copy(first, to)).toBe("copied");

  const second = openCopy(first, to);
  expect(readMemory(await second.state())).toEqual(readMemory(await first.state()));
  expect(await allTurns(userId, to)).toEqual(await allTurns(userId, threadId));
  expect(await readStoredViews(database, to)).toMatchObject([
    { key: { thread: to, turn: 1 } },
    { key: { thread: to, turn: 2 } },
  ]);
  const record = (id: string) => asUser(pool, { userId }, (tx) => findThread(tx, id));
  expect(await record(to)).toMatchObject({
    title: "add figs",
    metadata: { starred: true },
    status: "idle",
  });
  const { rows } = await owner.query(
    "select batch_id from batches where thread_id = $1 order by seq",
    [to],
  );
  expect(rows.map(({ batch_id }) => batch_id as string)).toEqual(["t1-b9", "t1-b1", "t2-b5"]);

  // The same turn of either is another write: the first's key is not the second's.
  expect(repliesIn(await second.send("add plums"))).toEqual([addedReply("plums")]);
  expect(repliesIn(await first.send("add pears"))).toEqual([addedReply("pears")]);
  expect(await namesIn(database, { table: "shopping_list", userId })).toEqual(
    expect.arrayContaining(["figs", "dates", "plums", "pears"]),
  );
  expect([await appliedWrites(database, threadId), await appliedWrites(database, to)]).toEqual([
    3, 1,
  ]);
  expect((await second.state()).messages.map(({ text }) => text)).toContain("add plums");
  expect((await first.state()).messages.map(({ text }) => text)).not.toContain("add plums");
  expect((await second.state()).turn).toBe(3);
});

test("of the checkpoints only the newest is copied, and nothing in it names the first thread", async () => {
  const first = await testThread(database, { behaviour: ADDING });
  await first.send("add figs");
  const to = randomUUID();
  await copy(first, to);
  const { rows } = await owner.query(
    "select checkpoint_ns, parent_checkpoint_id, metadata ->> 'thread_id' as named from checkpoints where thread_id = $1",
    [to],
  );
  expect(rows).toEqual([{ checkpoint_ns: "", parent_checkpoint_id: null, named: null }]);
});

test("a thread that was never spoken in is copied too", async () => {
  await asUser(pool, { userId: "kim" }, async (tx) => {
    await claimThread(tx, { threadId: "kim's" });
    expect(await copyThread(tx, { from: "kim's", to: "kim's other" })).toBe("copied");
    expect(await findThread(tx, "kim's other")).toMatchObject({ status: "idle", title: null });
  });
});

test("copyThread() changes nothing where it may not, or cannot", async () => {
  const first = await testThread(database);
  await first.send("hello");
  const { userId, threadId } = first.run;
  await asUser(pool, { userId: "bob" }, (tx) => claimThread(tx, { threadId: "bob's" }));
  const whole = await wholeDatabase(database);
  expect(await copy(first, "new", "eve")).toBe("absent");
  expect(await copy(first, "bob's")).toBe("taken");
  expect(await wholeDatabase(database)).toEqual(whole);
  await asUser(pool, { userId }, (tx) =>
    insertRun(tx, newRun({ runId: threadId, threadId, messageId: "m1" })),
  );
  expect(await copy(first, "new")).toBe("busy");
});
