import { testEffect } from "../support/effect.ts";
import { fc, test as lawTest } from "@fast-check/vitest";
import { afterAll, expect, test } from "vitest";
import { createApiKey, revokeApiKey } from "../../storage/users/api-keys.ts";
import { createCheckpointer } from "../../storage/checkpoints/checkpointer.ts";
import { eraseUserData } from "../../storage/users/erase-user.ts";
import { exportUserData } from "../../storage/users/export-user.ts";
import { openJobQueue } from "../../storage/runs/jobs.ts";
import { releaseLease } from "../../storage/conversations/leases.ts";
import { silentLog } from "../../state/log.ts";
import { finishRun } from "../../storage/runs/runs.ts";
import {
  inOrderOfDeletion,
  listUserTables,
  type UserTable,
} from "../../storage/users/user-tables.ts";
import { claimThread, type ThreadClaim } from "../../storage/conversations/threads.ts";
import { asUser } from "../../storage/users/user-data.ts";
import { KeyGoneError } from "../../storage/users/user-entry.ts";
import { ADDING } from "../support/adding.ts";
import { testDatabase } from "../support/database.ts";
import { fillThread } from "../support/full-thread.ts";
import { takeLease } from "../support/test-leases.ts";
import { testThread, type TestThread } from "../support/test-thread.ts";
import { untilOneWaits } from "../support/until-one-waits.ts";
import { wholeDatabase } from "../support/whole-database.ts";
import { probeMigrations } from "./probe.ts";

const database = await testDatabase({ migrations: [probeMigrations] });
const { pool, admin, owner } = database;
const checkpointer = createCheckpointer(pool);
const jobs = await openJobQueue(pool, silentLog);

afterAll(() => jobs.close());

/** A user who has used everything. */
async function live(): Promise<TestThread> {
  const thread = await testThread(database, { behaviour: ADDING });
  const { userId, threadId } = thread.run;
  await thread.send("add figs");
  await asUser(pool, { userId }, async (tx) => {
    await fillThread(tx, { threadId, runId: `run of ${threadId}`, events: 250 });
    await jobs.send(tx, { threadId, userId });
  });
  await database.userData.write(userId, testEffect(`note of ${threadId}`, threadId), async (tx) => {
    await tx.query("insert into notes (text) values ($1)", [`a "note"\nin ${threadId}`]);
    return null;
  });
  await createApiKey(pool, { userId, label: "tablet", expiresAt: null });
  return thread;
}

function finish({ run: { userId, threadId } }: TestThread): Promise<void> {
  return asUser(pool, { userId }, (tx) =>
    finishRun(tx, { runId: `run of ${threadId}`, status: "success" }),
  );
}

/** With the jobs, which are in another schema. */
async function everything(): Promise<Readonly<Record<string, string>>> {
  const { rows } = await owner.query("select id, data from concierge_jobs.job order by id");
  return { ...(await wholeDatabase(database)), jobs: JSON.stringify(rows) };
}

/** Result of `wholeDatabase` for a table without rows. */
const EMPTY = "";

async function exported(userId: string): Promise<Record<string, unknown>[]> {
  const lines: Record<string, unknown>[] = [];
  for await (const line of exportUserData({ pool, checkpointer }, userId)) {
    expect(line).not.toContain("\n");
    lines.push(JSON.parse(line) as Record<string, unknown>);
  }
  return lines;
}

test("eraseUserData() leaves the database as if the user had never been", async () => {
  const bob = await live();
  await finish(bob);
  const before = await everything();
  const ada = await live();
  const { userId, threadId } = ada.run;
  const lived = await everything();
  const touched = Object.keys(lived).filter((table) => lived[table] !== before[table]);
  const tables = await listUserTables(pool);
  const used = tables.map(({ name }) => name).filter((name) => before[name] !== EMPTY);
  expect(touched).toEqual(
    expect.arrayContaining([...used, "checkpoints", "checkpoint_blobs", "leases", "jobs"]),
  );
  expect(used).toEqual(expect.arrayContaining(["api_keys", "inbox", "notes", "run_events"]));

  expect(await eraseUserData(admin, userId)).toBe("busy");
  expect(await everything()).toEqual(lived);
  await finish(ada);
  const lease = await takeLease(database, threadId);
  const finished = await everything();
  expect(await eraseUserData(admin, userId)).toBe("busy");
  expect(await everything()).toEqual(finished);
  await releaseLease(pool, { threadId, ...lease });

  expect(await eraseUserData(admin, userId)).toBe("erased");
  expect(await everything()).toEqual(before);
  expect(await exported(userId)).toEqual([
    { kind: "user", userId },
    { kind: "end", lines: 1 },
  ]);
  expect(await eraseUserData(admin, userId)).toBe("erased");
});

