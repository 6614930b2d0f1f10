import type { PoolClient } from "pg";
import { afterEach, describe, expect, test, vi } from "vitest";
import { sharing, type Lender } from "../../../storage/postgres/connections.ts";
import { testDatabase } from "../../support/database.ts";

const { pool } = await testDatabase();

afterEach(() => void vi.restoreAllMocks());

/** A pool whose lent connections are counted. */
function watched() {
  const lent: PoolClient[] = [];
  const lender: Lender = {
    async connect() {
      const client = await pool.connect();
      lent.push(client);
      return client;
    },
  };
  return { lender, lent };
}

const WHOSE = "select pg_backend_pid() as server, $1::int as at";

describe("sharing()", () => {
  test("at most eight wait for each other, and connections come back", async () => {
    const { lender, lent } = watched();
    const shared = sharing(lender);
    const all = await Promise.all(Array.from({ length: 20 }, (_, at) => shared.query(WHOSE, [at])));
    const used = new Map<unknown, number>();
    for (const { rows } of all) {
      used.set(rows[0]?.["server"], (used.get(rows[0]?.["server"]) ?? 0) + 1);
    }
    expect([...used.values()]).toEqual([8, 8, 4]);
    expect(lent).toHaveLength(3);
    expect(pool.idleCount).toBe(pool.totalCount);

    await shared.query(WHOSE, [21]);
    expect(lent).toHaveLength(4);
    expect(pool.idleCount).toBe(pool.totalCount);
  });

  test("one that fails fails alone, and nobody joins it any more", async () => {
    const { lender, lent } = watched();
    const shared = sharing(lender);
    const slow = shared.query("select pg_sleep($1)", [0.05]);
    const failed = shared.query("select 10 / $1::int as part", [0]);
    const joined = shared.query(WHOSE, [1]);
    await expect(failed).rejects.toThrow("division by zero");
    const late = await shared.query(WHOSE, [2]);
    const early = await joined;
    await slow;

    expect(lent).toHaveLength(2);
    expect(early.rows[0]?.["server"]).not.toBe(late.rows[0]?.["server"]);
    expect(pool.idleCount).toBe(pool.totalCount);
  });

  test("each call fails while no connection can be opened, and the next one tries again", async () => {
    const connect = vi
      .fn<Lender["connect"]>()
      .mockRejectedValueOnce(new Error("Not now"))
      .mockImplementation(() => pool.connect());
    const shared = sharing({ connect });
    const [one, other] = [shared.query(WHOSE, [1]), shared.query(WHOSE, [2])];
    await expect(one).rejects.toThrow("Not now");
    await expect(other).rejects.toThrow("Not now");
    expect((await shared.query(WHOSE, [3])).rows[0]?.["at"]).toBe(3);
  });
});
