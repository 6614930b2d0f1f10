import { testEffect } from "../support/effect.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { DEMO_KITCHENS } from "../../meals/demo/demo-kitchen.ts";
import type { Queryable } from "../../state/store.ts";
import { saveTurn } from "../../storage/conversations/archive-rows.ts";
import { saveSpending } from "../../storage/users/spending.ts";
import { saveWishes } from "../../storage/users/wishes.ts";
import { enqueueMessage } from "../../storage/conversations/inbox.ts";
import { appendRunEvents } from "../../storage/runs/run-events.ts";
import { claimThread } from "../../storage/conversations/threads.ts";
import { asUser } from "../../storage/users/user-data.ts";
import { testDatabase } from "../support/database.ts";
import { fillThread } from "../support/full-thread.ts";
import { runEvent } from "../support/stored-run.ts";
import { probeMigrations } from "./probe.ts";
import { turnRow } from "../support/replies.ts";

const { pool, owner, userData } = await testDatabase({ migrations: [probeMigrations] });

/** Tables that are read before the user is known: `docs/decisions/0030` says why. Nothing else with a `user_id` is unprotected. */
const UNPROTECTED_OF_USERS = ["api_keys"];

/** Tables without row-level security; `docs/decisions/0014` says why. */
const EXCEPTIONS = [
  ...UNPROTECTED_OF_USERS,
  "checkpoint_blobs",
  "checkpoint_migrations",
  "checkpoint_writes",
  "checkpoints",
  // Its triggers write as its owner, from whom nothing may be hidden.
  "journal",
  "leases",
  "model_profiles",
  "sentences",
];

/** Whatever else can be read and has a `user_id`, views included. */
const tablesOfUsers = await (async () => {
  const { rows } = await owner.query<{ name: string }>(
    `select table_name as name from information_schema.columns
      where table_schema = 'concierge' and column_name = 'user_id' order by table_name`,
  );
  return rows.map(({ name }) => name).filter((name) => !UNPROTECTED_OF_USERS.includes(name));
})();

function asBob(work: (tx: Queryable) => Promise<unknown>): Promise<unknown> {
  return asUser(pool, { userId: "bob" }, work);
}

const WISH = {
  text: "no dill",
  kind: "hard",
  count: null,
  until: null,
  scope: "person",
  turn: 1,
} as const;

/** Each of them has a row of every user in every table. */
beforeAll(async () => {
  for (const userId of ["ada", "bob"]) {
    const threadId = `thread of ${userId}`;
    await userData.write(userId, testEffect(`seed-${userId}`, threadId), async (tx) => {
      await DEMO_KITCHENS.at(-1)?.seed(tx, { userId, today: "2026-01-12" });
      await claimThread(tx, { threadId, title: `secret of ${userId}` });
      await enqueueMessage(tx, { threadId, messageId: "m1", text: "psst", run: {} });
      await saveTurn(tx, turnRow(threadId, 1, { userMessage: "psst" }));
      await fillThread(tx, { threadId, runId: `run of ${userId}`, events: 1 });
      await tx.query("insert into notes (text) values ($1)", [`a note of ${userId}`]);
      await saveSpending(tx, {
        threadId,
        runId: `spending run of ${userId}`,
        day: "2026-01-12",
        usage: [{ node: "reply", usage: { input: 1, cached: 0, output: 1 }, costMicros: 1 }],
      });
      await saveWishes(tx, { threadId, runId: "run" }, [{ wish: WISH, isWithdrawn: false }]);
      await tx.query(
        "insert into meal_eaters (meal_id, member_id) select meal_plans.id, members.id from meal_plans, members",
      );
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
    userData.write("eve", testEffect(sql), async (tx) => {
      const { rowCount } = await tx.query(sql);
      return rowCount;
    });
  await expect(asEve("insert into notes (user_id, text) values ('ada', 'forged')")).rejects.toThrow(
    /row-level security/,
  );
  expect(await asEve("update notes set text = 'taken'")).toMatchObject({
    result: 0,
    repeated: false,
  });
  expect(await asEve("delete from notes")).toMatchObject({ result: 0, repeated: false });
  await expect(
    userData.write("ada", testEffect("move"), async (tx) => {
      await tx.query("update notes set user_id = 'eve'");
      return null;
    }),
  ).rejects.toThrow(/row-level security/);
  expect(await visibleTo("ada")).toEqual([{ user_id: "ada", text: "a note of ada" }]);
});

test("a user cannot add to what another's run told, nor move events there", async () => {
  const theirs = { runId: "run of ada", events: [runEvent({ text: "forged" }, 2)] };
  await expect(asBob((tx) => appendRunEvents(tx, theirs))).rejects.toThrow(/foreign key/);
  await expect(
    asBob((tx) => tx.query("update run_events set run_id = 'run of ada', seq = 2")),
  ).rejects.toThrow(/foreign key/);
  const { rows } = await owner.query("select run_id, user_id from run_events order by run_id");
  expect(rows).toEqual([
    { run_id: "run of ada", user_id: "ada" },
    { run_id: "run of bob", user_id: "bob" },
  ]);
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
  const changed = await userData.write("bob", testEffect("touch"), async (tx) => {
    const { rows } = await tx.query(
      "update notes set text = text returning row_version, updated_at > created_at as later",
    );
    return rows as { row_version: number; later: boolean }[];
  });
  expect(changed.result).toEqual([{ row_version: 2, later: true }]);
});

describe.each(tablesOfUsers)("%s", (table) => {
  const users = `select distinct user_id from ${table} order by user_id`;

  test("hides the rows of two users from each other, and from everybody where no user is set", async () => {
    expect((await owner.query(users)).rows).toEqual(
      expect.arrayContaining([{ user_id: "ada" }, { user_id: "bob" }]),
    );
    for (const userId of ["ada", "bob"]) {
      const seen = await userData.read(userId, (tx) => tx.query(users));
      expect(seen.rows).toEqual([{ user_id: userId }]);
    }
    expect((await userData.read("nobody", (tx) => tx.query(users))).rows).toEqual([]);
    expect((await pool.query(`select * from ${table}`)).rows).toEqual([]);
    if (table === "journal") return;
    expect((await pool.query(`delete from ${table}`)).rowCount).toBe(0);
  });
});

test("every table is protected by force but those that hold nothing of a user's, or have no user", async () => {
  const { rows } = await owner.query<{ name: string }>(
    `select relname as name from pg_class
      where relnamespace = 'concierge'::regnamespace and relkind in ('r', 'p')
        and not (relrowsecurity and relforcerowsecurity)
      order by relname`,
  );
  const unprotected = rows
    .map(({ name }) => name)
    .filter((name) => !name.startsWith("migrations_"));

  expect(unprotected).toEqual(EXCEPTIONS);
  expect(tablesOfUsers).toEqual(
    expect.arrayContaining([
      "batches",
      "inbox",
      "journeys",
      "run_events",
      "runs",
      "threads",
      "turns",
    ]),
  );
  expect(tablesOfUsers.filter((table) => EXCEPTIONS.includes(table))).toEqual(["journal"]);
});
