import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import type { LeaseClaim } from "../../../state/store.ts";
import { createCheckpointer } from "../../../storage/checkpoints/checkpointer.ts";
import { createConversationStore } from "../../../storage/conversations/conversation-store.ts";
import { LeaseLostError } from "../../../storage/conversations/leases.ts";
import { testDatabase } from "../../support/database.ts";

const { pool, owner } = await testDatabase();
const store = createConversationStore(pool, createCheckpointer(pool));

function message(userId: string, threadId: string, messageId = "m1") {
  const run = { today: "2026-01-12" };
  return { userId, threadId, messageId, title: `by ${userId}`, text: `text of ${userId}`, run };
}

/** Does something as the one who holds the thread. */
async function withLease<T>(threadId: string, work: (lease: LeaseClaim) => Promise<T>): Promise<T> {
  const request = { threadId, owner: randomUUID(), waitMs: 0, signal: null };
  const outcome = await store.holdLease(request, ({ lease }) => work(lease));
  if (!outcome.held) throw new Error(`Cannot hold "${threadId}": another does`);
  return outcome.result;
}

async function stored(threadId: string): Promise<unknown> {
  const threads = await owner.query("select * from threads where thread_id = $1", [threadId]);
  const inbox = await owner.query("select * from inbox where thread_id = $1 order by seq", [
    threadId,
  ]);
  return { threads: threads.rows, inbox: inbox.rows };
}

test("enqueue() makes the thread the user's and takes the message once", async () => {
  expect(await store.enqueue(message("ada", "once"))).toBe("queued");
  expect(await store.enqueue(message("ada", "once"))).toBe("repeated");
  expect(await store.enqueue(message("ada", "once", "m2"))).toBe("queued");
  expect(await stored("once")).toMatchObject({
    threads: [{ user_id: "ada", title: "by ada" }],
    inbox: [
      { user_id: "ada", message_id: "m1" },
      { user_id: "ada", message_id: "m2" },
    ],
  });
});

test.each(["m1", "m2"])(
  "enqueue() puts nothing into another's thread, whatever the message is called: %s",
  async (messageId) => {
    const threadId = `foreign to ${messageId}`;
    await store.enqueue(message("ada", threadId));
    const before = await stored(threadId);

    expect(await store.enqueue(message("bob", threadId, messageId))).toBe("foreign");

    expect(await stored(threadId)).toEqual(before);
  },
);

test("enqueue() makes no thread for a message that cannot be stored", async () => {
  await expect(store.enqueue(message("ada", "half", "m\0"))).rejects.toThrow(/byte sequence/);

  expect(await stored("half")).toEqual({ threads: [], inbox: [] });
});

test("nothing is written under a lease that is another's by now", async () => {
  await store.enqueue(message("ada", "lost"));
  const asAda = { userId: "ada", threadId: "lost", messageId: "m1" };
  const lost = await withLease("lost", async (lease) => lease);
  await withLease("lost", async (lease) => {
    expect(await store.countAttempt({ ...asAda, lease, from: "", uncounted: 0 })).toBe(1);
    const before = await stored("lost");
    const late = await Promise.allSettled([
      store.countAttempt({ ...asAda, lease: lost, from: "", uncounted: 0 }),
      store.recordFailedAttempt({ ...asAda, lease: lost }),
      store.uncountAttempt({ ...asAda, lease: lost }),
      store.finishMessage({ ...asAda, lease: lost, outcome: "given-up", turn: null }),
      store.prune({ ...asAda, lease: lost, turns: 1 }),
    ]);

    const refused = { status: "rejected", reason: expect.any(LeaseLostError) };
    expect(late).toEqual([refused, refused, refused, refused, refused]);
    expect(await stored("lost")).toEqual(before);
  });
});

test("a message is there for its user and for nobody else", async () => {
  await store.enqueue(message("ada", "private"));
  const before = await stored("private");
  const asBob = { userId: "bob", threadId: "private", messageId: "m1" };

  expect(await store.nextMessage(asBob)).toBeNull();
  expect(await store.findAnswer(asBob)).toBeNull();
  await withLease("private", async (lease) => {
    await expect(store.countAttempt({ ...asBob, lease, from: "", uncounted: 0 })).rejects.toThrow(
      "it is not in the inbox",
    );
    await store.recordFailedAttempt({ ...asBob, lease });
    await store.uncountAttempt({ ...asBob, lease });
    await store.finishMessage({ ...asBob, lease, outcome: "stopped", turn: null });
  });

  expect(await stored("private")).toEqual(before);
  expect(await store.nextMessage({ ...asBob, userId: "ada" })).toMatchObject({
    userId: "ada",
    text: "text of ada",
  });
});
