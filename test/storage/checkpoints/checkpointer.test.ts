import {
  Command,
  interrupt,
  START,
  StateGraph,
  StateSchema,
  ReducedValue,
  type StateSnapshot,
} from "@langchain/langgraph";
import type { BaseCheckpointSaver, CheckpointTuple } from "@langchain/langgraph-checkpoint";
import { PostgresSaver } from "@langchain/langgraph-checkpoint-postgres";
import { fc, test as property } from "@fast-check/vitest";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { createCheckpointer } from "../../../storage/checkpoints/checkpointer.ts";
import { testDatabase } from "../../support/database.ts";
import { countCheckpointRows } from "../../support/test-leases.ts";

const database = await testDatabase();
const { pool, owner } = database;
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

test("both branches of a fork keep their own values", async () => {
  const graph = listGraph(saver);
  await graph.invoke({ words: ["one"] }, onThread("fork"));
  const base = (await graph.getState(onThread("fork"))).config.configurable?.["checkpoint_id"];
  const branches = [];
  for (const word of ["left", "right"]) {
    await graph.invoke({ words: [word] }, onThread("fork", base));
    const end = (await graph.getState(onThread("fork"))).config.configurable?.["checkpoint_id"];
    branches.push(end);
  }
  const read = async (id: string) => (await graph.getState(onThread("fork", id))).values.words;
  expect(await Promise.all(branches.map(read))).toEqual([
    ["one", "one!", "left", "left!"],
    ["one", "one!", "right", "right!"],
  ]);
});

test("a replay from an old checkpoint keeps what it came to", async () => {
  const takes = ["first take", "second take"];
  const graph = new StateGraph(ListState)
    .addNode("take", () => ({ last: takes.shift() ?? "" }))
    .addEdge(START, "take")
    .compile({ checkpointer: saver });
  await graph.invoke({ words: ["one"] }, onThread("replay"));
  const [, before] = await listCheckpoints(graph.getStateHistory(onThread("replay")));
  const { last } = await graph.invoke(null, onThread("replay", before));
  const read = (await graph.getState(onThread("replay"))).values.last;
  expect([last, read]).toEqual(["second take", "second take"]);
});

async function listCheckpoints(history: AsyncIterable<StateSnapshot>): Promise<string[]> {
  const ids: string[] = [];
  for await (const { config } of history) ids.push(String(config.configurable?.["checkpoint_id"]));
  return ids;
}

