import { beforeAll, expect, test } from "vitest";
import { testDatabase } from "../support/database.ts";
import { probeMigrations } from "./probe.ts";

const { pool, owner, userData } = await testDatabase({ migrations: [probeMigrations] });

beforeAll(async () => {
  for (const userId of ["ada", "bob"]) {
    await userData.write(userId, { key: `seed-${userId}`, threadId: "t" }, async (tx) => {
      await tx.query("insert into notes (text) values ($1)", [`a note of ${userId}`]);
      return null;
    });
  }
});

async function visibleTo(userId: string): Promise<unknown[]> {
  return userData.read(userId, async (tx) => {
    const { rows } = await tx.query("select user_id, text from notes order by text");
    return rows;
  });
}

test("the owner sees everybody's rows: they are there to be hidden", async () => {
  const { rows } = await owner.query("select user_id, text from notes order by text");
  expect(rows).toEqual([
    { user_id: "ada", text: "a note of ada" },
    { user_id: "bob", text: "a note of bob" },
  ]);
});

test("a user sees the rows of that user and no others", async () => {
  expect(await visibleTo("ada")).toEqual([{ user_id: "ada", text: "a note of ada" }]);
  expect(await visibleTo("bob")).toEqual([{ user_id: "bob", text: "a note of bob" }]);
  expect(await visibleTo("eve")).toEqual([]);
});

test.each(["notes", "effects", "turns", "registry_refs"])(
  "the program's own connection without a user sees nothing in %s",
  async (table) => {
    const { rows } = await pool.query(`select * from ${table}`);
    expect(rows).toEqual([]);
  },
);

test("no user is left on a connection after a transaction", async () => {
  const client = await pool.connect();
  try {
    await client.query("begin");
    await client.query("select set_config('concierge.user_id', 'ada', true)");
    expect((await client.query("select text from notes")).rows).toHaveLength(1);
    await client.query("commit");
    expect((await client.query("select text from notes")).rows).toEqual([]);
    // The setting is the empty text by now, and not null: that is no user either.
    await expect(
      client.query("insert into notes (user_id, text) values ('', 'nobody')"),
    ).rejects.toThrow(/row-level security/);
  } finally {
    client.release();
  }
});

test("a user cannot write, move, change or delete another's rows", async () => {
  const asEve = (sql: string) =>
    userData.write("eve", { key: sql, threadId: "t" }, async (tx) => {
      const { rowCount } = await tx.query(sql);
      return rowCount;
    });
  await expect(asEve("insert into notes (user_id, text) values ('ada', 'forged')")).rejects.toThrow(
    /row-level security/,
  );
  expect(await asEve("update notes set text = 'taken'")).toEqual({ result: 0, repeated: false });
  expect(await asEve("delete from notes")).toEqual({ result: 0, repeated: false });
  await expect(
    userData.write("ada", { key: "move", threadId: "t" }, async (tx) => {
      await tx.query("update notes set user_id = 'eve'");
      return null;
    }),
  ).rejects.toThrow(/row-level security/);
  expect(await visibleTo("ada")).toEqual([{ user_id: "ada", text: "a note of ada" }]);
});

test("the program cannot switch protection off", async () => {
  await expect(pool.query("alter table notes disable row level security")).rejects.toThrow(
    /must be owner/,
  );
  await expect(pool.query("insert into migrations_core (name) values ('x')")).rejects.toThrow(
    /permission denied/,
  );
  const client = await pool.connect();
  try {
    await client.query("set row_security = off");
    await expect(client.query("select * from notes")).rejects.toThrow(/row-level security/);
  } finally {
    client.release(true);
  }
});

test("concierge_touch_row() raises the version and sets the time of a changed row", async () => {
  const changed = await userData.write("bob", { key: "touch", threadId: "t" }, async (tx) => {
    const { rows } = await tx.query(
      "update notes set text = text returning row_version, updated_at > created_at as later",
    );
    return rows as { row_version: number; later: boolean }[];
  });
  expect(changed.result).toEqual([{ row_version: 2, later: true }]);
});

test("every table that holds a user's data is protected by force", async () => {
  const { rows } = await owner.query(
    `select relname from pg_class
      where relnamespace = 'concierge'::regnamespace and relkind = 'r'
        and not (relrowsecurity and relforcerowsecurity)
      order by relname`,
  );
  expect(rows.map((row: { relname: string }) => row.relname)).toEqual(
    expect.arrayContaining(["inbox", "leases", "threads"]),
  );
  const unprotected = rows
    .map((row: { relname: string }) => row.relname)
    .filter((name) => !/^(checkpoint|migrations_)/.test(name));
  expect(unprotected).toEqual(["inbox", "leases", "threads"]);
});
