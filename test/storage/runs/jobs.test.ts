import { createRequire } from "node:module";
import { getRollbackPlans } from "pg-boss";
import { afterAll, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { DatabaseUnavailableError } from "../../../storage/postgres/database-error.ts";
import { openDatabase } from "../../../storage/postgres/database.ts";
import { openJobQueue } from "../../../storage/runs/jobs.ts";
import { silentLog, type Log } from "../../../state/log.ts";
import { migrate } from "../../../storage/postgres/migrate.ts";
import { withTransaction } from "../../../storage/postgres/transaction.ts";
import { openDatabaseProxy } from "../../support/database-proxy.ts";
import { projectMigrations } from "../../support/database-url.ts";
import { testDatabase } from "../../support/database.ts";

const database = await testDatabase();
const { pool, owner } = database;
const logged: string[] = [];
const log: Log = { ...silentLog, warn: (message) => logged.push(message) };
const queue = await openJobQueue(pool, log);
const other = await openJobQueue(pool, log);

afterAll(() => Promise.all([queue.close(), other.close()]));

beforeEach(async () => {
  logged.length = 0;
  await owner.query("delete from concierge_jobs.job");
});

function send(threadId: string, userId = "ada"): Promise<void> {
  return withTransaction(pool, (tx) => queue.send(tx, { threadId, userId }));
}

async function listThreadIds(jobs: ReturnType<typeof queue.fetch>): Promise<string[]> {
  return (await jobs).map(({ threadId }) => threadId);
}

/** As if so much time had gone by, and nobody had looked since. */
async function age(column: string, interval: string): Promise<void> {
  await owner.query(
    `update concierge_jobs.job set ${column} = ${column} - interval '${interval}' where ${column} is not null`,
  );
  await owner.query(
    "update concierge_jobs.queue set monitor_claim_on = null, maintain_on = null, monitor_on = null",
  );
}

async function stored() {
  const { rows } = await owner.query(
    "select name, state::text, retry_count as tries, data from concierge_jobs.job order by created_on",
  );
  return rows as unknown[];
}

const ADA = { threadId: "thread-1", userId: "ada" };

test("a job goes to one process, oldest first, and is gone when it is complete", async () => {
  // No name that a client may choose breaks it.
  const names = ["thread-1", "a thread: ż \"'%", "long".repeat(300)];
  for (const name of names) await send(name);
  const first = await queue.fetch(2);
  expect(new Set(first.map(({ threadId, userId }) => `${userId}/${threadId}`))).toEqual(
    new Set(names.slice(0, 2).map((threadId) => `ada/${threadId}`)),
  );
  const rest = await other.fetch(9);
  expect(rest.map(({ threadId }) => threadId)).toEqual(names.slice(2));
  expect(await queue.fetch(9)).toEqual([]);
  for (const { id } of [...first, ...rest]) await queue.complete(id);
  await queue.recover();
  expect(await queue.fetch(9)).toEqual([]);
});

test("a job of a transaction that is rolled back never was", async () => {
  await expect(
    withTransaction(pool, async (tx) => {
      await queue.send(tx, ADA);
      throw new Error("no");
    }),
  ).rejects.toThrow("no");
  expect(await stored()).toEqual([]);
});

test("one job of a thread waits at a time; while one is worked on, another may wait", async () => {
  await send("thread-1");
  await send("thread-1");
  await send("thread-2");
  const [first] = await queue.fetch(9);
  expect(await stored()).toHaveLength(2);
  await send("thread-1");
  await send("thread-1");
  expect(await listThreadIds(other.fetch(9))).toEqual(["thread-1"]);
  await queue.complete(first?.id ?? "");
});

test("a waiting job is not fetched before the message that relies on it can be seen", async () => {
  await send("thread-1");
  await withTransaction(pool, async (tx) => {
    await queue.send(tx, ADA);
    // Whoever fetched it now would not see the message of `tx`, and be done with the thread.
    expect(await other.fetch(9)).toEqual([]);
  });
  expect(await listThreadIds(other.fetch(9))).toEqual(["thread-1"]);
});

test("send() sends a job again where the waiting one is fetched before it can be locked", async () => {
  await send("thread-1");
  await withTransaction(pool, async (tx) => {
    const racing: typeof tx = {
      ...tx,
      async query(text, values) {
        if (/for update\s*$/.test(text)) {
          for (const { id } of await other.fetch(9)) await other.complete(id);
        }
        return tx.query(text, values);
      },
    };
    await queue.send(racing, ADA);
  });
  expect(await listThreadIds(queue.fetch(9))).toEqual(["thread-1"]);
});

test("many senders at once to one thread leave one job", async () => {
  await Promise.all(Array.from({ length: 8 }, () => send("thread-1")));
  expect(await listThreadIds(queue.fetch(9))).toEqual(["thread-1"]);
});

async function count(): Promise<number> {
  const { rows } = await pool.query<{ n: number }>("select count(*) as n from said");
  return rows[0]?.n ?? 0;
}

test("senders and fetchers at once lose nothing: after the last message a job is fetched", async () => {
  let counted = 0;
  await owner.query("create table if not exists public.said (n int)");
  await owner.query("grant all on public.said to concierge_app");
  const work = async (one: typeof queue): Promise<void> => {
    while (counted < 60) {
      for (const { id } of await one.fetch(1)) {
        counted = Math.max(counted, await count());
        await one.complete(id);
      }
    }
  };
  const say = async (): Promise<void> => {
    for (let n = 0; n < 15; n += 1) {
      await withTransaction(pool, async (tx) => {
        await tx.query("insert into said values (1)");
        await queue.send(tx, ADA);
      });
    }
  };
  await Promise.all([say(), say(), say(), say(), work(queue), work(other)]);
  expect(counted).toBe(60);
});

test("retry() gives a job back after a wait that grows, and the error stays with it", async () => {
  await send("thread-1");
  const waits: number[] = [];
  for (let time = 1; time <= 5; time += 1) {
    const [job] = await queue.fetch(1);
    await queue.retry(job?.id ?? "", { code: "database_unavailable", message: "It is away" });
    expect(await queue.fetch(1)).toEqual([]);
    const { rows } = await owner.query<{ wait: number; output: unknown }>(
      "select extract(epoch from start_after - now())::float8 as wait, output from concierge_jobs.job",
    );
    waits.push(rows[0]?.wait ?? 0);
    expect(rows[0]?.output).toEqual({ code: "database_unavailable", message: "It is away" });
    await owner.query("update concierge_jobs.job set start_after = now()");
  }
  // From a half of 2, 4, 8 … seconds to all of it, ten at most.
  const bounds = [2, 4, 8, 10, 10];
  expect(waits.every((wait, index) => wait <= (bounds[index] ?? 0))).toBe(true);
  expect(waits.every((wait, index) => wait > (bounds[index] ?? 0) / 2 - 1)).toBe(true);
});

test("a message to a thread whose job waits to be tried again need not wait with it", async () => {
  await send("thread-1");
  const [job] = await queue.fetch(1);
  await queue.retry(job?.id ?? "", { code: "x", message: "x" });
  await send("thread-1");
  await send("thread-1");
  expect(await listThreadIds(queue.fetch(9))).toEqual(["thread-1"]);
});

test("a job that was tried too often becomes a dead letter", async () => {
  await send("thread-1");
  const [job] = await queue.fetch(1);
  await owner.query("update concierge_jobs.job set retry_count = retry_limit");
  await queue.retry(job?.id ?? "", { code: "x", message: "x" });
  expect(await stored()).toEqual([
    { name: "thread-work", state: "failed", tries: 9_000, data: ADA },
    { name: "thread-work-dead", state: "created", tries: 0, data: ADA },
  ]);
  expect(await queue.fetch(9)).toEqual([]);
});

test("takeDead() tells of each dead letter once, with its reason", async () => {
  await owner.query("update concierge_jobs.queue set retry_limit = 0 where name = 'thread-work'");
  await send("failed");
  await send("untouched");
  await send("told nothing");
  const failed = (await queue.fetch(3)).find(({ threadId }) => threadId === "failed");
  await owner.query(
    "update concierge_jobs.queue set retry_limit = 1500 where name = 'thread-work'",
  );
  await queue.retry(failed?.id ?? "", { code: "broken", message: "It is out of order" });
  await age("heartbeat_on", "11 seconds");
  await queue.recover();
  await owner.query(
    "update concierge_jobs.job set output = null where name = 'thread-work-dead' and data ->> 'threadId' = 'told nothing'",
  );

  const deadLetters = (
    await Promise.all([queue.takeDeadLetters(), other.takeDeadLetters()])
  ).flat();
  expect(deadLetters.toSorted((a, b) => a.threadId.localeCompare(b.threadId))).toEqual([
    { ...ADA, threadId: "failed", reason: "broken: It is out of order" },
    { ...ADA, threadId: "told nothing", reason: null },
    { ...ADA, threadId: "untouched", reason: "job heartbeat timeout" },
  ]);
  expect(await queue.takeDeadLetters()).toEqual([]);
  await age("completed_on", "13 days");
  await queue.recover();
  const kept = (await stored()) as { readonly name: string }[];
  expect(kept.filter(({ name }) => name === "thread-work-dead")).toHaveLength(3);
});

test("recover() gives back what nobody touches, and leaves what somebody does", async () => {
  await send("dead");
  await send("alive");
  const jobs = await other.fetch(2);
  await age("heartbeat_on", "11 seconds");
  await other.heartbeat(jobs.filter(({ threadId }) => threadId === "alive").map(({ id }) => id));
  await other.heartbeat([]);
  await queue.recover();
  expect(await stored()).toEqual([
    { name: "thread-work", state: "retry", tries: 0, data: { ...ADA, threadId: "dead" } },
    { name: "thread-work", state: "active", tries: 0, data: { ...ADA, threadId: "alive" } },
  ]);
  await owner.query("update concierge_jobs.job set start_after = now()");
  expect(await queue.fetch(9)).toEqual(jobs.filter(({ threadId }) => threadId === "dead"));
  expect(logged).toEqual([]);
});

test("recover() by several processes at once does it once", async () => {
  await send("thread-1");
  await other.fetch(1);
  await age("heartbeat_on", "11 seconds");
  await Promise.all([queue.recover(), other.recover(), queue.recover()]);
  expect(await stored()).toEqual([{ name: "thread-work", state: "retry", tries: 0, data: ADA }]);
});

test("a long turn keeps its job, and a finished job is deleted after an hour", async () => {
  await send("long");
  await send("short");
  const jobs = await queue.fetch(2);
  await queue.complete(jobs.find(({ threadId }) => threadId === "short")?.id ?? "");
  await age("started_on", "10 hours");
  await age("completed_on", "59 minutes");
  await queue.recover();
  expect(await stored()).toHaveLength(2);
  await age("completed_on", "2 minutes");
  await queue.recover();
  expect(await stored()).toEqual([
    { name: "thread-work", state: "active", tries: 0, data: { ...ADA, threadId: "long" } },
  ]);
});

test("the queue works as the plain role, which cannot change its tables", async () => {
  const { rows } = await pool.query("select current_user as role");
  expect(rows).toEqual([{ role: "concierge_app" }]);
  await expect(pool.query("create table concierge_jobs.x (id int)")).rejects.toThrow(
    /permission denied for schema/,
  );
  await expect(pool.query("drop table concierge_jobs.job cascade")).rejects.toThrow(
    /must be owner/,
  );
});

test("a database that goes away is an error of its own, and no connection is left in a transaction", async () => {
  const proxy = await openDatabaseProxy(database.url);
  const far = await openDatabase({
    url: proxy.url,
    dataDir: "",
    migrations: projectMigrations(),
    log: silentLog,
    poolSize: 1,
  });
  const cut = await openJobQueue(far.pool, silentLog);
  try {
    proxy.cut();
    await expect(cut.fetch(1)).rejects.toThrow(DatabaseUnavailableError);
    await expect(cut.recover()).rejects.toThrow(DatabaseUnavailableError);
    proxy.mend();
    expect(await cut.fetch(1)).toEqual([]);
    // Its second statement fails, in the middle of what pg-boss sends as one text.
    await owner.query("alter table concierge_jobs.job_common rename to away");
    await age("heartbeat_on", "1 second");
    await expect(cut.recover()).rejects.toThrow(/does not exist/);
    await owner.query("alter table concierge_jobs.away rename to job_common");
    expect((await far.pool.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
  } finally {
    await cut.close();
    await cut.close();
    await far.close();
    await proxy.close();
  }
});

test("migrate() makes the tables of the pg-boss that is installed, and brings older ones up to date", async () => {
  const manifest = z
    .object({ pgboss: z.object({ schema: z.number() }) })
    .parse(createRequire(import.meta.url)("../../../node_modules/pg-boss/package.json"));
  const version = async () => {
    const { rows } = await owner.query("select version from concierge_jobs.version");
    return rows;
  };
  const newest = [{ version: manifest.pgboss.schema }];
  expect(await version()).toEqual(newest);

  await owner.query(getRollbackPlans("concierge_jobs", manifest.pgboss.schema));
  expect(await version()).toEqual([{ version: manifest.pgboss.schema - 1 }]);
  await expect(openJobQueue(pool, silentLog)).rejects.toThrow(/requires migrations/);
  await owner.query("delete from concierge.migrations_pg_boss");
  await migrate(
    { connectionString: database.url },
    { folders: projectMigrations(), log: silentLog },
  );
  expect(await version()).toEqual(newest);
  await send("thread-1");
  expect(await listThreadIds(queue.fetch(1))).toEqual(["thread-1"]);
});
