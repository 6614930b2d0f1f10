import { expect, onTestFinished, test } from "vitest";
import {
  openNotifications,
  notify,
  type Notifications,
} from "../../../storage/postgres/notifications.ts";
import { openDatabase } from "../../../storage/postgres/database.ts";
import { DatabaseUnavailableError } from "../../../storage/postgres/database-error.ts";
import { silentLog, type Log } from "../../../state/log.ts";
import { withTransaction } from "../../../storage/postgres/transaction.ts";
import { openDatabaseProxy } from "../../support/database-proxy.ts";
import { projectMigrations } from "../../support/database-url.ts";
import { testDatabase } from "../../support/database.ts";

const database = await testDatabase();
const { pool, owner } = database;

/** Collects the payloads a listener has received and lets a test wait for more. */
function collectPayloads(
  notifications: Notifications,
  name: Parameters<Notifications["listen"]>[0],
) {
  const received: (string | null)[] = [];
  let wake: (() => void) | null = null;
  const stop = notifications.listen(name, (payload) => {
    received.push(payload);
    wake?.();
  });
  return {
    received,
    stop,
    async until(count: number): Promise<void> {
      while (received.length < count) {
        const { promise, resolve } = Promise.withResolvers<void>();
        wake = resolve;
        await promise;
      }
    },
  };
}

/** Opens the notifications of a process; closed after the test. */
async function open(log: Log = silentLog): Promise<Notifications> {
  const notifications = await openNotifications(database, log);
  onTestFinished(() => notifications.close());
  return notifications;
}

test("notify() reaches every process when its transaction commits, once each", async () => {
  const [one, two] = [await open(), await open()];
  const collectors = [
    collectPayloads(one, "work"),
    collectPayloads(one, "work"),
    collectPayloads(two, "work"),
  ];
  const runs = collectPayloads(one, "run");
  await withTransaction(pool, async (tx) => {
    await notify(tx, "work", "thread-1");
    await notify(tx, "work", "thread-1");
    await notify(tx, "work", "thread-ż 'x");
  });
  await expect(
    withTransaction(pool, async (tx) => {
      await notify(tx, "work", "rolled back");
      throw new Error("no");
    }),
  ).rejects.toThrow("no");
  await notify(pool, "work", "last");
  await notify(pool, "run", "run-1");
  await Promise.all([...collectors.map((one) => one.until(3)), runs.until(1)]);
  for (const { received } of collectors)
    expect(received).toEqual(["thread-1", "thread-ż 'x", "last"]);
  expect(runs.received).toEqual(["run-1"]);
});

test("a listener that was stopped, or throws, is no matter to the others", async () => {
  const warnings: string[] = [];
  const notifications = await open({ ...silentLog, warn: (message) => warnings.push(message) });
  const shared: (string | null)[] = [];
  const listener = (payload: string | null): void => void shared.push(payload);
  const stopFirst = notifications.listen("cancel", listener);
  notifications.listen("cancel", listener);
  notifications.listen("cancel", () => {
    throw new Error("It listens badly");
  });
  const last = collectPayloads(notifications, "cancel");
  stopFirst();
  await notify(pool, "cancel", "run-1");
  await last.until(1);
  expect(shared).toEqual(["run-1"]);
  expect(warnings).toEqual(['A listener to the notification "cancel" failed: It listens badly']);
});

test("openNotifications() connects again when its connection is lost, and says that something may have been missed", async () => {
  const notifications = await open();
  const [work, run] = [
    collectPayloads(notifications, "work"),
    collectPayloads(notifications, "run"),
  ];
  for (let times = 1; times <= 2; times += 1) {
    await owner.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like 'listen %'",
    );
    await Promise.all([work.until(times), run.until(times)]);
  }
  await notify(pool, "work", "thread-1");
  await work.until(3);
  expect(work.received).toEqual([null, null, "thread-1"]);
  expect(run.received).toEqual([null, null]);
});

test("openNotifications() keeps trying while nothing answers, and close() ends that too", async () => {
  const proxy = await openDatabaseProxy(database.url);
  const away = await openDatabase({
    url: proxy.url,
    dataDir: "",
    migrations: projectMigrations(),
    log: silentLog,
  });
  const warnings: string[] = [];
  const { promise: warned, resolve } = Promise.withResolvers<void>();
  const log = {
    ...silentLog,
    warn: (message: string) => {
      warnings.push(message);
      if (message.startsWith("The connection that receives")) resolve();
    },
  };
  try {
    const notifications = await openNotifications(away, log);
    const work = collectPayloads(notifications, "work");
    proxy.cut();
    await warned;
    await expect(openNotifications(away, silentLog)).rejects.toThrow(DatabaseUnavailableError);
    proxy.mend();
    await work.until(1);
    await notify(pool, "work", "thread-1");
    await work.until(2);
    expect(work.received).toEqual([null, "thread-1"]);
    proxy.cut();
    await notifications.close();
    await notifications.close();
    expect(work.received).toEqual([null, "thread-1"]);
  } finally {
    await away.close();
    await proxy.close();
  }
});

test("a connection that does not answer any more is taken for lost", async () => {
  const opened: number[] = [];
  const listen = async () => {
    const client = await database.listen();
    opened.push(opened.length);
    if (opened.length === 1) {
      const query = client.query.bind(client) as (text: string) => Promise<unknown>;
      Object.assign(client, {
        query: (text: string) =>
          text === "select 1" ? Promise.reject(new Error("Query read timeout")) : query(text),
      });
    }
    return client;
  };
  const notifications = await openNotifications({ listen }, silentLog, { checkMs: 5 });
  onTestFinished(() => notifications.close());
  const work = collectPayloads(notifications, "work");
  await work.until(1);
  expect(opened).toEqual([0, 1]);
});

async function listening(): Promise<number | undefined> {
  const { rows } = await owner.query<{ count: number }>(
    "select count(*) from pg_stat_activity where datname = current_database() and query like 'listen %'",
  );
  return rows[0]?.count;
}

test("the connection works as the plain role, like those of the pool", async () => {
  const client = await database.listen();
  try {
    const { rows } = await client.query("select current_user as role");
    expect(rows).toEqual([{ role: "concierge_app" }]);
  } finally {
    await client.end();
  }
});

test("close() leaves no connection behind", async () => {
  const notifications = await openNotifications(database, silentLog);
  expect(await listening()).toBe(1);
  await notifications.close();
  await expect.poll(listening).toBe(0);
});

test("notify() reports the database as unavailable when it cannot send", async () => {
  const gone = {
    query: async () => {
      throw Object.assign(new Error("write EPIPE"), { code: "EPIPE" });
    },
  };
  await expect(notify(gone, "run", "r")).rejects.toThrow(DatabaseUnavailableError);
});
