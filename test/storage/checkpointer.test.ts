import {
  Command,
  interrupt,
  START,
  StateGraph,
  StateSchema,
  ReducedValue,
} from "@langchain/langgraph";
import { MemorySaver, type BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import { PostgresSaver } from "@langchain/langgraph-checkpoint-postgres";
import { fc, test as property } from "@fast-check/vitest";
import { expect, test } from "vitest";
import { z } from "zod";
import { createCheckpointer } from "../../storage/checkpointer.ts";
import { testDatabase } from "../support/database.ts";

const { pool, owner } = await testDatabase();
const saver = createCheckpointer(pool);

const ListState = new StateSchema({
  words: new ReducedValue(
    z.array(z.string()).default(() => []),
    {
      inputSchema: z.array(z.string()),
      reducer: (before, added) => [...before, ...added],
    },
  ),
  last: z.string().default(""),
});

/** Appends the input to the list, in three steps. */
function listGraph(checkpointer: BaseCheckpointSaver) {
  return new StateGraph(ListState)
    .addNode("first", () => ({}))
    .addNode("second", (state) => ({ last: state.words.at(-1) ?? "" }))
    .addNode("third", (state) => ({ words: [`${state.last}!`] }))
    .addEdge(START, "first")
    .addEdge("first", "second")
    .addEdge("second", "third")
    .compile({ checkpointer });
}

function onThread(threadId: string, checkpointId?: string) {
  const configurable = {
    thread_id: threadId,
    ...(checkpointId && { checkpoint_id: checkpointId }),
  };
  return { configurable, durability: "sync" as const };
}

/** Plays one turn, then two different second turns from the same state; returns what each branch holds when read again. */
async function fork(checkpointer: BaseCheckpointSaver) {
  const graph = listGraph(checkpointer);
  await graph.invoke({ words: ["one"] }, onThread("fork"));
  const base = (await graph.getState(onThread("fork"))).config.configurable?.["checkpoint_id"];
  const branches = [];
  for (const word of ["left", "right"]) {
    await graph.invoke({ words: [word] }, onThread("fork", base));
    const end = (await graph.getState(onThread("fork"))).config.configurable?.["checkpoint_id"];
    branches.push(end);
  }
  const read = async (id: string) => (await graph.getState(onThread("fork", id))).values.words;
  return Promise.all(branches.map(read));
}

const BOTH_RIGHT = [
  ["one", "one!", "left", "left!"],
  ["one", "one!", "right", "right!"],
];

test("both branches of a fork keep their own values", async () => {
  expect(await fork(saver)).toEqual(BOTH_RIGHT);
});

test("control: in memory a fork is right, with the stock saver the second branch reads the first one's values", async () => {
  expect(await fork(new MemorySaver())).toEqual(BOTH_RIGHT);
  const stock = new PostgresSaver(owner, undefined, { schema: "stock" });
  await stock.setup();
  const [left, right] = await fork(stock);
  expect(left).toEqual(BOTH_RIGHT[0]);
  expect(right).not.toEqual(BOTH_RIGHT[1]);
});

property.prop([fc.double({ min: 0, max: 1e9, noNaN: true })])(
  "getNextVersion() rises, is no integer's twin, and comes back from the database as it was",
  async (current) => {
    const next = saver.getNextVersion(current);
    expect(next).toBeGreaterThan(current);
    expect(Math.floor(next)).toBe(Math.floor(current) + 1);
    const { rows } = await pool.query("select $1::jsonb ->> 'v' as text", [
      JSON.stringify({ v: next }),
    ]);
    expect(rows).toEqual([{ text: next.toString() }]);
  },
);

test("getNextVersion() is unique: two from one state differ", () => {
  const versions = Array.from({ length: 1000 }, () => saver.getNextVersion(7));
  expect(new Set(versions).size).toBe(1000);
});

test("a thread that the stock saver began goes on with this one", async () => {
  const stock = new PostgresSaver(owner, undefined, { schema: "concierge" });
  await listGraph(stock).invoke({ words: ["old"] }, onThread("taken over"));
  const state = await listGraph(saver).invoke({ words: ["new"] }, onThread("taken over"));
  expect(state.words).toEqual(["old", "old!", "new", "new!"]);
});

async function countRows(threadId: string) {
  const { rows } = await owner.query(
    `select (select count(*) from checkpoints where thread_id = $1) as checkpoints,
            (select count(*) from checkpoint_blobs where thread_id = $1) as blobs,
            (select count(*) from checkpoint_writes where thread_id = $1) as writes`,
    [threadId],
  );
  return rows[0] as { checkpoints: number; blobs: number; writes: number };
}

test("prune() keeps the newest checkpoints with their values, and the thread goes on", async () => {
  // Writes that are not held back, as the stock saver leaves them, have to go too.
  const graph = listGraph(createCheckpointer(pool, { holdWritesMs: 0 }));
  for (const word of ["a", "b", "c"]) await graph.invoke({ words: [word] }, onThread("pruned"));
  await graph.invoke({ words: ["x"] }, onThread("neighbour"));
  const neighbour = await countRows("neighbour");
  const before = await graph.getState(onThread("pruned"));
  const rows = await countRows("pruned");

  expect(await saver.prune("pruned", 2)).toBe(rows.checkpoints - 2);

  const left = await countRows("pruned");
  expect(left.checkpoints).toBe(2);
  expect(left.blobs).toBeLessThan(rows.blobs);
  expect(left.writes).toBeLessThan(rows.writes);
  expect(await countRows("neighbour")).toEqual(neighbour);
  expect((await graph.getState(onThread("pruned"))).values).toEqual(before.values);
  expect((await graph.invoke({ words: ["d"] }, onThread("pruned"))).words).toEqual([
    "a",
    "a!",
    "b",
    "b!",
    "c",
    "c!",
    "d",
    "d!",
  ]);
});

test("pruneTurns() keeps the checkpoints since the n-th newest input", async () => {
  const graph = listGraph(saver);
  for (const word of ["a", "b", "c"]) await graph.invoke({ words: [word] }, onThread("turns"));
  await saver.pruneTurns("turns", 2);
  const sources: unknown[] = [];
  for await (const { metadata } of saver.list(onThread("turns"))) sources.unshift(metadata?.source);
  const turn = ["input", "loop", "loop", "loop", "loop"];
  expect(sources).toEqual([...turn, ...turn]);
  expect(await saver.pruneTurns("turns", 5)).toBe(0);
});

test("prune() refuses to keep nothing", async () => {
  await expect(saver.prune("pruned", 0)).rejects.toThrow("Cannot keep 0: keep at least 1");
  expect(await saver.prune("no such thread", 1)).toBe(0);
});

/** Asks a person in the middle of a subgraph. */
function askingGraph(checkpointer: BaseCheckpointSaver) {
  const inner = new StateGraph(ListState)
    .addNode("prepare", () => ({ words: ["prepared"] }))
    .addNode("ask", () => ({ words: [String(interrupt("which one?"))] }))
    .addEdge(START, "prepare")
    .addEdge("prepare", "ask")
    .compile();
  return new StateGraph(ListState)
    .addNode("before", () => ({ words: ["before"] }))
    .addNode("inner", async (state, config) => {
      const answer = await inner.invoke({ words: [], last: state.last }, config);
      return { words: answer.words };
    })
    .addEdge(START, "before")
    .addEdge("before", "inner")
    .compile({ checkpointer });
}

test("a pending interrupt, inside a subgraph too, resumes after a prune", async () => {
  const graph = askingGraph(saver);
  await graph.invoke({ words: ["hello"] }, onThread("asked"));
  const pending = (await graph.getState(onThread("asked"))).tasks.flatMap(
    (task) => task.interrupts,
  );
  expect(pending.map(({ value }) => value as unknown)).toEqual(["which one?"]);

  expect(await saver.prune("asked", 1)).toBeGreaterThan(0);

  const answers = Object.fromEntries(pending.map(({ id }) => [id, "the second"]));
  const state = await graph.invoke(new Command({ resume: answers }), onThread("asked"));
  expect(state.words).toEqual(["hello", "before", "prepared", "the second"]);
});
