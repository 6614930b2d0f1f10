import { expect, test } from "vitest";
import { createPrepare, preparing } from "../../../storage/postgres/prepared.ts";
import { asUser, readingAs } from "../../../storage/users/user-data.ts";
import { testDatabase } from "../../support/database.ts";

const { pool } = await testDatabase();

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
