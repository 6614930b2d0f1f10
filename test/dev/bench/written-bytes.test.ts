import { emptyCheckpoint } from "@langchain/langgraph-checkpoint";
import { afterAll, expect, test } from "vitest";
import { openSavers } from "../../../dev/bench/savers.ts";
import { countWrittenBytes, sumBytes } from "../../../dev/bench/written-bytes.ts";
import { testDatabase } from "../../support/database.ts";

const database = await testDatabase();
const savers = await openSavers(database.url, { poolSize: 2 });
const written = await countWrittenBytes(database.url);
afterAll(async () => {
  await written.close();
  await savers.close();
});

const LONG = "x".repeat(10_000);

async function store(name: "ours" | "stock", thread: string) {
  const config = { configurable: { thread_id: thread, checkpoint_ns: "" } };
  const checkpoint = { ...emptyCheckpoint(), channel_values: { text: LONG } };
  const metadata = { source: "loop" as const, step: 1, parents: {} };
  await savers[name].put(config, checkpoint, metadata, { text: 1 });
  return written.take();
}

test.each(["ours", "stock"] as const)(
  "countWrittenBytes() sees what %s writes, before compression, once",
  async (name) => {
    const parts = await store(name, "t-1");
    const values = parts.filter(({ table }) => table === "checkpoint_blobs");
    // The text as JSON, with channel, version and type.
    expect(values).toEqual([
      { table: "checkpoint_blobs", channel: "text", bytes: LONG.length + 2 + "text1json".length },
    ]);
    const rows = parts.filter(({ table }) => table === "checkpoints");
    expect(rows).toMatchObject([{ channel: null }]);
    expect(sumBytes(parts)).toBe(sumBytes(values) + sumBytes(rows));
    expect(sumBytes(rows)).toBeGreaterThan(100);
    expect(await written.take()).toEqual([]);
  },
);

test("storedBytes() is one thread's, compressed, and nothing once it is deleted", async () => {
  await store("ours", "t-2");
  const stored = await written.storedBytes("concierge", "t-2");
  expect(stored).toBeGreaterThan(100);
  expect(stored).toBeLessThan(LONG.length);
  expect(await written.storedBytes("stock", "t-2")).toBe(0);
  await savers.ours.deleteThread("t-2");
  expect(await written.storedBytes("concierge", "t-2")).toBe(0);
});
