import { setTimeout as delay } from "node:timers/promises";
import { Send, START, StateGraph, StateSchema, ReducedValue } from "@langchain/langgraph";
import { emptyCheckpoint, uuid6, type PendingWrite } from "@langchain/langgraph-checkpoint";
import type { RunnableConfig } from "@langchain/core/runnables";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { LeaseClaim } from "../../../state/store.ts";
import {
  createCheckpointer,
  PostgresCheckpointer,
} from "../../../storage/checkpoints/checkpointer.ts";
import { LeaseLostError, releaseLease, renewLease } from "../../../storage/conversations/leases.ts";
import { withTransaction } from "../../../storage/postgres/transaction.ts";
import { testDatabase } from "../../support/database.ts";
import {
  countCheckpointRows,
  expireLease,
  loseLease,
  takeLease,
} from "../../support/test-leases.ts";

const database = await testDatabase();
const { pool, owner } = database;
const saver = createCheckpointer(pool);
const countRows = (threadId: string) => countCheckpointRows(database, threadId);

const METADATA = { source: "loop", step: 1, parents: {} } as const;

function under(threadId: string, lease: LeaseClaim | null, checkpointId?: string): RunnableConfig {
  return {
    configurable: {
      thread_id: threadId,
      checkpoint_ns: "",
      ...(checkpointId !== undefined && { checkpoint_id: checkpointId }),
      ...(lease !== null && { lease }),
    },
  };
}

/** Stores a checkpoint with one value. */
async function put(config: RunnableConfig, id = uuid6(1)): Promise<RunnableConfig> {
  const checkpoint = {
    ...emptyCheckpoint(),
    id,
    channel_values: { word: id },
    channel_versions: { word: 1.5 },
  };
  return saver.put(config, checkpoint, METADATA, { word: 1.5 });
}

const NOTHING = { checkpoints: 0, blobs: 0, writes: 0 };

/** Held back, stored at once, and stored in place of what is there. */
const WRITES: PendingWrite[][] = [[["word", "x"]], [["__return__", "x"]], [["__error__", "x"]]];

test("the holder of the lease writes", async () => {
  const lease = await takeLease(database, "holder");
  const config = await put(under("holder", lease));
  expect(config.configurable).toMatchObject({ thread_id: "holder", lease });
  for (const [index, writes] of WRITES.entries()) {
    await saver.putWrites(config, writes, `task ${index}`);
  }
  expect(await countRows("holder")).toEqual({
    checkpoints: 1,
    blobs: 1,
    writes: 3,
  });
});

test("a lease that ran out holds as long as nobody takes it", async () => {
  const lease = await takeLease(database, "over");
  await expireLease(database, "over");
  await put(under("over", lease));
  expect(await countRows("over")).toMatchObject({ checkpoints: 1 });
});

describe("nothing is written, and the call says so,", () => {
  const lost: [string, (threadId: string) => Promise<unknown>][] = [
    ["when another owner took the lease over", (threadId) => loseLease(database, threadId)],
    [
      "when it was given back",
      (threadId) => releaseLease(pool, { threadId, owner: "me", fence: 1 }),
    ],
    [
      "when it was given back and taken by the same owner again",
      async (threadId) => {
        await releaseLease(pool, { threadId, owner: "me", fence: 1 });
        await takeLease(database, threadId);
      },
    ],
    [
      "when the thread's lease is gone",
      (threadId) => owner.query("delete from leases where thread_id = $1", [threadId]),
    ],
  ];

  test.each(lost)("%s", async (situation, loseLease) => {
    const lease = await takeLease(database, situation);
    await loseLease(situation);

    await expect(put(under(situation, lease))).rejects.toThrow(LeaseLostError);
    const config = under(situation, lease, uuid6(1));
    for (const writes of WRITES) {
      await expect(saver.putWrites(config, writes, "task")).rejects.toThrow(LeaseLostError);
    }

    expect(await countRows(situation)).toEqual(NOTHING);
  });

  test("to a stored checkpoint either", async () => {
    const lease = await takeLease(database, "stored");
    await put(under("stored", lease), "1f000000-0000-6000-8000-000000000000");
    const before = await saver.getTuple(under("stored", null));
    await loseLease(database, "stored");
    await expect(
      put(under("stored", lease), "1f000000-0000-6000-8000-000000000000"),
    ).rejects.toThrow(LeaseLostError);
    expect(await saver.getTuple(under("stored", null))).toEqual(before);
  });

  test("for what was held back when the lease was lost", async () => {
    const patient = createCheckpointer(pool, { holdWritesMs: 60_000 });
    const lease = await takeLease(database, "held back");
    const config = await put(under("held back", lease));
    const writing = Promise.allSettled([patient.putWrites(config, [["word", "x"]], "task")]);
    await loseLease(database, "held back");
    expect((await patient.getTuple(under("held back", null)))?.pendingWrites).toEqual([]);
    expect(await writing).toEqual([
      { status: "rejected", reason: new LeaseLostError("held back") },
    ]);
  });
});

