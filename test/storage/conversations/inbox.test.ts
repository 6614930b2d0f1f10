import { expect, test } from "vitest";
import {
  countAttempt,
  enqueueMessage,
  uncountAttempt,
  recordFailedAttempt,
  findFinished,
  finishMessage,
  nextMessage,
  type NewMessage,
} from "../../../storage/conversations/inbox.ts";
import { asUser } from "../../../storage/users/user-data.ts";
import type { Queryable } from "../../../state/store.ts";
import { testDatabase } from "../../support/database.ts";

const { pool, owner } = await testDatabase();

/** One of the inbox's functions as Ada, in a transaction of its own. */
function asAda<A, R>(ask: (tx: Queryable, argument: A) => Promise<R>): (argument: A) => Promise<R> {
  return (argument) => asUser(pool, { userId: "ada" }, (tx) => ask(tx, argument));
}

const put = asAda(enqueueMessage);
const next = asAda(nextMessage);
const attemptAt = asAda(countAttempt);
const excuse = asAda(uncountAttempt);
const fail = asAda(recordFailedAttempt);
const find = asAda(findFinished);
const finish = asAda(finishMessage);

/** A try of which nothing is to be told but how many of those before it do not count. */
function attempt(
  tried: Omit<Parameters<typeof attemptAt>[0], "from" | "uncounted"> & {
    readonly uncounted?: number;
  },
): Promise<number | null> {
  return attemptAt({ from: "c1", uncounted: 0, ...tried });
}

function message(threadId: string, messageId: string): NewMessage {
  return { threadId, messageId, text: `text of ${messageId}`, run: { today: "x" } };
}

/** Puts the message "m1" into a thread; returns its identity. */
async function putFirst(threadId: string) {
  await put(message(threadId, "m1"));
  return { threadId, messageId: "m1" };
}

test("messages of a thread come out in the order they went in", async () => {
  for (const id of ["m2", "m1", "m3"]) await put(message("order", id));
  await put(message("another", "m0"));
  const order: string[] = [];
  for (;;) {
    const oldest = await next("order");
    if (oldest === null) break;
    order.push(oldest.messageId);
    await finish({ ...oldest, outcome: "answered", turn: 1 });
  }
  expect(order).toEqual(["m2", "m1", "m3"]);
  expect(await next("another")).toMatchObject({ messageId: "m0" });
});

test("nextMessage() returns the whole message, and the same one until it is finished", async () => {
  await put(message("whole", "m1"));
  const first = await next("whole");
  expect(first).toEqual({
    threadId: "whole",
    messageId: "m1",
    userId: "ada",
    seq: expect.any(Number),
    text: "text of m1",
    run: { today: "x" },
    attempts: 0,
    receivedAt: expect.stringMatching(/^20\d\d-.*Z$/u),
  });
  expect(await next("whole")).toEqual(first);
});

test("enqueueMessage() takes a message once, finished or not, and keeps the first text", async () => {
  const once = message("once", "m1");
  expect(await put({ ...once, text: "first" })).toEqual({ repeated: false });
  expect(await put({ ...once, text: "second" })).toEqual({ repeated: true });
  expect(await next("once")).toMatchObject({ text: "first" });
  await finish({ threadId: "once", messageId: "m1", outcome: "answered", turn: 1 });
  expect(await put({ ...once, text: "third" })).toEqual({ repeated: true });
  expect(await next("once")).toBeNull();
});

test("countAttempt() counts, and refuses a message that is not there", async () => {
  const identity = await putFirst("tries");
  expect(await attempt(identity)).toBe(1);
  expect(await attempt(identity)).toBe(2);
  expect(await next("tries")).toMatchObject({ attempts: 2 });
  await expect(attempt({ ...identity, messageId: "m9" })).rejects.toThrow(
    'Cannot count an attempt at message "m9": it is not in the inbox',
  );
});

test("attempts that do not count after all are taken back, now or with the next", async () => {
  const identity = await putFirst("uncounted");
  await excuse(identity);
  expect(await attempt(identity)).toBe(1);
  await excuse(identity);
  expect(await attempt(identity)).toBe(1);
  expect(await attempt({ ...identity, uncounted: 1 })).toBe(1);
  expect(await attempt({ ...identity, uncounted: 9 })).toBe(1);
  expect(await attempt(identity)).toBe(2);
});

test("a try that nobody ended counts only where its turn got no further", async () => {
  const tried = { ...(await putFirst("deaths")), uncounted: 0 };
  expect(await attemptAt({ ...tried, from: "" })).toBe(1);
  expect(await attemptAt({ ...tried, from: "" })).toBe(2);
  expect(await attemptAt({ ...tried, from: "c1" })).toBe(2);
  expect(await attemptAt({ ...tried, from: "c2" })).toBe(2);
  expect(await attemptAt({ ...tried, from: "c2" })).toBe(3);
});

test("a try that failed counts however far its turn got, one that is uncounted once only", async () => {
  const identity = await putFirst("failures");
  const tried = { ...identity, uncounted: 0 };
  expect(await attemptAt({ ...tried, from: "c1" })).toBe(1);
  await fail(identity);
  expect(await attemptAt({ ...tried, from: "c2" })).toBe(2);
  await excuse(identity);
  expect(await attemptAt({ ...tried, from: "c3" })).toBe(2);
  expect(await attemptAt({ ...tried, from: "c4", uncounted: 1 })).toBe(2);
});

test("findFinished() tells what a message came to, once it is finished", async () => {
  const identity = await putFirst("came to");
  for (const messageId of ["m1", "m9"]) expect(await find({ ...identity, messageId })).toBeNull();
  await finish({ ...identity, outcome: "answered", turn: 3 });
  expect(await find(identity)).toEqual({
    text: "text of m1",
    run: { today: "x" },
    outcome: "answered",
    turn: 3,
  });
});

test("finishMessage() keeps the first outcome", async () => {
  const identity = await putFirst("outcome");
  await finish({ ...identity, outcome: "given-up", turn: null });
  await finish({ ...identity, outcome: "answered", turn: 1 });
  await finish({ ...identity, messageId: "m9", outcome: "answered", turn: 1 });
  const { rows } = await owner.query(
    "select message_id, outcome, finished_at is not null as finished from inbox where thread_id = 'outcome'",
  );
  expect(rows).toEqual([{ message_id: "m1", outcome: "given-up", finished: true }]);
});

test("a text with NUL characters is taken without them", async () => {
  await put({ ...message("nul", "m1"), text: "a\0b \ud83d", run: { locale: "e\0n" } });
  expect(await next("nul")).toMatchObject({ text: "ab \ufffd", run: { locale: "en" } });
});

test("a message that has left the queue is not tried", async () => {
  const identity = await putFirst("taken back");
  expect(await attempt(identity)).toBe(1);
  await finish({ ...identity, outcome: "stopped", turn: null });
  expect(await attempt(identity)).toBeNull();
  const { rows } = await owner.query("select attempts from inbox where thread_id = 'taken back'");
  expect(rows).toEqual([{ attempts: 1 }]);
});
