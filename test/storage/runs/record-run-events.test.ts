import { expect, test, vi } from "vitest";
import { openNotifications } from "../../../storage/postgres/notifications.ts";
import { silentLog } from "../../../state/log.ts";
import { recordRunEvents } from "../../../storage/runs/record-run-events.ts";
import { readRunWithEvents } from "../../../storage/runs/run-events.ts";
import { insertRun } from "../../../storage/runs/runs.ts";
import { asUser } from "../../../storage/users/user-data.ts";
import { testDatabase } from "../../support/database.ts";
import { newRun, runEvent } from "../../support/stored-run.ts";
import { takeLease } from "../../support/test-leases.ts";

const database = await testDatabase();
const { pool } = database;

const event = (seq: number, text = "said") => runEvent({ text }, seq);

/** A run of Ada's in a thread that "me" holds. */
async function heldRun(threadId: string) {
  const runId = `run of ${threadId}`;
  await asUser(pool, { userId: "ada" }, (tx) =>
    insertRun(tx, newRun({ runId, threadId, messageId: "m" })),
  );
  return { userId: "ada", threadId, lease: await takeLease(database, threadId), runId };
}

async function read(userId: string, runId: string) {
  const place = { runId, after: 0, limit: 10 };
  return (await asUser(pool, { userId }, (tx) => readRunWithEvents(tx, place)))?.events ?? null;
}

test("events are stored for their user, and once however often they are sent", async () => {
  const run = await heldRun("own");
  await recordRunEvents(pool, { ...run, events: [event(1), event(2, "NUL \0 and \ud800")] });
  await recordRunEvents(pool, { ...run, events: [event(2, "again"), event(3)] });

  expect(await read("ada", run.runId)).toEqual([event(1), event(2, "NUL  and \ufffd"), event(3)]);
  expect(await read("bob", run.runId)).toBeNull();
});

test("recordRunEvents() notifies those who follow the run", async () => {
  const run = await heldRun("followed");
  const received = Promise.withResolvers<string | null>();
  const notifications = await openNotifications(database, silentLog);
  try {
    notifications.listen("run", received.resolve);
    await recordRunEvents(pool, { ...run, events: [event(1)] });
    expect(await received.promise).toBe(run.runId);
  } finally {
    await notifications.close();
  }
});

test("recordRunEvents() leaves no user behind on the connection", async () => {
  const run = await heldRun("left");
  const client = await pool.connect();
  try {
    const release = vi.spyOn(client, "release").mockReturnValue(undefined);
    await recordRunEvents({ connect: async () => client }, { ...run, events: [event(1)] });
    release.mockRestore();
    const { rows } = await client.query("select concierge_user() as who");
    expect(rows).toEqual([{ who: null }]);
  } finally {
    client.release();
  }
});

test("nothing is stored under a lease that is another's by now", async () => {
  const run = await heldRun("lost");
  const stale = { ...run.lease, fence: run.lease.fence - 1 };
  const late = recordRunEvents(pool, { ...run, lease: stale, events: [event(1)] });
  await expect(late).rejects.toMatchObject({ name: "LeaseLostError", code: "lease_lost" });
  expect(await read("ada", run.runId)).toEqual([]);
});