test("pruneTurns() deletes only while the claim holds", async () => {
  const lease = await takeLease(database, "pruned");
  const graph = wideGraph(saver, async () => {});
  const config = { configurable: { thread_id: "pruned", lease } };
  for (const word of ["one", "two"]) await graph.invoke({ words: [word] }, config);
  const before = await countRows("pruned");
  expect(await saver.pruneTurns("pruned", 1, lease)).toBe(before.checkpoints / 2);

  await graph.invoke({ words: ["three"] }, config);
  await loseLease(database, "pruned");

  await expect(saver.pruneTurns("pruned", 1, lease)).rejects.toThrow(LeaseLostError);
  expect((await countRows("pruned")).checkpoints).toBe(before.checkpoints);
});

test("without a lease nothing is checked", async () => {
  await takeLease(database, "free");
  const config = await put(under("free", null));
  await saver.putWrites(config, [["__error__", "x"]], "task");
  expect(await countRows("free")).toEqual({
    checkpoints: 1,
    blobs: 1,
    writes: 1,
  });
});

test("a claim that is none is refused, not passed over", async () => {
  const config = { configurable: { thread_id: "odd", lease: { owner: "me" } } };
  await expect(put(config)).rejects.toThrow(z.ZodError);
  expect(await countRows("odd")).toEqual(NOTHING);
});

