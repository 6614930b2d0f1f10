import { testEffect } from "../../support/effect.ts";
import { fc, test as property } from "@fast-check/vitest";
import { describe, expect, test } from "vitest";
import { DatabaseUnavailableError } from "../../../storage/postgres/database-error.ts";
import {
  acquireLease,
  LeaseLostError,
  releaseLease,
} from "../../../storage/conversations/leases.ts";
import { readingAs } from "../../../storage/users/user-data.ts";
import type { Queryable } from "../../../state/store.ts";
import { testDatabase } from "../../support/database.ts";
import { probeMigrations } from "../probe.ts";
import { anyCharacter } from "../../support/any-character.ts";

const { pool, owner, userData } = await testDatabase({ migrations: [probeMigrations] });

/** An effect of the thread "t", outside any lease. */
function named(key: string) {
  return testEffect(key);
}

async function addNote(tx: Queryable, text: string): Promise<string> {
  await tx.query("insert into notes (text) values ($1)", [text]);
  return text;
}

async function notesLike(pattern: string): Promise<string[]> {
  const { rows } = await owner.query<{ text: string }>(
    "select text from notes where text like $1 order by text",
    [pattern],
  );
  return rows.map((row) => row.text);
}

test("write() applies an effect once and then returns what it returned", async () => {
  const effect = named("once");
  const result = { ids: [1, 2], note: null, nested: { text: "über" } };
  const first = await userData.write("ada", effect, async (tx) => {
    await addNote(tx, "once");
    return result;
  });
  const again = await userData.write("ada", effect, async () => {
    throw new Error("must not run");
  });
  expect([first, again]).toMatchObject([
    { result, repeated: false },
    { result, repeated: true },
  ]);
  expect(await notesLike("once")).toEqual(["once"]);
});

test.for([
  { origin: "tool", starts: 6 },
  // A domain's own code is not even started for a key that was used.
  { origin: "domain-tool", starts: 1 },
] as const)(
  "write() lets one of several at once do the work of a $origin, and the others wait for its result",
  async ({ origin, starts }) => {
    const key = `race of ${origin}`;
    const started: number[] = [];
    const outcomes = await Promise.all(
      Array.from({ length: 6 }, (_, run) =>
        userData.write("ada", { ...named(key), origin }, async (tx) => {
          started.push(run);
          await addNote(tx, `${key} ${run}`);
          return run;
        }),
      ),
    );
    const winner = outcomes.find(({ repeated }) => !repeated);
    expect(outcomes.map(({ result }) => result)).toEqual(Array(6).fill(winner?.result));
    expect(outcomes.filter(({ repeated }) => !repeated)).toHaveLength(1);
    expect(await notesLike(`${key} %`)).toEqual([`${key} ${winner?.result}`]);
    expect(started).toHaveLength(starts);
  },
);

test("write() gives work no answer whose key was used, whether or not its statements fail", async () => {
  const effect = named("used");
  await userData.write("ada", effect, async () => "first");
  const answered: string[] = [];
  const results = await Promise.all(
    ["select 1", "insert into notes (text) values ('used')", "nonsense"].map((sql) =>
      userData.write("ada", effect, async (tx) => {
        await tx.query(sql, []);
        answered.push(sql);
        return "again";
      }),
    ),
  );
  expect(results.map(({ result, repeated }) => `${result} ${repeated}`)).toEqual(
    Array(3).fill("first true"),
  );
  expect(answered).toEqual([]);
  expect(await notesLike("used")).toEqual([]);
});

test("write() runs work again whose transaction was ended because of a deadlock", async () => {
  await userData.write("ada", named("both rows"), async (tx) => {
    await addNote(tx, "left");
    return addNote(tx, "right");
  });
  const holding = new Set<string>();
  const met = Promise.withResolvers<void>();
  const mark = (key: string, [first = "", second = ""]: readonly string[]) =>
    userData.write("ada", named(key), async (tx) => {
      const lock = (text: string) =>
        tx.query("update notes set text = text || '!' where text like $1 || '%'", [text]);
      await lock(first);
      holding.add(key);
      if (holding.size === 2) met.resolve();
      await met.promise;
      await lock(second);
      return key;
    });

  const done = await Promise.all([
    mark("from the left", ["left", "right"]),
    mark("from the right", ["right", "left"]),
  ]);

  expect(done.map(({ result }) => result)).toEqual(["from the left", "from the right"]);
  expect([await notesLike("left%"), await notesLike("right%")]).toEqual([["left!!"], ["right!!"]]);
});

