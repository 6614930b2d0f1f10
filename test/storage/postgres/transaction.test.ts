import { describe, expect, test, vi } from "vitest";
import { withTransaction, type Transaction } from "../../../storage/postgres/transaction.ts";
import { asUser, readingAs } from "../../../storage/users/user-data.ts";
import type { Queryable } from "../../../state/store.ts";
import { testDatabase } from "../../support/database.ts";

const { pool } = await testDatabase();

test("a failed condition undoes the statements sent with it, and nobody gets their answers", async () => {
  const refusal = new Error("Not now");
  const answers: unknown[] = [];
  const refused = withTransaction(
    pool,
    async (tx) => answers.push(await addThread(tx, "refused")),
    {
      settings: { "concierge.user_id": "ada" },
      condition: { text: "select 1 / 0", explain: () => refusal },
    },
  );
  await expect(refused).rejects.toBe(refusal);
  expect(answers).toEqual([]);
  expect(await listThreadIds("ada")).toEqual([]);
});

test("a transaction whose beginning cannot be put into words sends nothing", async () => {
  const work = vi.fn<() => Promise<void>>(async () => undefined);
  const failed = withTransaction(pool, work, { settings: { "concierge.user_id": "ada\0" } });
  await expect(failed).rejects.toThrow(RangeError);
  expect(work).not.toHaveBeenCalled();
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

test("nothing is sent any more once the transaction is over", async () => {
  for (const outcome of ["committed", "rolled back"]) {
    const left: Transaction[] = [];
    const worked = asUser(pool, { userId: "ada" }, async (tx) => {
      left.push(tx);
      if (outcome === "rolled back") raise();
    });
    await worked.catch(() => undefined);
    await expect(left[0]?.query("select $1", [outcome])).rejects.toThrow(
      `Cannot send "select $1": the transaction's end was sent`,
    );
  }
});

describe("last()", () => {
  test("stores nothing where a statement fails, and says why", async () => {
    const failed = asUser(pool, { userId: "lin" }, (tx) =>
      tx.last(() => Promise.all([addThread(tx, "lin's"), tx.query("select 10 / $1::int", [0])])),
    );
    await expect(failed).rejects.toThrow("division by zero");
    expect(await listThreadIds("lin")).toEqual([]);
  });

  test("stores nothing where one of them cannot be sent", async () => {
    for (const fail of [raise, raiseLate]) {
      const failed = asUser(pool, { userId: "lou" }, (tx) =>
        tx.last(() => Promise.all([addThread(tx, "lou's"), fail()])),
      );
      await expect(failed).rejects.toThrow(RangeError);
    }
    expect(await listThreadIds("lou")).toEqual([]);
    expect(pool.idleCount).toBe(pool.totalCount);
  });

  test("sends no end where the transaction has failed meanwhile", async () => {
    const ends: Promise<unknown>[] = [];
    const failed = asUser(pool, { userId: "lyn" }, async (tx) => {
      // Heard from here on: which of the two is told first depends on how the answers arrive.
      ends.push(Promise.allSettled([tx.last(() => addThread(tx, "lyn's"))]));
      raise();
    });
    await expect(failed).rejects.toThrow(RangeError);
    const message = "Cannot end the transaction: it failed meanwhile and was rolled back";
    expect(await Promise.all(ends)).toEqual([[{ status: "rejected", reason: new Error(message) }]]);
    expect(await listThreadIds("lyn")).toEqual([]);
  });

  test("refuses what comes after it", async () => {
    const late = asUser(pool, { userId: "lux" }, async (tx) => {
      await tx.last(() => addThread(tx, "in time"));
      await addThread(tx, "late");
    });
    await expect(late).rejects.toThrow("the transaction's end was sent");
    expect(await listThreadIds("lux")).toEqual(["in time"]);
  });
});

async function addThread(tx: Queryable, threadId: string) {
  return tx.query("insert into threads (thread_id) values ($1)", [threadId]);
}

async function listThreadIds(userId: string) {
  const { rows } = await readingAs(pool, userId).query(
    "select thread_id from threads order by thread_id",
  );
  return rows.map(({ thread_id: threadId }) => threadId);
}

function raise(): never {
  throw new RangeError("Cannot be put into words");
}

async function raiseLate(): Promise<never> {
  await Promise.resolve();
  return raise();
}
