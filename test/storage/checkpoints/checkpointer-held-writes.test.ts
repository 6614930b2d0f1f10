import { setTimeout as delay } from "node:timers/promises";
import { fc, test as property } from "@fast-check/vitest";
import type { RunnableConfig } from "@langchain/core/runnables";
import {
  emptyCheckpoint,
  TASKS,
  uuid6,
  type BaseCheckpointSaver,
  type PendingWrite,
} from "@langchain/langgraph-checkpoint";
import { afterAll, describe, expect, test } from "vitest";
import { createCheckpointer } from "../../../storage/checkpoints/checkpointer.ts";
import { testDatabase } from "../../support/database.ts";
import { openWatchedPool } from "../../support/watched-pool.ts";

function resume(word: string): PendingWrite {
  return ["__resume__", word];
}

const database = await testDatabase();
const { owner } = database;
const watched = openWatchedPool(database.url);
afterAll(() => watched.pool.end());

const NEVER = 60_000;
/** Gives way to no timer: what is stored was stored for a reason. */
const patient = createCheckpointer(watched.pool, { holdWritesMs: NEVER });
/** Another process, as it were. */
const reader = createCheckpointer(database.pool);

const METADATA = { source: "loop", step: 1, parents: {} } as const;
const WORD: PendingWrite[] = [["word", "x"]];

interface Step {
  readonly word?: string;
  readonly format?: number;
  /** A name that Postgres refuses makes the checkpoint fail. */
  readonly channel?: string;
}

let version = 1;

/** Stores a checkpoint after the one that `parent` names. */
async function put(
  saver: BaseCheckpointSaver,
  parent: RunnableConfig,
  { word = "stored", format = 4, channel = "word" }: Step = {},
): Promise<RunnableConfig> {
  version += 1;
  const versions = { [channel]: version };
  const checkpoint = {
    ...emptyCheckpoint(),
    v: format,
    id: uuid6(1),
    channel_values: { [channel]: word },
    channel_versions: versions,
  };
  return saver.put(parent, checkpoint, METADATA, versions);
}

function thread(threadId: string, namespace = ""): RunnableConfig {
  return { configurable: { thread_id: threadId, checkpoint_ns: namespace } };
}

async function storedWrites(threadId: string) {
  const { rows } = await owner.query<{ task: string; channel: string }>(
    "select task_id as task, channel from checkpoint_writes where thread_id = $1 order by task_id, idx",
    [threadId],
  );
  return rows.map(({ task, channel }) => `${task}: ${channel}`);
}

/** Returns true when the call is done after everything else has had its turn. */
async function isDone(call: Promise<unknown>): Promise<boolean> {
  await owner.query("select 1");
  return Promise.race([call.then(() => true), delay(0, false)]);
}

describe("a finished task's writes", () => {
  test("are dropped when the checkpoint after them comes, and count as saved only then", async () => {
    const base = await put(patient, thread("dropped"));
    const writing = patient.putWrites(base, WORD, "task");
    expect(await isDone(writing)).toBe(false);
    watched.taken();

    const next = await put(patient, base, { word: "next" });

    await writing;
    expect(watched.taken().roundTrips).toBe(1);
    expect(await storedWrites("dropped")).toEqual([]);
    const tuple = await reader.getTuple(next);
    expect(tuple?.checkpoint.channel_values).toEqual({ word: "next" });
  });

  test("are stored when no checkpoint comes: all of one in a single statement", async () => {
    const quick = createCheckpointer(watched.pool, { holdWritesMs: 1 });
    const base = await put(quick, thread("barrier"));
    watched.taken();

    await Promise.all(["a", "b", "c"].map((task) => quick.putWrites(base, WORD, task)));

    expect(watched.taken()).toMatchObject({ roundTrips: 1 });
    expect(await storedWrites("barrier")).toEqual(["a: word", "b: word", "c: word"]);
  });

  test("are stored when the checkpoint after them cannot be", async () => {
    const base = await put(patient, thread("failed"));
    const writing = patient.putWrites(base, WORD, "task");

    await expect(put(patient, base, { channel: "\0" })).rejects.toThrow(
      "unsupported Unicode escape",
    );

    await writing;
    expect(await storedWrites("failed")).toEqual(["task: word"]);
  });

  test("fail with the checkpoint where neither can be stored", async () => {
    const broken = openWatchedPool(database.url);
    const saver = createCheckpointer(broken.pool, { holdWritesMs: NEVER });
    const base = await put(saver, thread("broken"));
    const writing = Promise.allSettled([saver.putWrites(base, WORD, "task")]);
    await broken.pool.end();

    await expect(put(saver, base)).rejects.toThrow("after calling end on the pool");

    expect(await writing).toMatchObject([{ status: "rejected" }]);
    expect(await storedWrites("broken")).toEqual([]);
  });

  test("are not dropped for a checkpoint that is not after theirs", async () => {
    const base = await put(patient, thread("beside"));
    const other = await put(patient, thread("beside", "inner"));
    const elsewhere = await put(patient, thread("elsewhere"));
    const writing = patient.putWrites(base, WORD, "task");

    await put(patient, other);
    await put(patient, elsewhere);
    await put(patient, thread("beside"));
    await put(patient, { configurable: { ...base.configurable, checkpoint_id: uuid6(1) } });

    expect(await isDone(writing)).toBe(false);
    expect((await patient.getTuple(base))?.pendingWrites).toEqual([["task", "word", "x"]]);
    await writing;
  });

  test("stay where a checkpoint of an older format needs them", async () => {
    const base = await put(patient, thread("old"), { format: 3 });
    const sends = ["first", "second"].map((word): PendingWrite => [TASKS, word]);
    const writing = patient.putWrites(base, sends, "task");
    const next = await put(patient, base, { format: 3 });
    const tuple = await patient.getTuple(next);
    await writing;
    expect(tuple?.checkpoint.channel_values[TASKS]).toEqual(["first", "second"]);
  });

  test("count in the order they came: the first at a position stays", async () => {
    const base = await put(patient, thread("order"));
    const writing = [
      patient.putWrites(base, [["word", "first"]], "task"),
      patient.putWrites(base, [["word", "second"]], "task"),
    ];
    expect((await patient.getTuple(base))?.pendingWrites).toEqual([["task", "word", "first"]]);
    await Promise.all(writing);
  });
});

