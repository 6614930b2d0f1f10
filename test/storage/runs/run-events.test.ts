import { beforeAll, expect, test } from "vitest";
import type { Queryable } from "../../../state/store.ts";
import {
  appendRunEvents,
  lastEventSeq,
  readRunWithEvents,
} from "../../../storage/runs/run-events.ts";
import { readSentEvents } from "../../../storage/runs/message-runs.ts";
import { recordRunEvents } from "../../../storage/runs/record-run-events.ts";
import { findRun, insertRun } from "../../../storage/runs/runs.ts";
import { asUser } from "../../../storage/users/user-data.ts";
import { testDatabase } from "../../support/database.ts";
import { newRun, runEvent } from "../../support/stored-run.ts";
import { takeLease } from "../../support/test-leases.ts";

const database = await testDatabase();
const { pool } = database;

function as<T>(userId: string, work: (tx: Queryable) => Promise<T>): Promise<T> {
  return asUser(pool, { userId }, work);
}

beforeAll(async () => {
  await as("ada", (tx) => insertRun(tx, newRun({ runId: "r1", threadId: "t1", messageId: "m1" })));
});

test("events are read after a number, in order, a page at a time", async () => {
  const events = Array.from({ length: 30 }, (_, index) => runEvent({ index }, index + 1));
  await as("ada", async (tx) => {
    expect(await lastEventSeq(tx, "r1")).toBe(0);
    await appendRunEvents(tx, { runId: "r1", events: [] });
    await appendRunEvents(tx, { runId: "r1", events: events.slice(0, 20) });
    // A call whose answer was lost is made again, and what is stored stands.
    const other = events.map((event) => ({ ...event, data: "another" }));
    await appendRunEvents(tx, {
      runId: "r1",
      events: [...other.slice(18, 20), ...events.slice(20)],
    });
    expect(await lastEventSeq(tx, "r1")).toBe(30);
  });
  const read = (after: number, limit: number) =>
    as("ada", (tx) => readRunWithEvents(tx, { runId: "r1", after, limit }));
  const run = await as("ada", (tx) => findRun(tx, "r1"));
  expect(await read(0, 100)).toEqual({ run, events });
  expect(await read(28, 100)).toEqual({ run, events: events.slice(28) });
  expect(await read(3, 2)).toEqual({ run, events: events.slice(3, 5) });
  expect(await read(30, 10)).toEqual({ run, events: [] });
  expect(
    await as("bob", (tx) => readRunWithEvents(tx, { runId: "r1", after: 0, limit: 9 })),
  ).toBeNull();
});

/** With keys that `jsonb` would sort. */
const TOLD = { type: "reply", reply: "t1-a1", a: { zz: 1, b: [{ y: null, x: "ż" }] } };

test("an event is read with its keys in the order in which they were told", async () => {
  const run = { runId: "in order", threadId: "t2", messageId: "m2" };
  const lease = await takeLease(database, run.threadId);
  await as("ada", async (tx) => {
    await insertRun(tx, newRun(run));
    await appendRunEvents(tx, { ...run, events: [runEvent(TOLD, 1)] });
  });
  await recordRunEvents(pool, { userId: "ada", lease, ...run, events: [runEvent(TOLD, 2)] });

  const story = await as("ada", (tx) => readRunWithEvents(tx, { ...run, after: 0, limit: 9 }));
  const events = await as("ada", (tx) => readSentEvents(tx, run.runId));
  const texts = [...(story?.events ?? []).map(({ data }) => data), ...events.turn].map((data) =>
    JSON.stringify(data),
  );
  expect(texts).toEqual(Array.from({ length: 4 }, () => JSON.stringify(TOLD)));
});
