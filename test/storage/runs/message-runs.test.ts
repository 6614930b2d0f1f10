import { randomUUID } from "node:crypto";
import { afterAll, expect, test } from "vitest";
import { cancelInThread } from "../../../server/runs/cancel-run.ts";
import { createRun, type RunRequest } from "../../../server/runs/create-run.ts";
import { DEFAULT_LIMITS } from "../../../state/limits.ts";
import type { RunRecord } from "../../../state/run.ts";
import type { Queryable } from "../../../state/store.ts";
import { countAttempt, enqueueMessage } from "../../../storage/conversations/inbox.ts";
import { openJobQueue } from "../../../storage/runs/jobs.ts";
import { silentLog } from "../../../state/log.ts";
import {
  isTakenUp,
  isWorkedOnWithoutRun,
  lockNewestRun,
} from "../../../storage/runs/message-runs.ts";
import { acquireLease, renewLease } from "../../../storage/conversations/leases.ts";
import { deleteRun, finishRun, insertRun, listRuns } from "../../../storage/runs/runs.ts";
import { claimThread } from "../../../storage/conversations/threads.ts";
import { asUser } from "../../../storage/users/user-data.ts";
import { claimRun } from "../../../worker/claim-run.ts";
import { testDatabase } from "../../support/database.ts";
import { newRun } from "../../support/stored-run.ts";
import { untilOneWaits } from "../../support/until-one-waits.ts";

// A client that goes on with a message, and a worker that takes it up: whoever comes second finds
// the run that the first has made.

const database = await testDatabase();
const { pool, owner } = database;
const jobs = await openJobQueue(pool, silentLog);
afterAll(() => jobs.close());

const userId = "ada";
const FAILED = { code: "internal", message: "Broken" };

function as<T>(work: (tx: Queryable) => Promise<T>): Promise<T> {
  return asUser(pool, { userId }, work);
}

