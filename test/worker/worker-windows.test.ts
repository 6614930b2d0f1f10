import { describe, expect, test } from "vitest";
import type { ConversationStore } from "../../state/conversation-store.ts";
import type { TurnContext } from "../../state/turn.ts";
import { finishMessage } from "../../storage/conversations/inbox.ts";
import { finishRun, lockRun } from "../../storage/runs/runs.ts";
import { asUser } from "../../storage/users/user-data.ts";
import { ADDING, itemIn } from "../support/adding.ts";
import { testDatabase } from "../support/database.ts";
import { checkEventOrder } from "../support/event-order.ts";
import { namesIn, newRun } from "../support/fresh-kitchen.ts";
import { repliesIn } from "../support/test-thread.ts";
import { keptOf, openWork, runsOf, submit, untilEnded, workOn } from "../support/thread-worker.ts";

const database = await testDatabase();

/** A store of a process that dies, once, as it is about to do something. */
function dyingAt(name: "finishMessage" | "prune", store: ConversationStore): ConversationStore {
  let died = false;
  const die = async <T>(act: () => Promise<T>): Promise<T> => {
    if (died) return act();
    died = true;
    throw new Error("The process has died");
  };
  return name === "prune"
    ? { ...store, prune: (thread) => die(() => store.prune(thread)) }
    : { ...store, finishMessage: (message) => die(() => store.finishMessage(message)) };
}

async function inboxOf({ threadId }: TurnContext): Promise<string[]> {
  const { rows } = await database.owner.query<{ line: string }>(
    "select text || ': ' || coalesce(outcome, 'waits') as line from inbox where thread_id = $1 order by seq",
    [threadId],
  );
  return rows.map(({ line }) => line);
}

describe("a worker that dies once the run's end is kept", () => {
  test.each(["finishMessage", "prune"] as const)(
    "before %s leaves nothing to be told or done twice",
    async (name) => {
      const work = await openWork(database);
      const run = newRun();
      const dying = workOn(work, {
        run,
        behaviour: ADDING,
        store: (store) => dyingAt(name, store),
        settings: { drainMs: 60_000 },
      });
      const runId = await submit(work, { run, text: "add figs" });
      const ended = await untilEnded(work, { run, runId });
      await dying.worker.stop();
      const told = await keptOf(work, { run, runId });

      const { worker } = workOn(work, { run, behaviour: ADDING });
      const next = await submit(work, { run, text: "add nuts" });
      await untilEnded(work, { run, runId: next });
      await worker.stop();

      expect(ended).toMatchObject({ status: "success" });
      expect(checkEventOrder(told.events)).toEqual([]);
      expect(await keptOf(work, { run, runId })).toEqual(told);
      expect((await runsOf(work, run)).map((one) => one.runId)).toEqual([runId, next]);
      expect(await inboxOf(run)).toEqual(["add figs: answered", "add nuts: answered"]);
      expect(await namesIn(database, { table: "shopping_list", userId: run.userId })).toEqual([
        "figs",
        "nuts",
      ]);
    },
  );
});

test("a turn that failed and whose next run was cancelled is not carried on", async () => {
  const work = await openWork(database);
  const run = newRun();
  const broken = workOn(work, {
    run,
    behaviour: {
      ...ADDING,
      act: (request) => (itemIn(request) === "figs" ? new TypeError("Out of order") : null),
      reply: () => new TypeError("Out of order"),
    },
  });
  const first = await submit(work, { run, text: "add figs" });
  await untilEnded(work, { run, runId: first });
  await broken.worker.stop();
  await asUser(database.pool, { userId: run.userId }, async (tx) => {
    const found = await lockRun(tx, first);
    const { threadId } = run;
    const { messageId = "" } = found ?? {};
    await finishMessage(tx, { threadId, messageId, outcome: "stopped", turn: null });
    await finishRun(tx, { runId: first, status: "interrupted" });
  });

  const { worker } = workOn(work, { run, behaviour: ADDING });
  const next = await submit(work, { run, text: "add nuts" });
  await untilEnded(work, { run, runId: next });
  await worker.stop();

  const { events } = await keptOf(work, { run, runId: next });
  expect(checkEventOrder(events)).toEqual([]);
  expect(repliesIn(events)).toEqual(["nuts is on the list."]);
  expect(await inboxOf(run)).toEqual(["add figs: stopped", "add nuts: answered"]);
  expect(await namesIn(database, { table: "shopping_list", userId: run.userId })).toEqual(["nuts"]);
  const { rows } = await database.owner.query<{ said: string; replies: readonly string[] }>(
    "select user_message as said, jsonb_path_query_array(replies, '$[*].text') as replies from turns where thread_id = $1 order by turn",
    [run.threadId],
  );
  expect(rows).toEqual([
    { said: "add figs", replies: ["Stopped before it was finished."] },
    { said: "add nuts", replies: ["nuts is on the list."] },
  ]);
});

test("a message that comes as a worker gives the thread back is worked off at once", async () => {
  const work = await openWork(database);
  const run = newRun();
  const isLate = Promise.withResolvers<string>();
  let late: Promise<string> | null = null;
  const { worker } = workOn(work, {
    run,
    behaviour: ADDING,
    settings: { pollMs: 600_000 },
    store: (store) => ({
      ...store,
      async nextMessage(thread) {
        const message = await store.nextMessage(thread);
        if (message === null) {
          late ??= submit(work, { run, text: "add nuts" });
          isLate.resolve(late);
          await late;
        }
        return message;
      },
    }),
  });
  const first = await submit(work, { run, text: "add figs" });
  await untilEnded(work, { run, runId: first });
  const ended = await untilEnded(work, { run, runId: await isLate.promise });
  await worker.stop();

  expect(ended).toMatchObject({ status: "success" });
  expect(await inboxOf(run)).toEqual(["add figs: answered", "add nuts: answered"]);
});

test("a thread that this program cannot read fails its runs with a sentence, one a message", async () => {
  const work = await openWork(database);
  const run = newRun();
  const { worker, thread } = workOn(work, { run, behaviour: ADDING });
  const first = await submit(work, { run, text: "add figs" });
  await untilEnded(work, { run, runId: first });
  const config = { configurable: { thread_id: run.threadId } };
  await thread.graph.updateState(config, { schemaVersion: 99 }, "finish");

  const second = await submit(work, { run, text: "add nuts" });
  const ended = await untilEnded(work, { run, runId: second });
  await worker.stop();

  expect(ended).toMatchObject({ status: "error", error: { code: "state_version" } });
  const { events } = await keptOf(work, { run, runId: second });
  expect(checkEventOrder(events)).toEqual([]);
  expect(events.map(({ type }) => type)).toEqual(["turn-start", "error"]);
  expect(await inboxOf(run)).toEqual(["add figs: answered", "add nuts: waits"]);
});
