import { emptyCheckpoint } from "@langchain/langgraph-checkpoint";
import { afterAll, expect, test } from "vitest";
import { countStatements } from "../../../dev/bench/count-statements.ts";
import { openSavers } from "../../../dev/bench/savers.ts";
import { testDatabase } from "../../support/database.ts";

const database = await testDatabase();
const savers = await openSavers(database.url, { poolSize: 2 });
afterAll(() => savers.close());

test("countStatements() counts calls, and what was sent for each kind of them", async () => {
  const count = countStatements(savers.stock, savers.pools.stock);
  await savers.pools.stock.query("select 1");
  const config = { configurable: { thread_id: "t-1", checkpoint_ns: "" } };
  const metadata = { source: "loop" as const, step: 1, parents: {} };
  const checkpoint = { ...emptyCheckpoint(), channel_values: { a: 1, b: 2 } };
  const stored = await savers.stock.put(config, checkpoint, metadata, { a: 1, b: 1 });
  await savers.stock.putWrites(stored, [["a", 1]], "task-1");
  await savers.stock.getTuple(config);
  await savers.stock.getTuple(config);
  // The stock saver sends one for each value and each write, and its transaction's begin and end.
  expect(count()).toEqual({
    getTuple: { calls: 2, statements: 2 },
    put: { calls: 1, statements: 5 },
    putWrites: { calls: 1, statements: 3 },
  });
});