/** Works in a transaction that stays open; returns what commits it. */
async function leaveOpen(work: (tx: Queryable) => Promise<void>): Promise<() => Promise<void>> {
  const [isDone, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const working = as(async (tx) => {
    await work(tx);
    isDone.resolve();
    await mayEnd.promise;
  });
  await isDone.promise;
  return () => {
    mayEnd.resolve();
    return working;
  };
}

/** A message that waits, with the run that failed, or, as the terminal leaves it, with none. */
async function waitingMessage({ hasRun }: { readonly hasRun: boolean }) {
  const [threadId, messageId] = [randomUUID(), randomUUID()];
  await as(async (tx) => {
    await claimThread(tx, { threadId });
    await enqueueMessage(tx, { threadId, messageId, text: "Hello", run: {} });
    if (!hasRun) return;
    const runId = `failed in ${threadId}`;
    await insertRun(tx, newRun({ runId, threadId, messageId }));
    await finishRun(tx, { runId, status: "error", error: FAILED });
  });
  return { threadId, messageId, userId, text: "Hello", run: {} };
}
type Message = Awaited<ReturnType<typeof waitingMessage>>;

/** The client's part; `beforeItEnds` is awaited in its transaction, at the end. */
function resume(
  { threadId }: Message,
  beforeItEnds: () => Promise<void> = async () => undefined,
): Promise<RunRecord> {
  const request: RunRequest = {
    threadId,
    message: null,
    person: { today: "2026-01-12", timeZone: "UTC", locale: "en" },
    trace: false,
    modes: ["values"],
    subgraphs: false,
    strategy: "enqueue",
    metadata: {},
    ifMissing: "reject",
  };
  const sending: typeof jobs.send = async (tx, thread) => {
    await jobs.send(tx, thread);
    await beforeItEnds();
  };
  return createRun(
    {
      pool,
      graph: { getState: () => Promise.reject(new Error("Cannot read: no state is needed")) },
      jobs: { ...jobs, send: sending },
      limits: DEFAULT_LIMITS,
      newId: randomUUID,
    },
    { userId, via: "loopback" },
    request,
  );
}

/** The worker's part, likewise. */
function claim(
  message: Message,
  beforeItEnds: () => Promise<void> = async () => undefined,
): Promise<RunRecord | undefined> {
  return as(async (tx) => {
    const claimed = await claimRun(tx, message, randomUUID);
    await beforeItEnds();
    return claimed?.run;
  });
}

type Part = typeof resume | typeof claim;

/** Both at once: the second begins while the first has not committed. */
async function meet(message: Message, [first, second]: readonly [Part, Part]) {
  const [isDone, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const one = first(message, async () => {
    isDone.resolve();
    await mayEnd.promise;
  });
  await isDone.promise;
  const other = second(message);
  try {
    await untilOneWaits(owner);
  } finally {
    mayEnd.resolve();
  }
  return Promise.all([one, other]);
}

const PARTS = { resume, claim };

test.each([
  { hasRun: true, order: ["resume", "claim"] },
  { hasRun: true, order: ["claim", "resume"] },
  { hasRun: false, order: ["resume", "claim"] },
  { hasRun: false, order: ["claim", "resume"] },
] as const)(
  "a message gets one run, had it one before: $hasRun, $order.0 first",
  async ({ hasRun, order }) => {
    const message = await waitingMessage({ hasRun });
    const [one, other] = await meet(message, [PARTS[order[0]], PARTS[order[1]]]);

    expect(other?.runId).toBe(one?.runId);
    const runs = await as((tx) =>
      listRuns(tx, { threadId: message.threadId, limit: 10, offset: 0 }),
    );
    expect(runs.map(({ status }) => status)).toEqual(hasRun ? ["running", "error"] : ["running"]);
  },
);

test("isWorkedOnWithoutRun() and isTakenUp() do not count a lease that ran out", async () => {
  const message = await waitingMessage({ hasRun: false });
  const { threadId, messageId } = message;
  const lease = { threadId, owner: "a terminal", fence: 1 };
  const isWorkedOn = () =>
    as(async (tx) => [
      await isWorkedOnWithoutRun(tx, threadId),
      await isTakenUp(tx, { threadId, messageId }),
    ]);
  await acquireLease(pool, { ...lease, ttlMs: 60_000 });
  await as((tx) => countAttempt(tx, { threadId, messageId, from: "", uncounted: 0 }));
  expect(await isWorkedOn()).toEqual([true, true]);

  await renewLease(pool, { ...lease, ttlMs: -1 });
  expect(await isWorkedOn()).toEqual([false, false]);
});

test("a run that is taken back with its message while a worker takes it up gets no follower", async () => {
  const message = await waitingMessage({ hasRun: false });
  const { threadId, messageId } = message;
  const runId = `waiting in ${threadId}`;
  await as((tx) => insertRun(tx, newRun({ runId, threadId, messageId })));
  const end = await leaveOpen(async (tx) => {
    await cancelInThread(tx, { runId, action: "rollback" });
  });
  const claimed = claim(message);
  await untilOneWaits(owner);
  await end();

  expect(await claimed).toBeUndefined();
  expect(await as((tx) => listRuns(tx, { threadId, limit: 10, offset: 0 }))).toEqual([]);
});

test("a run that is deleted or followed up while it is waited for is not the newest", async () => {
  for (const isFollowed of [false, true]) {
    const message = await waitingMessage({ hasRun: true });
    const [failed] = await as((tx) =>
      listRuns(tx, { threadId: message.threadId, limit: 1, offset: 0 }),
    );
    const runId = failed?.runId ?? "";
    const next = `next in ${message.threadId}`;
    const end = await leaveOpen(async (tx) => {
      await lockNewestRun(tx, message);
      if (isFollowed) await insertRun(tx, newRun({ ...message, runId: next }));
      else await deleteRun(tx, runId);
    });
    const found = as((tx) => lockNewestRun(tx, message));
    await untilOneWaits(owner);
    await end();
    expect((await found)?.runId).toBe(isFollowed ? next : undefined);
  }
});
