import { beforeAll, expect, test } from "vitest";
import type { JsonObject } from "../../../state/json.ts";
import type { RunStatus } from "../../../state/run.ts";
import type { Queryable } from "../../../state/store.ts";
import { dropDecision, saveTurn } from "../../../storage/conversations/archive-rows.ts";
import { finishRun, insertRun, startRun } from "../../../storage/runs/runs.ts";
import {
  countThreads,
  findThread,
  lockThread,
  patchThread,
  searchThreads,
  type ThreadSearch,
} from "../../../storage/conversations/thread-records.ts";
import { claimThread } from "../../../storage/conversations/threads.ts";
import { asUser } from "../../../storage/users/user-data.ts";
import { testDatabase } from "../../support/database.ts";
import { turnRow } from "../../support/replies.ts";
import { newRun } from "../../support/stored-run.ts";

const { pool, owner } = await testDatabase();

function as<T>(userId: string, work: (tx: Queryable) => Promise<T>): Promise<T> {
  return asUser(pool, { userId }, work);
}

async function addRun(tx: Queryable, run: { threadId: string; runId: string; status: RunStatus }) {
  const { threadId, runId, status } = run;
  await insertRun(tx, newRun({ threadId, runId, messageId: runId }));
  if (status === "pending") return;
  await startRun(tx, runId);
  if (status !== "running") await finishRun(tx, { runId, status });
}

/** Each a day younger than the one before. */
const THREADS: Readonly<Record<string, { metadata: JsonObject; runs: readonly RunStatus[] }>> = {
  empty: { metadata: {}, runs: [] },
  answered: { metadata: { about: { meal: "dinner", days: [1, 2] } }, runs: ["error", "success"] },
  failed: { metadata: { about: { meal: "lunch" }, starred: true }, runs: ["success", "error"] },
  slow: { metadata: {}, runs: ["timeout"] },
  stopped: { metadata: { starred: true }, runs: ["interrupted"] },
  waiting: { metadata: { starred: false }, runs: ["success", "pending"] },
  working: { metadata: {}, runs: ["running", "interrupted"] },
};

beforeAll(async () => {
  await as("ada", async (tx) => {
    let day = 1;
    for (const [threadId, { metadata, runs }] of Object.entries(THREADS)) {
      await claimThread(tx, { threadId, title: threadId });
      await patchThread(tx, { threadId, metadata });
      for (const [n, status] of runs.entries()) {
        await addRun(tx, { threadId, runId: `${threadId}/${n}`, status });
      }
      await tx.query(
        `update threads set created_at = '2026-01-0${day}', updated_at = '2026-02-0${9 - day}' where thread_id = $1`,
        [threadId],
      );
      day += 1;
    }
  });
  await as("bob", (tx) => claimThread(tx, { threadId: "bob's" }));
});

async function search(options: Partial<ThreadSearch>): Promise<string[]> {
  const found = await as("ada", (tx) => searchThreads(tx, { limit: 100, offset: 0, ...options }));
  return found.map(({ threadId }) => threadId);
}

test("findThread() has what clients see of a thread", async () => {
  expect(await as("ada", (tx) => findThread(tx, "failed"))).toEqual({
    threadId: "failed",
    userId: "ada",
    title: "failed",
    metadata: { about: { meal: "lunch" }, starred: true },
    status: "error",
    createdAt: "2026-01-03T00:00:00.000Z",
    updatedAt: "2026-02-06T00:00:00.000Z",
  });
  expect(await as("ada", (tx) => findThread(tx, "bob's"))).toBeNull();
  expect(await as("ada", (tx) => findThread(tx, "nobody's"))).toBeNull();
});

test("a thread's status is that of an unfinished run, else of the newest", async () => {
  const found = await as("ada", (tx) => searchThreads(tx, { limit: 100, offset: 0 }));
  expect(Object.fromEntries(found.map(({ threadId, status }) => [threadId, status]))).toEqual({
    empty: "idle",
    answered: "idle",
    failed: "error",
    slow: "error",
    stopped: "interrupted",
    waiting: "busy",
    working: "busy",
  });
});

