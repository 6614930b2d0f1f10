import { describe, expect, test } from "vitest";
import type { ConversationStore } from "../../state/conversation-store.ts";
import type { TurnContext } from "../../state/turn.ts";
import { finishMessage } from "../../storage/conversations/inbox.ts";
import { finishRun, lockRun } from "../../storage/runs/runs.ts";
import { asUser } from "../../storage/users/user-data.ts";
import { addedReply, ADDING, itemIn } from "../support/adding.ts";
import { testDatabase } from "../support/database.ts";
import { checkEventOrder } from "../support/event-order.ts";
import { newRun } from "../support/fresh-kitchen.ts";
import { repliesIn } from "../support/test-thread.ts";
import {
  readEvents,
  loadStored,
  openWork,
  readRuns,
  runToEnd,
  submit,
  untilEnded,
  workOn,
} from "../support/thread-worker.ts";

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

const readStored = (run: TurnContext) => loadStored(database, run);

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
      const stored = await readEvents(work, { run, runId });

      const { worker } = workOn(work, { run, behaviour: ADDING });
      const next = await submit(work, { run, text: "add nuts" });
      await untilEnded(work, { run, runId: next });
      await worker.stop();

      expect(ended).toMatchObject({ status: "success" });
      expect(checkEventOrder(stored.events)).toEqual([]);
      expect(await readEvents(work, { run, runId })).toEqual(stored);
      expect((await readRuns(work, run)).map((one) => one.runId)).toEqual([runId, next]);
      expect(await readStored(run)).toMatchObject({
        inbox: ["add figs: answered", "add nuts: answered"],
        items: ["figs", "nuts"],
      });
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

  const { events } = await readEvents(work, { run, runId: next });
  expect(checkEventOrder(events)).toEqual([]);
  expect(repliesIn(events)).toEqual([addedReply("nuts")]);
  expect(await readStored(run)).toMatchObject({
    inbox: ["add figs: stopped", "add nuts: answered"],
    items: ["nuts"],
    turns: [
      "add figs: Nothing was changed.\n\nStopped before it was finished.",
      `add nuts: ${addedReply("nuts")}`,
    ],
  });
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
  await runToEnd(work, { run, text: "add figs" });
  const ended = await untilEnded(work, { run, runId: await isLate.promise });
  await worker.stop();

  expect(ended).toMatchObject({ status: "success" });
  expect((await readStored(run)).inbox).toEqual(["add figs: answered", "add nuts: answered"]);
});

test("a thread that this program cannot read fails its runs with a sentence, one a message", async () => {
  const work = await openWork(database);
  const run = newRun();
  const { worker, thread } = workOn(work, { run, behaviour: ADDING });
  await runToEnd(work, { run, text: "add figs" });
  const config = { configurable: { thread_id: run.threadId } };
  await thread.graph.updateState(config, { schemaVersion: 99 }, "finish");

  const second = await submit(work, { run, text: "add nuts" });
  const ended = await untilEnded(work, { run, runId: second });
  await worker.stop();

  expect(ended).toMatchObject({ status: "error", error: { code: "state_version" } });
  const { events } = await readEvents(work, { run, runId: second });
  expect(checkEventOrder(events)).toEqual([]);
  expect(events.map(({ type }) => type)).toEqual(["turn-start", "error"]);
  expect((await readStored(run)).inbox).toEqual(["add figs: answered", "add nuts: waits"]);
});
