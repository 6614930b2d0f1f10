import { afterEach, expect, test, vi } from "vitest";
import { createPrepare, onConnection, preparing, type Lender } from "../../storage/prepared.ts";
import { withTransaction } from "../../storage/transaction.ts";
import { asUser, readingAs } from "../../storage/user-data.ts";
import { testDatabase } from "../support/database.ts";

const { pool } = await testDatabase();

afterEach(() => void vi.restoreAllMocks());

/** A pool of one connection, whose writes are counted. */
async function counted() {
  const client = await pool.connect();
  const giveBack = client.release.bind(client);
  vi.spyOn(client, "release").mockReturnValue(undefined);
  const write = vi.spyOn(client.connection.stream, "_writev");
  const lender: Lender = { connect: async () => client };
  return { lender, giveBack, writes: () => write.mock.calls.length };
}

test("what is sent at once goes in one write, a transaction's beginning too, and is done in order", async () => {
  const { lender, giveBack, writes } = await counted();
  try {
    const two = await onConnection(lender, (db) =>
      Promise.all([db.query("select $1::int as at", [1]), db.query("select $1::int as at", [2])]),
    );
    expect(two.map(({ rows }) => rows)).toEqual([[{ at: 1 }], [{ at: 2 }]]);
    expect(writes()).toBe(1);

    const found = await withTransaction(
      lender,
      async (tx) => {
        await Promise.all([
          tx.query("create temporary table sent (number int) on commit drop"),
          tx.query("insert into sent values ($1)", [1]),
          tx.query("insert into sent values ($1)", [2]),
        ]);
        // The transaction began with the first three.
        expect(writes()).toBe(2);
        return (await tx.query("select number from sent where number > $1", [0])).rows;
      },
      { condition: { text: "select 1", check: (rows) => expect(rows).toBe(1) } },
    );
    expect(found).toEqual([{ number: 1 }, { number: 2 }]);
  } finally {
    giveBack();
  }
});

test("where the condition does not hold, what was sent with it is undone and nobody gets its answer", async () => {
  const refusal = new Error("Not now");
  const answers: unknown[] = [];
  const refused = withTransaction(
    pool,
    async (tx) => {
      answers.push(await tx.query("select set_config('concierge.left', 'here', false)"));
    },
    {
      condition: {
        text: "select where false",
        check(rows) {
          if (rows === 0) throw refusal;
        },
      },
    },
  );
  await expect(refused).rejects.toBe(refusal);
  expect(answers).toEqual([]);
  const { rows } = await pool.query("select current_setting('concierge.left', true) as is_left");
  expect([null, ""]).toContain(rows[0]?.is_left);
});

test("a transaction whose beginning cannot be put into words sends nothing", async () => {
  const work = vi.fn<() => Promise<void>>(async () => undefined);
  const failed = withTransaction(pool, work, { settings: { "concierge.user_id": "ada\0" } });
  await expect(failed).rejects.toThrow(RangeError);
  expect(work).not.toHaveBeenCalled();
});

test("where the condition itself fails, what was sent with it is not done by itself", async () => {
  const failed = withTransaction(
    pool,
    (tx) => tx.query("insert into threads (thread_id, user_id) values ($1, $2)", ["alone", "ada"]),
    {
      settings: { "concierge.user_id": "ada" },
      condition: { text: "select 1 / 0", check: () => undefined },
    },
  );
  await expect(failed).rejects.toThrow("division by zero");
  const { rows } = await readingAs(pool, "ada").query("select thread_id from threads");
  expect(rows).toEqual([]);
});

test("of statements sent at once, the first that fails is told, and none is left under way", async () => {
  const failed = asUser(pool, { userId: "ada" }, (tx) =>
    Promise.all([
      tx.query("select 10 / $1::int", [0]),
      tx.query("select pg_sleep($1), 'later'", [0]),
    ]),
  );
  await expect(failed).rejects.toThrow("division by zero");
  const after = await asUser(pool, { userId: "ada" }, (tx) => tx.query("select 1 as one"));
  expect(after.rows).toEqual([{ one: 1 }]);
});

test("a text that comes again and again gets a name, the same in every process", () => {
  const prepare = createPrepare();
  const texts = ["select $1", "select $1", "select $2, $1", "select $1", "select $1", "select $1"];
  const names = texts.map((text) => prepare(text, [1]).name ?? null);

  const name = expect.stringMatching(/^concierge-[0-9a-f]{24}$/u);
  expect(names).toEqual([null, null, null, null, name, name]);
  const other = createPrepare();
  texts.forEach((text) => other(text, [2]));
  expect(other("select $1", [3])).toEqual({ name: names[5], text: "select $1", values: [3] });
});

test("what has no values, or is made anew each time, gets none", () => {
  const prepare = createPrepare();
  const names = Array.from({ length: 5_000 }, (_, index) => [
    prepare("commit").name,
    prepare("select 1", []).name,
    prepare(`select ${index} = $1`, [index]).name,
  ]);
  expect(names.flat().filter((name) => name !== undefined)).toEqual([]);
});

test("only so many texts get one", () => {
  const prepare = createPrepare();
  const again = (index: number) =>
    Array.from({ length: 4 }, () => prepare(`select ${index} = $1`, [index]).name).at(-1);
  const names = Array.from({ length: 300 }, (_, index) => again(index));

  expect(names.map((name) => name !== undefined)).toEqual(
    Array.from({ length: 300 }, (_, index) => index < 256),
  );
});

test("a prepared statement reads the rows of whoever asks, and goes on after an error", async () => {
  const text = "select concierge_user() as who, 10 / $1::int as part";
  const client = await pool.connect();
  // The program's own may have named as many by now as it does.
  const prepared = preparing(client, { query: createPrepare() });
  try {
    for (let times = 0; times < 6; times += 1) await prepared.query(text, [5]);
    await expect(prepared.query(text, [0])).rejects.toThrow("division by zero");
    expect((await prepared.query(text, [2])).rows).toEqual([{ who: null, part: 5 }]);
    const { rows } = await client.query(
      "select count(*)::int as known from pg_prepared_statements",
    );
    expect(rows).toEqual([{ known: 1 }]);
  } finally {
    client.release();
  }
  const users = ["ada", "bob", "ada", "cyd", "bob", "ada", "bob"];
  const read = await Promise.all(users.map((user) => readingAs(pool, user).query(text, [1])));
  const asked = await Promise.all(
    users.map((userId) => asUser(pool, { userId }, (tx) => tx.query(text, [1]))),
  );
  const expected = users.map((who) => [{ who, part: 10 }]);
  expect([read, asked].map((all) => all.map(({ rows }) => rows))).toEqual([expected, expected]);
});
