import { END, START, StateGraph, StateSchema, type StateSnapshot } from "@langchain/langgraph";
import { emptyCheckpoint, uuid6, type BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import { PostgresSaver } from "@langchain/langgraph-checkpoint-postgres";
import { afterAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { createCheckpointer } from "../../../storage/checkpoints/checkpointer.ts";
import { LeaseLostError } from "../../../storage/conversations/leases.ts";
import { testDatabase } from "../../support/database.ts";
import { openWatchedPool } from "../../support/watched-pool.ts";

const database = await testDatabase();
const ours = openWatchedPool(database.url);
const stock = openWatchedPool(database.url);
afterAll(() => Promise.all([ours.pool.end(), stock.pool.end()]));

const saver = createCheckpointer(ours.pool);
const stockSaver = new PostgresSaver(stock.pool, undefined, { schema: "stock" });
await stockSaver.setup();

const CHANNELS = ["one", "two", "three", "four"];
const VERSIONS = Object.fromEntries(CHANNELS.map((channel) => [channel, 1.5]));
const METADATA = { source: "loop", step: 1, parents: {} } as const;

async function putFourValues(checkpointer: BaseCheckpointSaver) {
  const checkpoint = {
    ...emptyCheckpoint(),
    id: uuid6(1),
    channel_values: Object.fromEntries(CHANNELS.map((channel) => [channel, `value of ${channel}`])),
    channel_versions: VERSIONS,
  };
  const config = { configurable: { thread_id: "counted", checkpoint_ns: "" } };
  return checkpointer.put(config, checkpoint, METADATA, VERSIONS);
}

/** The round trips of one `put` of four values, of one `putWrites` of two and of reading both. */
async function countTrips(checkpointer: BaseCheckpointSaver, watched: typeof ours) {
  const config = await putFourValues(checkpointer);
  watched.taken();
  await putFourValues(checkpointer);
  const put = watched.taken().roundTrips;
  await checkpointer.putWrites(
    config,
    [
      ["one", 1],
      ["two", 2],
    ],
    "task",
  );
  const putWrites = watched.taken().roundTrips;
  const tuple = await checkpointer.getTuple(config);
  expect(tuple?.pendingWrites).toHaveLength(2);
  return { put, putWrites, getTuple: watched.taken().roundTrips };
}

describe("round trips", () => {
  test("each call makes one", async () => {
    expect(await countTrips(saver, ours)).toEqual({ put: 1, putWrites: 1, getTuple: 1 });
  });

  test("control: the stock saver makes one a row, and two for a transaction", async () => {
    expect(await countTrips(stockSaver, stock)).toEqual({ put: 7, putWrites: 4, getTuple: 1 });
  });

  test("pruning and deleting make one each", async () => {
    await putFourValues(saver);
    ours.taken();
    expect(await saver.prune("counted", 1)).toBeGreaterThan(0);
    expect(ours.taken().roundTrips).toBe(1);
    const lease = { owner: "nobody", fence: 1 };
    await expect(saver.pruneTurns("counted", 1, lease)).rejects.toThrow(LeaseLostError);
    expect(ours.taken().roundTrips).toBe(1);
    await saver.deleteThread("counted");
    expect(ours.taken().roundTrips).toBe(1);
  });
});

/** Counts to ten in as many steps; five runs are sixty checkpoints. */
function countingGraph(checkpointer: BaseCheckpointSaver) {
  return new StateGraph(new StateSchema({ count: z.number().default(0) }))
    .addNode("add", ({ count }) => ({ count: count + 1 }))
    .addEdge(START, "add")
    .addConditionalEdges("add", ({ count }) => (count % 10 === 0 ? END : "add"))
    .compile({ checkpointer });
}

async function longThread(checkpointer: BaseCheckpointSaver) {
  const graph = countingGraph(checkpointer);
  const config = { configurable: { thread_id: "long" } };
  for (let run = 0; run < 5; run += 1) await graph.invoke({ count: run * 10 }, config);
  return { graph, config };
}

async function listSteps(history: AsyncIterable<StateSnapshot>) {
  const steps: unknown[] = [];
  for await (const { metadata } of history) steps.push(metadata?.step);
  return steps;
}

async function listHistory(checkpointer: BaseCheckpointSaver) {
  const { graph, config } = await longThread(checkpointer);
  return listSteps(graph.getStateHistory(config));
}

const STEPS = Array.from({ length: 60 }, (_, index) => 58 - index);

describe("getStateHistory()", () => {
  test("comes whole, and at most twenty checkpoints are loaded at once", async () => {
    expect(await listHistory(saver)).toEqual(STEPS);
    expect(ours.mostRows()).toBe(20);
  });

  test("control: the stock saver loads the whole thread", async () => {
    expect(await listHistory(stockSaver)).toEqual(STEPS);
    expect(stock.mostRows()).toBe(60);
  });

  test("loads no page that nobody reads on to", async () => {
    const { graph, config } = await longThread(saver);
    ours.taken();
    for await (const { metadata } of graph.getStateHistory(config)) {
      expect(metadata?.step).toBe(118);
      break;
    }
    expect(ours.taken()).toEqual({ roundTrips: 1, rows: 20 });
    const five = await listSteps(graph.getStateHistory(config, { limit: 5 }));
    expect(five).toEqual([118, 117, 116, 115, 114]);
    expect(ours.taken()).toEqual({ roundTrips: 1, rows: 5 });
  });
});