test("a thread is interrupted while the confirmation of its newest turn waits, unless its newest run failed", async () => {
  const threads: Readonly<Record<string, { until: readonly (string | null)[]; run: RunStatus }>> = {
    asked: { until: [null, FUTURE], run: "success" },
    "answered since": { until: [FUTURE, null], run: "success" },
    expired: { until: [PAST], run: "success" },
    "asked and failed": { until: [FUTURE], run: "error" },
    "at work": { until: [FUTURE], run: "pending" },
    dropped: { until: [FUTURE], run: "success" },
  };

  const statuses = await as("cleo", async (tx) => {
    for (const [threadId, { until, run }] of Object.entries(threads)) {
      await claimThread(tx, { threadId });
      for (const [at, decisionUntil] of until.entries()) {
        await saveTurn(tx, { ...turnRow(threadId, at + 1), decisionUntil });
      }
      await addRun(tx, { threadId, runId: `${threadId}/1`, status: run });
    }
    await dropDecision(tx, "dropped");
    const found = await searchThreads(tx, { limit: 100, offset: 0 });
    return Object.fromEntries(found.map(({ threadId, status }) => [threadId, status]));
  });

  expect(statuses).toEqual({
    asked: "interrupted",
    "answered since": "idle",
    expired: "idle",
    "asked and failed": "error",
    "at work": "busy",
    dropped: "idle",
  });
});

const FUTURE = "2999-01-01T00:00:00Z";
const PAST = "2001-01-01T00:00:00Z";

test.each<[string, Partial<ThreadSearch>, string[]]>([
  ["all, the newest first", {}, Object.keys(THREADS).toReversed()],
  ["a page of them", { limit: 2, offset: 1 }, ["waiting", "stopped"]],
  ["past the end", { offset: 100 }, []],
  ["none", { limit: 0 }, []],
  ["by what their metadata hold", { metadata: { starred: true } }, ["stopped", "failed"]],
  ["deep inside", { metadata: { about: { days: [2] } } }, ["answered"]],
  ["by status", { status: "error" }, ["slow", "failed"]],
  ["by ids", { ids: ["slow", "empty", "bob's"] }, ["slow", "empty"]],
  ["by no ids", { ids: [] }, []],
  [
    "by everything",
    { ids: ["failed", "slow"], status: "error", metadata: { starred: true } },
    ["failed"],
  ],
  ["sorted by id", { sortBy: "threadId", sortOrder: "asc", limit: 2 }, ["answered", "empty"]],
  ["sorted by use", { sortBy: "updatedAt", limit: 2 }, ["empty", "answered"]],
  [
    "sorted by status, then by id",
    { sortBy: "status", sortOrder: "asc", limit: 3 },
    ["waiting", "working", "failed"],
  ],
])("searchThreads() finds %s", async (_, options, found) => {
  expect(await search(options)).toEqual(found);
});

test("countThreads() counts what fits, whatever the page", async () => {
  const count = (filter: Parameters<typeof countThreads>[1]) =>
    as("ada", (tx) => countThreads(tx, filter));
  expect(await count({})).toBe(7);
  expect(await count({ status: "busy" })).toBe(2);
  expect(await count({ metadata: { starred: true } })).toBe(2);
  expect(await as("nobody", (tx) => countThreads(tx))).toBe(0);
});

test("patchThread() merges, keeps what it does not name, and refuses another's", async () => {
  await as("eve", async (tx) => {
    await claimThread(tx, { threadId: "eve's" });
    await patchThread(tx, { threadId: "eve's", metadata: { a: { b: 1, c: 2 }, d: "\0x" } });
    expect(
      await patchThread(tx, { threadId: "eve's", metadata: { a: { b: null }, e: [] } }),
    ).toMatchObject({ metadata: { a: { c: 2 }, d: "x", e: [] } });
  });
  expect(
    await as("mallory", (tx) => patchThread(tx, { threadId: "eve's", metadata: { a: null } })),
  ).toBeNull();
  expect(await as("eve", (tx) => findThread(tx, "eve's"))).toMatchObject({
    metadata: { a: { c: 2 }, d: "x", e: [] },
  });
});

test("patchThread() called many times at once loses nothing", async () => {
  await as("kim", (tx) => claimThread(tx, { threadId: "kim's" }));
  const keys = ["a", "b", "c", "d", "e", "f"];
  await Promise.all(
    keys.map((key) =>
      as("kim", (tx) => patchThread(tx, { threadId: "kim's", metadata: { [key]: 1 } })),
    ),
  );
  const { rows } = await owner.query("select metadata from threads where thread_id = 'kim''s'");
  expect(rows).toEqual([{ metadata: { a: 1, b: 1, c: 1, d: 1, e: 1, f: 1 } }]);
});

test("lockThread() holds a thread of one's own, and no other", async () => {
  const lock = (userId: string, threadId: string) => as(userId, (tx) => lockThread(tx, threadId));
  expect(await lock("ada", "empty")).toBe(true);
  expect(await lock("bob", "empty")).toBe(false);
  await as("ada", async (tx) => {
    await lockThread(tx, "empty");
    await expect(
      as("ada", async (second) => {
        await second.query("set local lock_timeout = 50");
        await lockThread(second, "empty");
      }),
    ).rejects.toThrow(/lock timeout/);
  });
});