/** Waits until so many statements of this database wait for a lock. */
async function untilBlocked(count = 1): Promise<void> {
  for (;;) {
    const { rows } = await owner.query(
      "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    if (rows.length >= count) return;
    await delay(5);
  }
}

const TAKE_OVER =
  "update leases set owner = 'another', fence = fence + 1 where thread_id = 'contested'";

describe("a take-over in the middle of a write", () => {
  test("that comes first lets nothing be written", async () => {
    const lease = await takeLease(database, "contested");
    const outcome = await withTransaction(owner, async (tx) => {
      await tx.query(TAKE_OVER);
      const writing = Promise.allSettled([
        put(under("contested", lease)),
        saver.putWrites(under("contested", lease, uuid6(1)), [["__error__", "x"]], "task"),
      ]);
      await untilBlocked();
      return { writing };
    });
    expect(await outcome.writing).toEqual([
      { status: "rejected", reason: new LeaseLostError("contested") },
      { status: "rejected", reason: new LeaseLostError("contested") },
    ]);
    expect(await countRows("contested")).toEqual(NOTHING);
  });

  test("that is taken back lets the write through", async () => {
    await owner.query("delete from leases where thread_id = 'contested'");
    const lease = await takeLease(database, "contested");
    const writing: Promise<unknown>[] = [];
    const failed = withTransaction(owner, async (tx) => {
      await tx.query(TAKE_OVER);
      writing.push(put(under("contested", lease)));
      await untilBlocked();
      throw new Error("it failed");
    });
    await expect(failed).rejects.toThrow("it failed");
    await Promise.all(writing);
    expect(await countRows("contested")).toEqual({
      checkpoints: 1,
      blobs: 1,
      writes: 0,
    });
  });

  test("that comes later waits until it is written", async () => {
    const lease = await takeLease(database, "later");
    await expireLease(database, "later");
    const id = uuid6(1);
    let done = 0;
    // Another transaction stands in the write's way, so that it can be caught in its middle.
    const { writing, taking } = await withTransaction(owner, async (tx) => {
      await tx.query(
        "insert into checkpoints (thread_id, checkpoint_id, checkpoint) values ('later', $1, '{}')",
        [id],
      );
      const writing = put(under("later", lease), id).finally(() => (done += 1));
      await untilBlocked();
      const taking = takeLease(database, "later", "another")
        .finally(() => (done += 1))
        .then(() => saver.getTuple(under("later", null)));
      await Promise.race([taking, untilBlocked(2)]);
      expect(done).toBe(0);
      return { writing, taking };
    });
    await writing;
    expect((await taking)?.checkpoint.channel_values).toEqual({ word: id });
    await expect(put(under("later", lease))).rejects.toThrow(LeaseLostError);
  });

  test("writes and heartbeats of one owner do not stand in each other's way for good", async () => {
    const lease = await takeLease(database, "beating");
    const beats = Array.from({ length: 20 }, () =>
      renewLease(pool, { threadId: "beating", ...lease, ttlMs: 60_000 }),
    );
    const puts = Array.from({ length: 20 }, () => put(under("beating", lease)));
    expect(new Set(await Promise.all(beats))).toEqual(new Set([true]));
    await Promise.all(puts);
    expect(await countRows("beating")).toMatchObject({ checkpoints: 20 });
  });
});

const Words = new StateSchema({
  words: new ReducedValue(
    z.array(z.string()).default(() => []),
    {
      inputSchema: z.array(z.string()),
      reducer: (before, added) => [...before, ...added],
    },
  ),
});

/** Notes under which claim each call was made. */
class NotingCheckpointer extends PostgresCheckpointer {
  readonly claims: unknown[] = [];

  override async put(...args: Parameters<PostgresCheckpointer["put"]>) {
    this.claims.push(args[0].configurable?.["lease"]);
    return super.put(...args);
  }

  override async putWrites(...args: Parameters<PostgresCheckpointer["putWrites"]>) {
    this.claims.push(args[0].configurable?.["lease"]);
    return super.putWrites(...args);
  }
}

/** Sends two tasks out and goes through a subgraph. */
function wideGraph(checkpointer: PostgresCheckpointer, inner: () => Promise<void>) {
  const sub = new StateGraph(Words)
    .addNode("deep", async () => {
      await inner();
      return { words: ["deep"] };
    })
    .addEdge(START, "deep")
    .compile();
  return new StateGraph(Words)
    .addNode("fan", () => ({ words: ["fan"] }))
    .addNode("leaf", ({ words }) => ({ words }))
    .addNode("below", async (_state, config) => sub.invoke({ words: [] }, config))
    .addEdge(START, "fan")
    .addConditionalEdges(
      "fan",
      () => ["a", "b"].map((word) => new Send("leaf", { words: [word] })),
      ["leaf"],
    )
    .addEdge("leaf", "below")
    .compile({ checkpointer });
}

describe("in a run", () => {
  test("every call carries the claim, subgraphs' and updates' too, and no checkpoint tells of it", async () => {
    const noting = new NotingCheckpointer(pool);
    const graph = wideGraph(noting, async () => {});
    const lease = await takeLease(database, "whole run");
    const config = { configurable: { thread_id: "whole run", lease } };

    const { words } = await graph.invoke({ words: ["go"] }, { ...config, durability: "sync" });
    await graph.updateState(config, { words: ["updated"] }, "below");

    expect(words).toEqual(["go", "fan", "a", "b", "deep"]);
    expect(noting.claims.length).toBeGreaterThan(10);
    expect(noting.claims.filter((claim) => claim !== lease)).toEqual([]);
    const { rows } = await owner.query<{ message: string }>(
      "select metadata::text || checkpoint::text as message from checkpoints where thread_id = 'whole run'",
    );
    expect(rows.filter(({ message }) => /lease|fence|owner/u.test(message))).toEqual([]);
  });

  test("that lost its lease the next write fails, and the state is the new owner's", async () => {
    const lease = await takeLease(database, "lost");
    const graph = wideGraph(saver, () => loseLease(database, "lost"));
    const config = { configurable: { thread_id: "lost", lease } };

    await expect(
      graph.invoke({ words: ["go"] }, { ...config, durability: "sync" }),
    ).rejects.toThrow(LeaseLostError);
    await expect(graph.updateState(config, { words: ["updated"] }, "below")).rejects.toThrow(
      LeaseLostError,
    );

    const { values } = await graph.getState(config);
    expect(values.words).toEqual(["go", "fan", "a", "b"]);
  });
});
