import { expect, test } from "vitest";
import type { RemovedRows } from "../../storage/conversations/remove-old-rows.ts";
import { asUser } from "../../storage/users/user-data.ts";
import { claimThread } from "../../storage/conversations/threads.ts";
import { appendRunEvents } from "../../storage/runs/run-events.ts";
import { finishRun, insertRun } from "../../storage/runs/runs.ts";
import { startRetention } from "../../worker/retention.ts";
import { testDatabase } from "../support/database.ts";
import { newRun, runEvent } from "../support/stored-run.ts";

const database = await testDatabase();
const RETENTION = {
  eventsHours: 24,
  runsDays: 30,
  journalDays: 30,
  repetitionDays: 90,
  checkpointsDays: null,
  archiveDays: null,
  leaseSeconds: 15,
};

/** A run that ended so many days ago, with an event. */
async function oldRun(runId: string, days: number): Promise<void> {
  await asUser(database.pool, { userId: "ann" }, async (tx) => {
    await claimThread(tx, { threadId: "t" });
    await insertRun(tx, newRun({ runId, threadId: "t", messageId: runId }));
    await finishRun(tx, { runId, status: "success" });
    await appendRunEvents(tx, { runId, events: [runEvent({})] });
    await tx.query(
      "update runs set finished_at = now() - $2 * interval '1 day' where run_id = $1",
      [runId, days],
    );
  });
}

test("startRetention() removes what is too old at its start, and again after a while", async () => {
  await oldRun("very-old", 31);
  await oldRun("old", 2);
  const removals: RemovedRows[] = [];
  const waiting: (() => void)[] = [];
  const next = (): Promise<void> => new Promise((resolve) => void waiting.push(resolve));
  const failures: unknown[] = [];
  let received = next();

  const stop = startRetention({
    database,
    retention: RETENTION,
    onRemoved(removed) {
      removals.push(removed);
      for (const wake of waiting.splice(0)) wake();
    },
    onFailure: (error) => void failures.push(error),
    everyMs: 20,
  });
  await received;
  await oldRun("older", 40);
  received = next();
  await received;
  // One may have begun before the row was there.
  received = next();
  await received;
  await stop();

  expect(removals[0]).toMatchObject({ users: 1, events: 2, runs: 1 });
  expect(removals.slice(1).reduce((sum, { runs }) => sum + runs, 0)).toBe(1);
  expect(failures).toEqual([]);
  const { rows } = await database.owner.query("select run_id from runs");
  expect(rows).toEqual([{ run_id: "old" }]);
});

test("startRetention() tries again sooner after a failure", async () => {
  const failures: unknown[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();

  const stop = startRetention({
    database,
    retention: { ...RETENTION, eventsHours: Number.NaN },
    onRemoved: () => undefined,
    onFailure(error) {
      failures.push(error);
      if (failures.length === 2) resolve();
    },
    againMs: 1,
  });
  await promise;
  await stop();

  expect(failures.length).toBeGreaterThanOrEqual(2);
});
