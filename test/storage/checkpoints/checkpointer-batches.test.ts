import { emptyCheckpoint, uuid6, type BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import { afterAll, describe, expect, test } from "vitest";
import type { LeaseClaim } from "../../../state/store.ts";
import { createCheckpointer } from "../../../storage/checkpoints/checkpointer.ts";
import { acquireLease, LeaseLostError } from "../../../storage/conversations/leases.ts";
import { testDatabase } from "../../support/database.ts";
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

async function put(
  { threadId, values, lease, id = uuid6(1) }: Put,
  checkpointer: BaseCheckpointSaver = saver,
) {
  const versions = Object.fromEntries(Object.keys(values).map((channel) => [channel, 1.5]));
  const checkpoint = {
    ...emptyCheckpoint(),
    id,
    channel_values: { ...values },
    channel_versions: versions,
  };
  const configurable = { thread_id: threadId, checkpoint_ns: "", ...(lease && { lease }) };
  return checkpointer.put({ configurable }, checkpoint, METADATA, versions);
}

async function readValues(threadId: string) {
  const tuple = await reader.getTuple({ configurable: { thread_id: threadId } });
  return tuple?.checkpoint.channel_values ?? null;
}

async function take(threadId: string, who = "me"): Promise<LeaseClaim> {
  const lease = await acquireLease(database.pool, { threadId, owner: who, ttlMs: 60_000 });
  if (lease === null) throw new Error(`The lease of "${threadId}" is held`);
  return { owner: who, fence: lease.fence };
}

async function lose(threadId: string): Promise<void> {
  await database.owner.query(
    "update leases set expires_at = clock_timestamp() - interval '1 second' where thread_id = $1",
    [threadId],
  );
  await take(threadId, "another");
}

const THREADS = ["a", "b", "c"].map((name) => ({
  threadId: `thread ${name}`,
  values: { name, [`only ${name}`]: `"${name}", \\ and {${name}}` },
}));

describe("checkpoints that come at once", () => {
  test("of several threads take one round trip, and each is its own", async () => {
    watched.taken();
    await Promise.all(THREADS.map((thread) => put(thread)));
    expect(watched.taken()).toEqual({ roundTrips: 1, rows: 3 });
    expect(await Promise.all(THREADS.map(({ threadId }) => readValues(threadId)))).toEqual(
      THREADS.map(({ values }) => values),
    );
  });

  test("under leases likewise", async () => {
    const puts = await Promise.all(
      THREADS.map(async ({ values }, index) => {
        const threadId = `leased ${index}`;
        return { threadId, values, lease: await take(threadId) };
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
    const kept = { threadId: "kept", values: { word: "kept" }, lease: await take("kept") };
    const lost = { threadId: "lost", values: { word: "lost" }, lease: await take("lost") };
    await lose("lost");
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
    const mine = await take("mine");
    await take("theirs", "another");
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
