import {
  Command,
  interrupt,
  START,
  StateGraph,
  StateSchema,
  ReducedValue,
  type StateSnapshot,
} from "@langchain/langgraph";
import {
  MemorySaver,
  type BaseCheckpointSaver,
  type CheckpointTuple,
} from "@langchain/langgraph-checkpoint";
import { PostgresSaver } from "@langchain/langgraph-checkpoint-postgres";
import { fc, test as property } from "@fast-check/vitest";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { createCheckpointer } from "../../../storage/checkpoints/checkpointer.ts";
import { testDatabase } from "../../support/database.ts";

const { pool, owner } = await testDatabase();
const saver = createCheckpointer(pool);
/** LangGraph's own, with tables of its own: what it does wrong shows that the tests bite. */
const stock = new PostgresSaver(owner, undefined, { schema: "stock" });
await stock.setup();

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
  const [left, right] = await fork(stock);
  expect(left).toEqual(BOTH_RIGHT[0]);
  expect(right).not.toEqual(BOTH_RIGHT[1]);
});

/** Runs a step again from the checkpoint before it, with another outcome; returns what the run said and what is read again. */
async function replay(checkpointer: BaseCheckpointSaver) {
  const takes = ["first take", "second take"];
  const graph = new StateGraph(ListState)
    .addNode("take", () => ({ last: takes.shift() ?? "" }))
    .addEdge(START, "take")
    .compile({ checkpointer });
  await graph.invoke({ words: ["one"] }, onThread("replay"));
  const [, before] = await listCheckpoints(graph.getStateHistory(onThread("replay")));
  const { last } = await graph.invoke(null, onThread("replay", before));
  return { said: last, read: (await graph.getState(onThread("replay"))).values.last };
}

async function listCheckpoints(history: AsyncIterable<StateSnapshot>): Promise<string[]> {
  const ids: string[] = [];
  for await (const { config } of history) ids.push(String(config.configurable?.["checkpoint_id"]));
  return ids;
}

test("a replay from an old checkpoint keeps what it came to", async () => {
  expect(await replay(saver)).toEqual({ said: "second take", read: "second take" });
});

test("control: with the stock saver the replay is read as the run before it", async () => {
  expect(await replay(stock)).toEqual({ said: "second take", read: "first take" });
});

/** Two runs from one checkpoint that meet in their first step; returns what is read again at the end of each. */
async function runTwice(checkpointer: BaseCheckpointSaver) {
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
    .compile({ checkpointer });
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
  return Promise.all(ends.map(read));
}

const UNMIXED = [
  { words: ["base", "a"], last: "base,a" },
  { words: ["base", "b"], last: "base,b" },
];

test("two runs of one thread at once keep their own values", async () => {
  expect(await runTwice(saver)).toEqual(UNMIXED);
});

test("control: with the stock saver one of two runs reads the other's values", async () => {
  expect(await runTwice(stock)).not.toEqual(UNMIXED);
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

  test("control: with unique versions that are texts a run on an integer thread does nothing", async () => {
    class TextVersions extends PostgresSaver {
      // Its type says numbers; LangGraph takes texts too.
      override getNextVersion(current: number | undefined): never {
        const count = Number.parseInt(`${current ?? 0}`, 10) + 1;
        return `${`${count}`.padStart(32, "0")}.${Math.random()}` as never;
      }
    }
    const texts = new TextVersions(owner, undefined, { schema: "concierge" });
    await listGraph(stockHere).invoke({ words: ["old"] }, onThread("texts"));
    expect(await listGraph(texts).invoke({ words: ["new"] }, onThread("texts"))).toBeUndefined();
  });
});

async function listTuples(list: AsyncIterable<CheckpointTuple>): Promise<CheckpointTuple[]> {
  const tuples: CheckpointTuple[] = [];
  for await (const tuple of list) tuples.push(tuple);
  return tuples;
}

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

test("control: a prune that keeps the newest checkpoint, whosever it is, loses the question", async () => {
  const graph = askingGraph(saver);
  await graph.invoke({ words: ["hello"] }, onThread("forgotten"));
  await owner.query(
    `delete from checkpoints
      where thread_id = 'forgotten'
        and checkpoint_id < (select max(checkpoint_id) from checkpoints where thread_id = 'forgotten')`,
  );
  expect((await graph.getState(onThread("forgotten"))).tasks).toEqual([]);
});

test("what finished beside a pending interrupt is not done again after a prune", async () => {
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
