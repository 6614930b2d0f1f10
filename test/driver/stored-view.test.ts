import { expect, test } from "vitest";
import { readTurns } from "../../storage/conversations/archive-rows.ts";
import { asUser } from "../../storage/users/user-data.ts";
import { ADDING } from "../support/adding.ts";
import { conciergeThread, MESSAGES, sendAll } from "../support/concierge-thread.ts";
import { testDatabase } from "../support/database.ts";
import { testThread } from "../support/test-thread.ts";
import { readStoredViews, reduceEvents } from "../support/turn-views.ts";

const database = await testDatabase();

test("send() stores the view of each turn's events with the turn", async () => {
  for (const thread of [
    await testThread(database, { behaviour: ADDING }),
    await conciergeThread(database),
  ]) {
    const { threadId, userId } = thread.run;
    const turns = await sendAll(thread, ["add figs", ...Object.values(MESSAGES)]);

    const stored = await asUser(database.pool, { userId }, (tx) =>
      readTurns(tx, { threadId, limit: 9 }),
    );
    expect(stored.map(({ view }) => view)).toEqual(turns.map(reduceEvents));
  }
});

test("send() stores the view of a turn that is stopped", async () => {
  const thread = await testThread(database, { behaviour: ADDING });
  const stop = new AbortController();

  const events = await thread.send("add figs", {
    stop: stop.signal,
    onEvent: ({ type }) => type === "tool-start" && stop.abort(),
  });

  const view = reduceEvents(events);
  expect(view).toMatchObject({ status: "stopped", replies: [{ isWhole: true }] });
  expect(await readStoredViews(database, thread.run.threadId)).toEqual([view]);
});

test("send() stores the view of the attempt that ends a turn", async () => {
  let isBroken = true;
  const thread = await testThread(database, {
    behaviour: {
      ...ADDING,
      reply: (request) => (isBroken ? new TypeError("Broken") : (ADDING.reply?.(request) ?? null)),
    },
  });
  const failed = await thread.send("add figs");
  expect(reduceEvents(failed)).toMatchObject({ status: "failed", error: { code: "internal" } });
  expect(await readStoredViews(database, thread.run.threadId)).toEqual([]);
  isBroken = false;

  const events = await thread.send("thanks");

  const starts = events.findLastIndex(({ type }) => type === "turn-start");
  expect(await readStoredViews(database, thread.run.threadId)).toEqual([
    reduceEvents(events.slice(0, starts)),
    reduceEvents(events.slice(starts)),
  ]);
});

test("send() gives a turn up with a failed view", async () => {
  const thread = await testThread(database, {
    behaviour: { ...ADDING, reply: () => new TypeError("Broken") },
    limits: { attemptsPerMessage: 1 },
  });
  await thread.send("add figs");
  await thread.send("thanks");

  expect(await readStoredViews(database, thread.run.threadId)).toMatchObject([
    { status: "failed", error: null },
  ]);
});
