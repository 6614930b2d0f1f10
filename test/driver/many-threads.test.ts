import { expect, test } from "vitest";
import { ADDING } from "../support/adding.ts";
import { testDatabase } from "../support/database.ts";
import { newRun } from "../support/fresh-kitchen.ts";
import { openThread } from "../support/test-thread.ts";

const database = await testDatabase({ poolSize: 10 });

const THREADS = 50;

test("fifty threads at once on ten connections have one turn each, and keep their leases", async () => {
  const runs = Array.from({ length: THREADS }, newRun);
  const ends = await Promise.all(
    runs.map(async (run, index) => {
      const events = await openThread(database, { run, behaviour: ADDING }).send(
        `add item${index}`,
      );
      return events.at(-1)?.type;
    }),
  );

  expect(ends).toEqual(runs.map(() => "turn-end"));
  const { rows: leases } = await database.owner.query<{ owner: string | null; fence: number }>(
    "select owner, fence from leases",
  );
  expect(leases).toEqual(runs.map(() => ({ owner: null, fence: 1 })));
  const { rows: kept } = await database.owner.query(
    `select (select count(*)::int from turns) as turns, (select count(*)::int from effects) as effects,
            (select count(*)::int from inbox where outcome = 'answered' and attempts = 1) as answered,
            (select count(distinct (user_id, name))::int from shopping_list) as items,
            (select count(*)::int from shopping_list) as rows`,
  );
  expect(kept).toEqual([
    { turns: THREADS, effects: THREADS, answered: THREADS, items: THREADS, rows: THREADS },
  ]);
  expect(database.pool.totalCount).toBe(10);
}, 120_000);