describe("writes that no later checkpoint holds are stored at once:", () => {
  test.each(["__interrupt__", "__resume__", "__error__", "__error_source_node__", "__return__"])(
    "%s",
    async (channel) => {
      const base = await put(patient, thread(channel));
      await patient.putWrites(base, [...WORD, [channel, "now"]], "task");
      expect((await reader.getTuple(base))?.pendingWrites).toEqual(
        expect.arrayContaining([["task", channel, "now"]]),
      );
    },
  );

  test("the writes of a command", async () => {
    const base = await put(patient, thread("command"));
    await patient.putWrites(base, WORD, "00000000-0000-0000-0000-000000000000");
    expect(await storedWrites("command")).toEqual(["00000000-0000-0000-0000-000000000000: word"]);
  });

  test("the later of two answers stays", async () => {
    const base = await put(patient, thread("answers"));
    await patient.putWrites(base, [resume("one"), resume("two")], "task");
    await patient.putWrites(base, [resume("three")], "task");
    expect((await reader.getTuple(base))?.pendingWrites).toEqual([["task", "__resume__", "three"]]);
  });

  test("everything, where nothing is to be held", async () => {
    const prompt = createCheckpointer(database.pool, { holdWritesMs: 0 });
    const base = await put(prompt, thread("prompt"));
    await prompt.putWrites(base, WORD, "task");
    await put(prompt, base);
    expect(await storedWrites("prompt")).toEqual(["task: word"]);
  });
});

describe("held writes are stored before", () => {
  test("the thread is read", async () => {
    const base = await put(patient, thread("read"));
    const writing = patient.putWrites(base, WORD, "task");
    expect((await patient.getTuple(thread("read")))?.pendingWrites).toEqual([
      ["task", "word", "x"],
    ]);
    await writing;
  });

  test("it is listed, with its thread or all threads", async () => {
    for (const config of [thread("listed"), {}]) {
      const base = await put(patient, thread("listed"));
      const writing = patient.putWrites(base, WORD, "task");
      for await (const { pendingWrites } of patient.list(config, { limit: 1 })) {
        expect(pendingWrites).toEqual([["task", "word", "x"]]);
      }
      await writing;
    }
  });

  test("it is pruned or deleted: nothing comes after", async () => {
    const base = await put(patient, thread("gone"));
    const writing = patient.putWrites(base, WORD, "task");
    await patient.prune("gone", 1);
    expect(await storedWrites("gone")).toEqual(["task: word"]);
    const more = patient.putWrites(base, WORD, "another");
    await patient.deleteThread("gone");
    await Promise.all([writing, more]);
    expect(await storedWrites("gone")).toEqual([]);
    expect(await patient.getTuple(thread("gone"))).toBeUndefined();
  });

  test("and a thread that is not read stays as it is", async () => {
    const base = await put(patient, thread("quiet"));
    const writing = patient.putWrites(base, WORD, "task");
    await patient.getTuple(thread("some other"));
    expect(await storedWrites("quiet")).toEqual([]);
    await patient.getTuple(base);
    await writing;
  });
});

/** A step: how many tasks finish in it, whether it comes to its end, whether somebody looks. */
const anyStep = fc.record({
  tasks: fc.uniqueArray(fc.constantFrom("a", "b", "c", "d"), { maxLength: 4 }),
  ends: fc.boolean(),
  read: fc.boolean(),
});

let runs = 0;
property.prop([fc.array(anyStep, { maxLength: 5 })], { numRuns: 25 })(
  "whatever happens in a thread, holding writes back changes nothing of its newest state",
  async (steps) => {
    runs += 1;
    const outcomes = await Promise.all(
      [0, 1, NEVER].map(async (holdWritesMs) => {
        const saver = createCheckpointer(database.pool, { holdWritesMs });
        const threadId = `law ${runs}, ${holdWritesMs}`;
        const calls: Promise<unknown>[] = [];
        let config = await put(saver, thread(threadId));
        for (const [step, { tasks, ends, read }] of steps.entries()) {
          for (const task of tasks) {
            calls.push(saver.putWrites(config, [["word", task]], `${step} ${task}`));
          }
          if (read) await saver.getTuple(config);
          if (ends) config = await put(saver, config, { word: `after ${step}` });
        }
        await saver.getTuple(config);
        await Promise.all(calls);
        const newest = await reader.getTuple(thread(threadId));
        return { values: newest?.checkpoint.channel_values, pending: newest?.pendingWrites };
      }),
    );
    expect(outcomes[1]).toEqual(outcomes[0]);
    expect(outcomes[2]).toEqual(outcomes[0]);
  },
);
