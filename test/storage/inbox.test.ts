import { expect, test } from "vitest";
import {
  countAttempt,
  enqueueMessage,
  finishMessage,
  nextMessage,
  type NewMessage,
} from "../../storage/inbox.ts";
import { testDatabase } from "../support/database.ts";

const { pool, owner } = await testDatabase();

function message(threadId: string, messageId: string): NewMessage {
  return { threadId, messageId, userId: "ada", text: `text of ${messageId}`, run: { today: "x" } };
}

test("messages of a thread come out in the order they went in", async () => {
  for (const id of ["m2", "m1", "m3"]) await enqueueMessage(pool, message("order", id));
  await enqueueMessage(pool, message("another", "m0"));
  const order: string[] = [];
  for (;;) {
    const next = await nextMessage(pool, "order");
    if (next === null) break;
    order.push(next.messageId);
    await finishMessage(pool, { ...next, outcome: "answered" });
  }
  expect(order).toEqual(["m2", "m1", "m3"]);
  expect(await nextMessage(pool, "another")).toMatchObject({ messageId: "m0" });
});

test("nextMessage() returns the whole message, and the same one until it is finished", async () => {
  await enqueueMessage(pool, message("whole", "m1"));
  const first = await nextMessage(pool, "whole");
  expect(first).toEqual({
    threadId: "whole",
    messageId: "m1",
    userId: "ada",
    seq: expect.any(Number),
    text: "text of m1",
    run: { today: "x" },
    attempts: 0,
  });
  expect(await nextMessage(pool, "whole")).toEqual(first);
});

test("enqueueMessage() takes a message once, finished or not, and keeps the first text", async () => {
  const put = (text: string) => enqueueMessage(pool, { ...message("once", "m1"), text });
  expect(await put("first")).toEqual({ repeated: false });
  expect(await put("second")).toEqual({ repeated: true });
  expect(await nextMessage(pool, "once")).toMatchObject({ text: "first" });
  await finishMessage(pool, { threadId: "once", messageId: "m1", outcome: "answered" });
  expect(await put("third")).toEqual({ repeated: true });
  expect(await nextMessage(pool, "once")).toBeNull();
});

test("enqueueMessage() takes one id in two threads as two messages", async () => {
  expect(await enqueueMessage(pool, message("thread a", "1"))).toEqual({ repeated: false });
  expect(await enqueueMessage(pool, message("thread b", "1"))).toEqual({ repeated: false });
});

test("countAttempt() counts, and refuses a message that is not there", async () => {
  await enqueueMessage(pool, message("tries", "m1"));
  const identity = { threadId: "tries", messageId: "m1" };
  expect(await countAttempt(pool, identity)).toBe(1);
  expect(await countAttempt(pool, identity)).toBe(2);
  expect(await nextMessage(pool, "tries")).toMatchObject({ attempts: 2 });
  await expect(countAttempt(pool, { ...identity, messageId: "m9" })).rejects.toThrow(
    'Cannot count an attempt at message "m9": it is not in the inbox',
  );
});

test("finishMessage() keeps the first outcome", async () => {
  await enqueueMessage(pool, message("outcome", "m1"));
  const identity = { threadId: "outcome", messageId: "m1" };
  await finishMessage(pool, { ...identity, outcome: "given-up" });
  await finishMessage(pool, { ...identity, outcome: "answered" });
  await finishMessage(pool, { ...identity, messageId: "m9", outcome: "answered" });
  const { rows } = await owner.query(
    "select message_id, outcome, finished_at is not null as finished from inbox where thread_id = 'outcome'",
  );
  expect(rows).toEqual([{ message_id: "m1", outcome: "given-up", finished: true }]);
});

test("a text with NUL characters is taken without them", async () => {
  await enqueueMessage(pool, {
    ...message("nul", "m1"),
    text: "a\0b \ud83d",
    run: { locale: "e\0n" },
  });
  expect(await nextMessage(pool, "nul")).toMatchObject({
    text: "ab \ufffd",
    run: { locale: "en" },
  });
});