test("write() leaves neither rows nor key behind when the work throws", async () => {
  const effect = named("fails-first");
  const failing = userData.write("ada", effect, async (tx) => {
    await addNote(tx, "half done");
    throw new Error("no");
  });
  await expect(failing).rejects.toThrow("no");
  expect(await notesLike("half done")).toEqual([]);
  await expect(userData.write("ada", effect, async () => "done")).resolves.toMatchObject({
    result: "done",
    repeated: false,
  });
});

test("write() of a null result is remembered as done", async () => {
  const effect = named("null");
  await userData.write("ada", effect, async () => null);
  expect(await userData.write("ada", effect, async () => "again")).toMatchObject({
    result: null,
    repeated: true,
  });
});

test("write() never shows one user another's result", async () => {
  const effect = named("shared");
  await userData.write("ada", effect, async () => "ada's secret");
  await expect(userData.write("bob", effect, async () => "bob's")).rejects.toThrow(
    'Cannot apply the effect "shared": another user\'s write has that key',
  );
});

test("write() writes nothing under a lease that is another's, and repeats nothing either", async () => {
  const request = { threadId: "fenced", ttlMs: 60_000 };
  const effect = { ...testEffect("", "fenced"), lease: { owner: "a", fence: 1 } };
  await acquireLease(pool, { ...request, owner: "a" });
  const first = await userData.write("ada", { ...effect, key: "fenced 1" }, (tx) =>
    addNote(tx, "fenced in"),
  );
  await releaseLease(pool, { ...request, ...effect.lease });
  await acquireLease(pool, { ...request, owner: "b" });
  const late = await Promise.allSettled(
    ["fenced 1", "fenced 2"].map((key) =>
      userData.write("ada", { ...effect, key }, (tx) => addNote(tx, "fenced out")),
    ),
  );

  expect(first).toMatchObject({ result: "fenced in", repeated: false });
  const refused = { status: "rejected", reason: expect.any(LeaseLostError) };
  expect(late).toEqual([refused, refused]);
  expect(await notesLike("fenced %")).toEqual(["fenced in"]);
  const lease = { owner: "b", fence: 2 };
  expect(
    await userData.write("ada", { ...effect, key: "fenced 1", lease }, async () => "again"),
  ).toMatchObject({ result: "fenced in", repeated: true });
});

test("write() stores results that Postgres would refuse", async () => {
  const effect = named("bad-characters");
  await userData.write("ada", effect, async () => ["a\0b", "\ud83d"]);
  expect(await userData.write("ada", effect, async () => [])).toMatchObject({
    result: ["ab", "\ufffd"],
    repeated: true,
  });
});

test("read() refuses to change anything", async () => {
  await expect(userData.read("ada", (tx) => addNote(tx, "sneaked in"))).rejects.toThrow(
    /read-only transaction/,
  );
});

describe("readingAs()", () => {
  test("reads a user's rows and nobody else's, and leaves no user behind", async () => {
    for (const userId of ["rita", "rolf"]) {
      for (const name of ["b", "a", "c"]) {
        const effect = named(`${userId} ${name}`);
        await userData.write(userId, effect, (tx) => addNote(tx, `${userId} ${name}`));
      }
    }
    const notes = "select text from notes where text like $1 order by text desc limit $2";
    const read = async (userId: string, pattern: string) => {
      const { rows } = await readingAs(pool, userId).query(notes, [pattern, 2]);
      return rows.map(({ text }) => text);
    };

    expect([await read("rita", "r%"), await read("rolf", "r%"), await read("rosa", "r%")]).toEqual([
      ["rita c", "rita b"],
      ["rolf c", "rolf b"],
      [],
    ]);
    const count = "select count(*)::int as count from notes where text like 'r%'";
    const { rows } = await readingAs(pool, "rita").query(count);
    expect(rows).toEqual([{ count: 3 }]);
    expect((await pool.query("select concierge_user() as who")).rows).toEqual([{ who: null }]);
  });

  test("and reader() refuse to change anything, and to act for nobody", async () => {
    const insert = "insert into notes (text) values ('in') returning text";
    for (const reading of [readingAs(pool, "rita"), userData.reader("rita")]) {
      await expect(reading.query(insert)).rejects.toThrow(/syntax error/);
    }
    await expect(readingAs(pool, "").query("select 1")).rejects.toThrow(RangeError);
    expect(await notesLike("in")).toEqual([]);
  });
});

