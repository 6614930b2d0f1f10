import { fc, test } from "@fast-check/vitest";
import type { PoolClient } from "pg";
import { afterAll, describe, expect } from "vitest";
import { createRunFeed, type RunStep } from "../../../server/stream/run-feed.ts";
import {
  openNotifications,
  notify,
  type NotificationListener,
  type Notifications,
} from "../../../storage/postgres/notifications.ts";
import { silentLog } from "../../../state/log.ts";
import { appendRunEvents } from "../../../storage/runs/run-events.ts";
import { deleteRun, finishRun, insertRun } from "../../../storage/runs/runs.ts";
import { claimThread } from "../../../storage/conversations/threads.ts";
import { asUser } from "../../../storage/users/user-data.ts";
import { testDatabase } from "../../support/database.ts";
import { newRun, runEvent } from "../../support/stored-run.ts";

const database = await testDatabase();
const notifications = await openNotifications(database, silentLog);
afterAll(() => notifications.close());

const USER = "ada";
let runs = 0;

async function newStoredRun(): Promise<string> {
  runs += 1;
  const runId = `run-${runs}`;
  await asUser(database.pool, { userId: USER }, async (tx) => {
    await claimThread(tx, { threadId: "t" });
    await insertRun(tx, newRun({ runId, threadId: "t", messageId: `m-${runs}` }));
  });
  return runId;
}

async function append(runId: string, { from, to }: { from: number; to: number }): Promise<void> {
  const events = Array.from({ length: to - from + 1 }, (_, index) => runEvent({}, from + index));
  await asUser(database.pool, { userId: USER }, async (tx) => {
    await appendRunEvents(tx, { runId, events });
    await notify(tx, "run", runId);
  });
}

async function end(runId: string): Promise<void> {
  await asUser(database.pool, { userId: USER }, async (tx) => {
    await finishRun(tx, { runId, status: "success" });
    await notify(tx, "run", runId);
  });
}

/** Notifications whose listeners are counted, and that can be sent by hand. */
function watchNotifications(
  inner: Pick<Notifications, "listen"> = { listen: () => () => undefined },
) {
  const listeners = new Set<NotificationListener>();
  const watched: Pick<Notifications, "listen"> = {
    listen(name, listener) {
      const stop = inner.listen(name, listener);
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        stop();
      };
    },
  };
  return { watched, listeners };
}

async function collect(steps: AsyncIterable<RunStep>): Promise<RunStep[]> {
  const all: RunStep[] = [];
  for await (const step of steps) all.push(step);
  return all;
}

function seqs(steps: readonly RunStep[]): number[] {
  return steps.flatMap(({ events }) => events.map(({ seq }) => seq));
}

/** A feed whose first reading comes back when it is let go, with what was there when it began. */
async function slowFeed() {
  const { watched, listeners } = watchNotifications();
  const [isRead, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const keepBack = (): Promise<void> => {
    isRead.resolve();
    return held.promise;
  };
  let readings = 0;
  const pool = new Proxy(database.pool, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key);
      if (typeof value !== "function") return value;
      if (key !== "connect") return value.bind(target);
      return async () => {
        const client = await target.connect();
        readings += 1;
        return readings === 1 ? withSlowAnswer(client, keepBack) : client;
      };
    },
  });
  const feed = createRunFeed({ pool, notifications: watched });
  const runId = await newStoredRun();
  const wake = (): void => listeners.forEach((listener) => listener(runId));
  return { feed, runId, wake, isRead: isRead.promise, letGo: held.resolve };
}

/** A connection whose first answer is kept back. */
function withSlowAnswer(client: PoolClient, keepBack: () => Promise<void>): PoolClient {
  let queries = 0;
  return new Proxy(client, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key);
      if (typeof value !== "function") return value;
      if (key !== "query") return value.bind(target);
      return async (...args: unknown[]): Promise<unknown> => {
        queries += 1;
        const isFirst = queries === 1;
        const answer: unknown = await Reflect.apply(value, target, args);
        if (isFirst) await keepBack();
        return answer;
      };
    },
  });
}

/** The numbers of the first events that a follower gets. */
async function firstEvents(steps: AsyncIterable<RunStep>): Promise<number[]> {
  for await (const step of steps) return seqs([step]);
  return [];
}

const NEVER = new AbortController().signal;

