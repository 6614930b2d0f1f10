import { expect, test } from "vitest";
import { openBells, ringBell, type Bells } from "../../../storage/postgres/bell.ts";
import { openDatabase } from "../../../storage/postgres/database.ts";
import { DatabaseUnavailableError } from "../../../storage/postgres/database-error.ts";
import { silentLog } from "../../../state/log.ts";
import { withTransaction } from "../../../storage/postgres/transaction.ts";
import { openDatabaseProxy } from "../../support/database-proxy.ts";
import { projectMigrations } from "../../support/database-url.ts";
import { testDatabase } from "../../support/database.ts";

const database = await testDatabase();
const { pool, owner } = database;

/** What a listener has heard, and a way to wait for more of it. */
function ear(bells: Bells, name: Parameters<Bells["listen"]>[0]) {
  const heard: (string | null)[] = [];
  let wake: (() => void) | null = null;
  const stop = bells.listen(name, (payload) => {
    heard.push(payload);
    wake?.();
  });
  return {
    heard,
    stop,
    async until(count: number): Promise<void> {
      while (heard.length < count) {
        const { promise, resolve } = Promise.withResolvers<void>();
        wake = resolve;
        await promise;
      }
    },
  };
}

test("ringBell() is heard by every process when its transaction commits, once each", async () => {
  const [one, two] = [await openBells(database, silentLog), await openBells(database, silentLog)];
  try {
    const ears = [ear(one, "work"), ear(one, "work"), ear(two, "work")];
    const runs = ear(one, "run");
    await withTransaction(pool, async (tx) => {
      await ringBell(tx, "work", "thread-1");
      await ringBell(tx, "work", "thread-1");
      await ringBell(tx, "work", "thread-ż 'x");
    });
    await expect(
      withTransaction(pool, async (tx) => {
        await ringBell(tx, "work", "rolled back");
        throw new Error("no");
      }),
    ).rejects.toThrow("no");
    await ringBell(pool, "work", "last");
    await ringBell(pool, "run", "run-1");
    await Promise.all([...ears.map((one) => one.until(3)), runs.until(1)]);
    for (const { heard } of ears) expect(heard).toEqual(["thread-1", "thread-ż 'x", "last"]);
    expect(runs.heard).toEqual(["run-1"]);
  } finally {
    await Promise.all([one.close(), two.close()]);
  }
});

test("a listener that was stopped, or throws, is no matter to the others", async () => {
  const warnings: string[] = [];
  const bells = await openBells(database, {
    ...silentLog,
    warn: (message) => warnings.push(message),
  });
  try {
    const shared: (string | null)[] = [];
    const listener = (payload: string | null): void => void shared.push(payload);
    const stopFirst = bells.listen("cancel", listener);
    bells.listen("cancel", listener);
    bells.listen("cancel", () => {
      throw new Error("It listens badly");
    });
    const last = ear(bells, "cancel");
    stopFirst();
    await ringBell(pool, "cancel", "run-1");
    await last.until(1);
    expect(shared).toEqual(["run-1"]);
    expect(warnings).toEqual(['A listener to the bell "cancel" failed: It listens badly']);
  } finally {
    await bells.close();
  }
});

test("openBells() connects again when its connection is lost, and says that something may have been missed", async () => {
  const bells = await openBells(database, silentLog);
  try {
    const [work, run] = [ear(bells, "work"), ear(bells, "run")];
    for (let times = 1; times <= 2; times += 1) {
      await owner.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like 'listen %'",
      );
      await Promise.all([work.until(times), run.until(times)]);
    }
    await ringBell(pool, "work", "thread-1");
    await work.until(3);
    expect(work.heard).toEqual([null, null, "thread-1"]);
    expect(run.heard).toEqual([null, null]);
  } finally {
    await bells.close();
  }
});

test("openBells() keeps trying while nothing answers, and close() ends that too", async () => {
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
      if (message.startsWith("The connection that hears")) resolve();
    },
  };
  try {
    const bells = await openBells(away, log);
    const work = ear(bells, "work");
    proxy.cut();
    await warned;
    await expect(openBells(away, silentLog)).rejects.toThrow(DatabaseUnavailableError);
    proxy.mend();
    await work.until(1);
    await ringBell(pool, "work", "thread-1");
    await work.until(2);
    expect(work.heard).toEqual([null, "thread-1"]);
    proxy.cut();
    await bells.close();
    await bells.close();
    expect(work.heard).toEqual([null, "thread-1"]);
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
  const bells = await openBells({ listen }, silentLog, { checkMs: 5 });
  try {
    const work = ear(bells, "work");
    await work.until(1);
    expect(opened).toEqual([0, 1]);
  } finally {
    await bells.close();
  }
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
  const bells = await openBells(database, silentLog);
  expect(await listening()).toBe(1);
  await bells.close();
  await expect.poll(listening).toBe(0);
});

test("a bell that cannot be rung says that the database is away", async () => {
  const gone = {
    query: async () => {
      throw Object.assign(new Error("write EPIPE"), { code: "EPIPE" });
    },
  };
  await expect(ringBell(gone, "run", "r")).rejects.toThrow(DatabaseUnavailableError);
});