describe("reader()", () => {
  test("reads a user's rows and nobody else's, each statement for itself", async () => {
    for (const userId of ["rena", "rudi"]) {
      const effect = named(`${userId} noted`);
      await userData.write(userId, effect, (tx) => addNote(tx, `noted by ${userId}`));
    }
    const noted = "select text, $1::int as number from notes where text like 'noted by %' -- whose";
    const reader = userData.reader("rena");
    const [first, failed, second] = await Promise.allSettled([
      reader.query(noted, [1]),
      reader.query("select 10 / $1::int as part", [0]),
      reader.query(noted, [2]),
    ]);

    expect([first, second]).toMatchObject([
      { value: { rows: [{ text: "noted by rena", number: 1 }] } },
      { value: { rows: [{ text: "noted by rena", number: 2 }] } },
    ]);
    expect(failed).toMatchObject({ reason: { message: "division by zero" } });
    expect((await userData.reader("rudi").query(noted, [3])).rows).toEqual([
      { text: "noted by rudi", number: 3 },
    ]);
  });
});

property.prop({
  userId: fc.oneof(
    fc.string({ minLength: 1, unit: anyCharacter }).filter((name) => !name.includes("\0")),
    fc.constantFrom("o'hara", "\\", "\\'; select 1; --", '"', "$1", "ä, b"),
  ),
})("a transaction is its user's, whatever the name is made of", async ({ userId }) => {
  const { rows } = await userData.read(userId, (tx) => tx.query("select concierge_user() as who"));
  expect(rows).toEqual([{ who: userId }]);
  expect((await pool.query("select concierge_user() as who")).rows).toEqual([{ who: null }]);
});

test("read() and write() refuse to act for nobody", async () => {
  await expect(userData.read("a\0b", async () => 1)).rejects.toThrow(RangeError);
  await expect(userData.read("", async () => 1)).rejects.toThrow(RangeError);
  await expect(userData.write("", named("nobody"), async () => 1)).rejects.toThrow(RangeError);
});

test("without a savepoint, a swallowed error loses the transaction and says so", async () => {
  const lost = userData.write("ada", named("swallowed"), async (tx) => {
    await addNote(tx, "swallowed");
    await addNote(tx, "swallowed").catch(() => undefined);
    return "fine";
  });
  await expect(lost).rejects.toThrow(/Cannot (commit the transaction|apply)|aborted/);
  expect(await notesLike("swallowed")).toEqual([]);
});

async function killBackend(tx: Queryable): Promise<void> {
  const { rows } = await tx.query("select pg_backend_pid() as pid");
  await owner.query("select pg_terminate_backend($1)", [rows[0]?.["pid"]]);
}

test("errors of the work are rethrown unchanged, a network error of its own too", async () => {
  const own = Object.assign(new Error("a page did not answer"), { code: "ECONNRESET" });
  const failing = userData.write("ada", named("own"), async () => {
    throw own;
  });
  await expect(failing).rejects.toBe(own);
});

test("a connection cut in the middle is a DatabaseUnavailableError, nothing is stored, and the next one works", async () => {
  const effect = named("cut");
  const cut = userData.write("ada", effect, async (tx) => {
    await addNote(tx, "cut off");
    await killBackend(tx);
    return "never";
  });
  await expect(cut).rejects.toBeInstanceOf(DatabaseUnavailableError);
  await expect(cut).rejects.toMatchObject({ code: "database_unavailable" });
  expect(await notesLike("cut off")).toEqual([]);
  expect(await userData.write("ada", effect, async () => "now")).toMatchObject({
    result: "now",
    repeated: false,
  });
});