describe("createRunFeed()", () => {
  test("follow() yields nothing of another user's run, and ends with a run that is deleted", async () => {
    const feed = createRunFeed({ pool: database.pool, notifications });
    const runId = await newStoredRun();
    await append(runId, { from: 1, to: 2 });
    const gone = [{ events: [], ended: null, isGone: true }];
    expect(await collect(feed.follow({ userId: "eve", runId, after: 0 }, NEVER))).toEqual(gone);

    const steps = collect(feed.follow({ userId: USER, runId, after: 2 }, NEVER));
    await asUser(database.pool, { userId: USER }, async (tx) => {
      await deleteRun(tx, runId);
      await notify(tx, "run", runId);
    });
    expect(await steps).toEqual(gone);
  });

  test("follow() reads again when notifications may have been missed", async () => {
    const { watched, listeners } = watchNotifications();
    const feed = createRunFeed({ pool: database.pool, notifications: watched });
    const runId = await newStoredRun();
    const following = feed.follow({ userId: USER, runId, after: 0 }, NEVER)[Symbol.asyncIterator]();
    const first = following.next();
    await append(runId, { from: 1, to: 1 });
    listeners.forEach((listener) => listener(null));
    expect((await first).value?.events).toHaveLength(1);
    await following.return?.();
  });

  test("follow() leaves nothing behind, whenever its follower goes", async () => {
    const { watched, listeners } = watchNotifications(notifications);
    const feed = createRunFeed({ pool: database.pool, notifications: watched });
    const runId = await newStoredRun();
    await append(runId, { from: 1, to: 1 });
    const leave = async (when: "before" | "reading" | "waiting"): Promise<void> => {
      const gone = new AbortController();
      if (when === "before") gone.abort();
      const following = feed.follow({ userId: USER, runId, after: 0 }, gone.signal);
      const steps = following[Symbol.asyncIterator]();
      const first = steps.next();
      if (when === "reading") gone.abort();
      const { done } = await first;
      expect(done).toBe(when !== "waiting");
      const second = steps.next();
      gone.abort();
      expect((await second).done).toBe(true);
    };
    const times = ["before", "reading", "waiting"] as const;
    await Promise.all(
      Array.from({ length: 60 }, (_, index) => leave(times[index % 3] ?? "before")),
    );
    expect([feed.count(), listeners.size]).toEqual([0, 0]);
  });

  test("follow() shares a reading among followers at the same place", async () => {
    let reads = 0;
    const pool = new Proxy(database.pool, {
      get(target, key) {
        if (key === "connect") reads += 1;
        const value: unknown = Reflect.get(target, key);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
    const feed = createRunFeed({ pool, notifications });
    const runId = await newStoredRun();
    const place = { userId: USER, runId, after: 0 };
    const following = Array.from({ length: 200 }, () => collect(feed.follow(place, NEVER)));
    await expect.poll(() => feed.count()).toBe(200);
    await append(runId, { from: 1, to: 3 });
    await end(runId);
    const received = await Promise.all(following);
    expect(new Set(received.map((steps) => seqs(steps).join()))).toEqual(new Set(["1,2,3"]));
    expect(reads).toBeLessThan(20);
  });

  test("follow() yields the end after the last batch of events", async () => {
    const feed = createRunFeed({ pool: database.pool, notifications });
    const runId = await newStoredRun();
    await append(runId, { from: 1, to: 128 });
    await end(runId);
    const steps = await collect(feed.follow({ userId: USER, runId, after: 0 }, NEVER));
    expect(seqs(steps)).toEqual(Array.from({ length: 128 }, (_, index) => index + 1));
    expect(steps.map(({ ended }) => ended?.status ?? null)).toEqual([null, null, "success"]);
  });

  // Rows are read again every 20 seconds without a notification: later than these tests wait.
  const SOON = { timeout: 10_000 };

  test("follow() does not share a reading that began before a notification", SOON, async () => {
    const { feed, runId, wake, isRead, letGo } = await slowFeed();
    const first = firstEvents(feed.follow({ userId: USER, runId, after: 0 }, NEVER));
    await isRead;
    await append(runId, { from: 1, to: 1 });
    wake();
    // The first reading has not come back yet: this one must not wait for it.
    const second = firstEvents(feed.follow({ userId: USER, runId, after: 0 }, NEVER));
    expect(await second).toEqual([1]);
    letGo();
    expect(await first).toEqual([1]);
  });

  test("follow() reads again after a notification during a reading", SOON, async () => {
    const { feed, runId, wake, isRead, letGo } = await slowFeed();
    const first = firstEvents(feed.follow({ userId: USER, runId, after: 0 }, NEVER));
    await isRead;
    await append(runId, { from: 1, to: 1 });
    wake();
    letGo();
    expect(await first).toEqual([1]);
  });

  test("follow() does not share a reading with another user", async () => {
    const { feed, runId, letGo } = await slowFeed();
    await append(runId, { from: 1, to: 1 });
    const own = firstEvents(feed.follow({ userId: USER, runId, after: 0 }, NEVER));
    const foreign = collect(feed.follow({ userId: "eve", runId, after: 0 }, NEVER));
    letGo();
    expect(await own).toEqual([1]);
    expect(await foreign).toEqual([{ events: [], ended: null, isGone: true }]);
  });

  test.prop(
    [
      fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 5 }),
      fc.array(fc.nat(100), { minLength: 1, maxLength: 6 }),
    ],
    { numRuns: 15 },
  )("follow() yields every event after a place once, in order", async (batches, places) => {
    const feed = createRunFeed({ pool: database.pool, notifications });
    const runId = await newStoredRun();
    const total = batches.reduce((sum, size) => sum + size, 0);
    const from = places.map((place) => Math.min(place, total));
    const following = from.map((after) =>
      collect(feed.follow({ userId: USER, runId, after }, NEVER)),
    );
    let appended = 0;
    for (const size of batches) {
      await append(runId, { from: appended + 1, to: appended + size });
      appended += size;
    }
    await end(runId);
    const all = Array.from({ length: total }, (_, index) => index + 1);
    expect((await Promise.all(following)).map(seqs)).toEqual(from.map((after) => all.slice(after)));
  });
});