test("two runs of one thread at once keep their own values", async () => {
  const met = Promise.withResolvers<void>();
  let inside = 0;
  const graph = new StateGraph(ListState)
    .addNode("meet", async ({ words }) => {
      inside += 1;
      // The first run is that of the base.
      if (inside === 3) met.resolve();
      if (inside > 1) await met.promise;
      return { last: words.join() };
    })
    .addEdge(START, "meet")
    .compile({ checkpointer: saver });
  await graph.invoke({ words: ["base"] }, onThread("twice"));
  const [base] = await listCheckpoints(graph.getStateHistory(onThread("twice")));
  const ends = await Promise.all(
    ["a", "b"].map(async (word) => {
      const config = { ...onThread("twice", base), streamMode: "checkpoints" as const };
      let end: string | undefined;
      for await (const chunk of await graph.stream({ words: [word] }, config)) {
        end = String(chunk.config.configurable?.["checkpoint_id"]);
      }
      return end;
    }),
  );
  const read = async (end: string | undefined) =>
    (await graph.getState(onThread("twice", end))).values;
  expect(await Promise.all(ends.map(read))).toEqual([
    { words: ["base", "a"], last: "base,a" },
    { words: ["base", "b"], last: "base,b" },
  ]);
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

describe("a thread with versions of both kinds", () => {
  const stockHere = new PostgresSaver(owner, undefined, { schema: "concierge" });
  const WORDS = ["old", "old!", "new", "new!"];

  test("goes on where the stock saver began it, and back", async () => {
    await listGraph(stockHere).invoke({ words: ["old"] }, onThread("taken over"));
    const state = await listGraph(saver).invoke({ words: ["new"] }, onThread("taken over"));
    expect(state.words).toEqual(WORDS);
    const back = await listGraph(stockHere).invoke({ words: ["back"] }, onThread("taken over"));
    expect(back.words).toEqual([...WORDS, "back", "back!"]);
  });

  test("is the same to both savers, checkpoint by checkpoint", async () => {
    await listGraph(stockHere).invoke({ words: ["old"] }, onThread("both"));
    await listGraph(saver).invoke({ words: ["new"] }, onThread("both"));
    const prompt = createCheckpointer(pool, { holdWritesMs: 0 });
    await askingGraph(prompt).invoke({ words: ["ask"] }, onThread("both"));
    const [ours, theirs] = await Promise.all(
      [saver, stockHere].map((checkpointer) => listTuples(checkpointer.list(onThread("both")))),
    );
    expect(ours?.length).toBeGreaterThan(10);
    expect(ours).toEqual(theirs);
    for (const tuple of ours ?? []) {
      expect(await saver.getTuple(tuple.config)).toEqual(await stockHere.getTuple(tuple.config));
    }
  });

  test("forks where its versions are integers", async () => {
    const graph = listGraph(saver);
    await listGraph(stockHere).invoke({ words: ["old"] }, onThread("old fork"));
    const [base] = await listCheckpoints(graph.getStateHistory(onThread("old fork")));
    for (const word of ["left", "right"]) {
      const { words } = await graph.invoke({ words: [word] }, onThread("old fork", base));
      const [end] = await listCheckpoints(graph.getStateHistory(onThread("old fork")));
      const read = await graph.getState(onThread("old fork", end));
      expect([words, read.values.words]).toEqual([
        ["old", "old!", word, `${word}!`],
        ["old", "old!", word, `${word}!`],
      ]);
    }
  });
});

async function listTuples(list: AsyncIterable<CheckpointTuple>): Promise<CheckpointTuple[]> {
  const tuples: CheckpointTuple[] = [];
  for await (const tuple of list) tuples.push(tuple);
  return tuples;
}

test("prune() keeps the newest checkpoints with their values, and the thread goes on", async () => {
  // Writes that are not held back, as the stock saver leaves them, have to go too.
  const graph = listGraph(createCheckpointer(pool, { holdWritesMs: 0 }));
  for (const word of ["a", "b", "c"]) await graph.invoke({ words: [word] }, onThread("pruned"));
  await graph.invoke({ words: ["x"] }, onThread("neighbour"));
  const neighbour = await countCheckpointRows(database, "neighbour");
  const before = await graph.getState(onThread("pruned"));
  const rows = await countCheckpointRows(database, "pruned");

  expect(await saver.prune("pruned", 2)).toBe(rows.checkpoints - 2);

  const left = await countCheckpointRows(database, "pruned");
  expect(left.checkpoints).toBe(2);
  expect(left.blobs).toBeLessThan(rows.blobs);
  expect(left.writes).toBeLessThan(rows.writes);
  expect(await countCheckpointRows(database, "neighbour")).toEqual(neighbour);
  expect((await graph.getState(onThread("pruned"))).values).toEqual(before.values);
  expect((await graph.invoke({ words: ["d"] }, onThread("pruned"))).words.join(" ")).toBe(
    "a a! b b! c c! d d!",
  );
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

test("a task that finished beside a pending interrupt is not run again after a prune", async () => {
  let done = 0;
  const graph = new StateGraph(ListState)
    .addNode("ask", () => ({ words: [String(interrupt("which one?"))] }))
    .addNode("work", () => {
      done += 1;
      return { words: ["worked"] };
    })
    .addEdge(START, "ask")
    .addEdge(START, "work")
    .compile({ checkpointer: saver });
  await graph.invoke({ words: ["hello"] }, onThread("beside"));

  expect(await saver.prune("beside", 1)).toBe(1);

  const state = await graph.invoke(new Command({ resume: "this one" }), onThread("beside"));
  expect(state.words).toEqual(["hello", "this one", "worked"]);
  expect(done).toBe(1);
});
