import { emptyCheckpoint, uuid6 } from "@langchain/langgraph-checkpoint";
import { afterAll, describe, expect, test } from "vitest";
import type { LeaseClaim } from "../../../state/store.ts";
import { createCheckpointer } from "../../../storage/checkpoints/checkpointer.ts";
import { LeaseLostError } from "../../../storage/conversations/leases.ts";
import { testDatabase } from "../../support/database.ts";
import { loseLease, takeLease } from "../../support/test-leases.ts";
import { openWatchedPool } from "../../support/watched-pool.ts";

const database = await testDatabase();
const watched = openWatchedPool(database.url);
afterAll(() => watched.pool.end());
const saver = createCheckpointer(watched.pool);
const reader = createCheckpointer(database.pool);

const METADATA = { source: "loop", step: 1, parents: {} } as const;

interface Put {
  readonly threadId: string;
  readonly values: Readonly<Record<string, unknown>>;
  readonly lease?: LeaseClaim;
  readonly id?: string;
}

async function put({ threadId, values, lease, id = uuid6(1) }: Put) {
  const versions = Object.fromEntries(Object.keys(values).map((channel) => [channel, 1.5]));
  const checkpoint = {
    ...emptyCheckpoint(),
    id,
    channel_values: { ...values },
    channel_versions: versions,
  };
  const configurable = { thread_id: threadId, checkpoint_ns: "", ...(lease && { lease }) };
  return saver.put({ configurable }, checkpoint, METADATA, versions);
}

async function readValues(threadId: string) {
  const tuple = await reader.getTuple({ configurable: { thread_id: threadId } });
  return tuple?.checkpoint.channel_values ?? null;
}

const THREADS = ["a", "b", "c"].map((name) => ({
  threadId: `thread ${name}`,
  values: { name, [`only ${name}`]: `"${name}", \\ and {${name}}` },
}));

describe("checkpoints that come at once", () => {
  test.each(["free", "leased"])("of several %s threads take one round trip", async (kind) => {
    const puts = await Promise.all(
      THREADS.map(async ({ threadId: name, values }) => {
        const threadId = `${kind} ${name}`;
        return {
          threadId,
          values,
          ...(kind === "leased" && { lease: await takeLease(database, threadId) }),
        };
      }),
    );
    watched.taken();
    await Promise.all(puts.map((each) => put(each)));
    expect(watched.taken()).toEqual({ roundTrips: 1, rows: 3 });
    expect(await Promise.all(puts.map(({ threadId }) => readValues(threadId)))).toEqual(
      THREADS.map(({ values }) => values),
    );
  });

  test("are refused only where the lease is lost", async () => {
    const kept = {
      threadId: "kept",
      values: { word: "kept" },
      lease: await takeLease(database, "kept"),
    };
    const lost = {
      threadId: "lost",
      values: { word: "lost" },
      lease: await takeLease(database, "lost"),
    };
    await loseLease(database, "lost");
    watched.taken();
    expect(await Promise.allSettled([put(lost), put(kept)])).toMatchObject([
      { status: "rejected", reason: new LeaseLostError("lost") },
      { status: "fulfilled" },
    ]);
    expect(watched.taken().roundTrips).toBe(1);
    expect(await readValues("kept")).toEqual({ word: "kept" });
    expect(await readValues("lost")).toBeNull();
  });

  test("do not hold for one thread what was claimed for another", async () => {
    const mine = await takeLease(database, "mine");
    await takeLease(database, "theirs", "another");
    expect(
      await Promise.allSettled([
        put({ threadId: "theirs", values: { word: "stolen" }, lease: mine }),
        put({ threadId: "mine", values: { word: "mine" }, lease: mine }),
      ]),
    ).toMatchObject([
      { status: "rejected", reason: new LeaseLostError("theirs") },
      { status: "fulfilled" },
    ]);
    expect(await readValues("theirs")).toBeNull();
    expect(await readValues("mine")).toEqual({ word: "mine" });
  });

  test("are not lost with one that the database refuses", async () => {
    const refused = { threadId: "refused", values: { "\0": "x" } };
    const beside = { threadId: "beside", values: { word: "beside" } };
    expect(await Promise.allSettled([put(refused), put(beside)])).toMatchObject([
      { status: "rejected", reason: { message: expect.stringContaining("unsupported Unicode") } },
      { status: "fulfilled" },
    ]);
    expect(await readValues("beside")).toEqual({ word: "beside" });
    expect(await readValues("refused")).toBeNull();
  });

  test("may be the same one twice", async () => {
    const same = { threadId: "same", values: { word: "same" }, id: uuid6(1) };
    await Promise.all([put(same), put(same)]);
    expect(await readValues("same")).toEqual({ word: "same" });
  });
});