test("eraseUserData() waits for a thread that is being made, and erases it", async () => {
  const userId = "maker";
  const [isMade, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const making = asUser(pool, { userId, entry: { keyId: null } }, async (tx) => {
    await claimThread(tx, { threadId: "made meanwhile" });
    isMade.resolve();
    await mayEnd.promise;
  });
  await isMade.promise;
  const erasing = eraseUserData(admin, userId);
  await untilOneWaits(owner);
  mayEnd.resolve();
  await making;

  expect(await erasing).toBe("erased");
  const { rows } = await owner.query("select from threads where user_id = $1", [userId]);
  expect(rows).toEqual([]);
});

test("nothing is made with a key that was revoked, ran out, or was erased with its user", async () => {
  const userId = "keyholder";
  const keyFor = async (expiresAt: Date | null) =>
    (await createApiKey(pool, { userId, label: "tablet", expiresAt })).record.keyId;
  const make = (keyId: string): Promise<ThreadClaim> =>
    asUser(pool, { userId, entry: { keyId } }, (tx) => claimThread(tx, { threadId: keyId }));
  const [revoked, expired, erased] = [
    await keyFor(null),
    await keyFor(new Date(0)),
    await keyFor(null),
  ];
  await revokeApiKey(pool, revoked);
  const other = await createApiKey(pool, { userId: "other", label: "tablet", expiresAt: null });

  expect(await make(erased)).toBe("created");
  expect(await eraseUserData(admin, userId)).toBe("erased");
  for (const keyId of [revoked, expired, erased, other.record.keyId]) {
    await expect(make(keyId)).rejects.toThrow(KeyGoneError);
  }
  const { rows } = await owner.query("select from threads where user_id = $1", [userId]);
  expect(rows).toEqual([]);
});

test("exportUserData() tells every row of every table once, and the state of each thread", async () => {
  const eve = await live();
  const { userId, threadId } = eve.run;
  const lines = await exported(userId);
  expect(lines.at(0)).toEqual({ kind: "user", userId });
  expect(lines.at(-1)).toEqual({ kind: "end", lines: lines.length - 1 });

  const tables = await listUserTables(pool);
  for (const { name } of tables) {
    const { rows } = await owner.query<{ row: Record<string, unknown> }>(
      `select to_jsonb(t) - 'hash' as row from ${name} as t where user_id = $1`,
      [userId],
    );
    const exported = lines.filter((line) => line["table"] === name).map((line) => line["row"]);
    expect(exported).toHaveLength(rows.length);
    expect(exported).toEqual(expect.arrayContaining(rows.map(({ row }) => row)));
  }
  const events = lines.filter((line) => line["table"] === "run_events");
  expect(events.map((line) => (line["row"] as { seq: number }).seq)).toEqual(
    Array.from({ length: 250 }, (_, index) => index + 1),
  );
  const states = lines.filter(({ kind }) => kind === "state");
  // What was never changed is not stored.
  const { turn, messages, effects, registry, replies } = await eve.state();
  const known: unknown = JSON.parse(JSON.stringify({ turn, messages, effects, registry, replies }));
  expect(states).toMatchObject([{ kind: "state", threadId, state: known }]);
});

test("an export holds no connection while nobody reads it", async () => {
  const kim = await live();
  const lines = exportUserData({ pool, checkpointer }, kim.run.userId);
  for (let n = 0; n < 20; n += 1) await lines.next();
  expect(pool.totalCount - pool.idleCount).toBe(0);
  await lines.return(undefined);
});

test("nobody has no data to export or erase", async () => {
  await expect(eraseUserData(admin, "")).rejects.toThrow(RangeError);
  await expect(exported("")).rejects.toThrow(RangeError);
});

test("listUserTables() knows the domains' tables too, and every one has a key to page by", async () => {
  const tables = await listUserTables(pool);
  expect(tables.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["api_keys", "inbox", "notes", "recipes", "run_events", "threads"]),
  );
  expect(tables.filter(({ key }) => key.length === 0)).toEqual([]);
  expect(tables.find(({ name }) => name === "run_events")).toEqual({
    name: "run_events",
    key: ["run_id", "seq"],
    references: ["runs"],
  });
});

/** Tables that point to earlier ones of the list, in any order. */
const TABLES = fc
  .array(fc.array(fc.nat({ max: 9 }), { maxLength: 3 }), { maxLength: 10 })
  .map((pointers) =>
    pointers.map((to, index): UserTable => ({
      name: `t${index}`,
      key: [],
      references: to.filter((target) => target <= index).map((target) => `t${target}`),
    })),
  )
  .chain((tables) => fc.shuffledSubarray(tables, { minLength: tables.length }));

lawTest.prop([TABLES])("inOrderOfDeletion() puts no table after one it points to", (tables) => {
  const order = inOrderOfDeletion(tables);
  expect(order.toSorted((a, b) => a.name.localeCompare(b.name))).toEqual(
    tables.toSorted((a, b) => a.name.localeCompare(b.name)),
  );
  const place = (name: string): number => order.findIndex((table) => table.name === name);
  const wrong = order.flatMap(({ name, references }) =>
    references.filter((target) => target !== name && place(target) < place(name)),
  );
  expect(wrong).toEqual([]);
});
