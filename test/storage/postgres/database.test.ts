import { once } from "node:events";
import { createServer } from "node:net";
import { setImmediate as nextRound } from "node:timers/promises";
import { inspect } from "node:util";
import { randomBytes } from "node:crypto";
import { z } from "zod";
import { expect, inject, onTestFinished, test } from "vitest";
import { openDatabase } from "../../../storage/postgres/database.ts";
import { DatabaseUnavailableError } from "../../../storage/postgres/database-error.ts";
import { silentLog } from "../../../state/log.ts";
import { databaseUrl, runSql } from "../../support/database-url.ts";
import { testDatabase } from "../../support/database.ts";

const database = await testDatabase();
const { pool } = database;

function open(url: string) {
  return openDatabase({ url, dataDir: "", migrations: [], log: silentLog });
}

/** The error that a promise is rejected with. */
function failure(promise: Promise<unknown>): Promise<Error> {
  return promise.then(
    () => new Error("it did not fail"),
    (error: unknown) => error as Error,
  );
}

test("a connection of the pool works as a plain role, and nothing leads out of it", async () => {
  const client = await pool.connect();
  try {
    for (const escape of ["select 1", "reset role", "reset all", "discard all"]) {
      await client.query(escape);
      const { rows } = await client.query(
        `select rolname, rolsuper, rolbypassrls, rolcanlogin, rolcreaterole, rolcreatedb,
                exists (select from pg_class where relowner = pg_roles.oid) as owns
           from pg_roles where rolname = current_user`,
      );
      const not = { rolsuper: false, rolbypassrls: false, rolcanlogin: false };
      const nor = { rolcreaterole: false, rolcreatedb: false, owns: false };
      expect(rows).toEqual([{ rolname: "concierge_app", ...not, ...nor }]);
    }
  } finally {
    client.release();
  }
});

test("a URL's own options do not displace the role", async () => {
  const url = new URL(database.url);
  url.searchParams.set("options", "-c role=none -c statement_timeout=1234");
  const joined = await open(url.toString());
  onTestFinished(() => joined.close());
  const { rows } = await joined.pool.query(
    "select current_user, current_setting('statement_timeout') as timeout",
  );
  expect(rows).toEqual([{ current_user: "concierge_app", timeout: "30s" }]);
});

test("modules are loaded before the first connection, whose time runs out while they are", async () => {
  const events: string[] = [];
  const server = createServer((socket) => {
    events.push("connected");
    socket.destroy();
  });
  onTestFinished(() => void server.close());
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = z.object({ port: z.number() }).parse(server.address());
  const opening = openDatabase({
    url: `postgresql://ada@127.0.0.1:${port}/none`,
    dataDir: "",
    migrations: [],
    log: silentLog,
    load: async () => {
      await nextRound();
      events.push("loaded");
    },
  });
  expect(await failure(opening)).toBeInstanceOf(DatabaseUnavailableError);
  expect(events).toEqual(["loaded", "connected"]);
});

test("columns arrive as strict JSON", async () => {
  const { rows } = await pool.query(
    `select date '2026-03-02' as date, timestamptz '2026-03-02 10:00+02' as time,
            12345678901::bigint as big, 0.1::numeric as decimal, 1.5::float8 as float,
            array[date '2026-03-02'] as dates, array[[1.5, null]]::numeric[] as decimals,
            array[timestamptz '2026-03-02 10:00+00'] as times, array[7::bigint] as bigs,
            'infinity'::timestamptz as never, array['a', 'b'] as texts, '{"a": [1]}'::jsonb as json`,
  );
  expect(rows).toEqual([
    {
      date: "2026-03-02",
      time: "2026-03-02T08:00:00.000Z",
      big: 12_345_678_901,
      decimal: 0.1,
      float: 1.5,
      dates: ["2026-03-02"],
      decimals: [[1.5, null]],
      times: ["2026-03-02T10:00:00.000Z"],
      bigs: [7],
      never: "infinity",
      texts: ["a", "b"],
      json: { a: [1] },
    },
  ]);
});

test.each([
  ["9007199254740993::bigint", /beyond what JSON keeps exactly/],
  ["'NaN'::numeric", /JSON has no such number/],
])("a number that JSON cannot hold fails its query: %s", async (value, message) => {
  await expect(pool.query(`select ${value} as value`)).rejects.toThrow(message);
  expect((await pool.query("select 1 as value")).rows).toEqual([{ value: 1 }]);
});

test("a pool that is looked at shows no password", async () => {
  const url = new URL(database.url);
  // The embedded server asks for none; another has its own.
  if (url.password === "") url.password = "hunter2";
  const opened = await open(url.toString());
  onTestFinished(() => opened.close());
  expect(inspect(opened.pool, { depth: 5 })).not.toContain(url.password);
});

test.each(["localhost:5432/x", "mysql://root:hunter2@localhost/x", "", "postgresql://[hunter2"])(
  "openDatabase() refuses an address that is none, without repeating it: %j",
  async (url) => {
    const error = await failure(open(url));
    expect(error.message).toMatch(/^Cannot read DATABASE_URL: /);
    expect(inspect(error)).not.toContain("hunter2");
  },
);

test("openDatabase() says what to do when nothing answers", async () => {
  const error = await failure(open("postgresql://u:hunter2@127.0.0.1:1/x"));
  expect(error).toBeInstanceOf(DatabaseUnavailableError);
  expect(error.message).toMatch(/the server does not answer.*DATABASE_URL/);
  expect(inspect(error)).not.toContain("hunter2");
});

test("openDatabase() refuses a database of another encoding", async () => {
  const server = inject("databaseServer");
  const name = `concierge_ascii_${randomBytes(4).toString("hex")}`;
  await runSql(
    server.url,
    `create database ${name} encoding 'SQL_ASCII' locale 'C' template template0`,
  );
  try {
    await expect(open(databaseUrl(server.url, name))).rejects.toThrow(
      `Cannot use the database "${name}": its encoding is SQL_ASCII; create one with: create database`,
    );
  } finally {
    await runSql(server.url, `drop database ${name}`);
  }
});

test("close() may be called twice", async () => {
  const opened = await open(database.url);
  await opened.close();
  await opened.close();
  await expect(opened.pool.query("select 1")).rejects.toThrow(/after calling end/);
});
