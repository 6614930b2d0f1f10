import { createUndoOfRun } from "../../app/undo-run.ts";
import { mealsDomain } from "../../meals/index.ts";
import { limitsWith } from "../../state/limits.ts";
import type { UndoEffectsOfRun } from "../../worker/rollback.ts";
import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { ModelRequest } from "../../state/model.ts";
import { ModelError } from "../../state/model.ts";
import { type CancelAction } from "../../state/run.ts";
import type { TurnContext } from "../../state/turn.ts";
import { notify } from "../../storage/postgres/notifications.ts";
import { DatabaseUnavailableError } from "../../storage/postgres/database-error.ts";
import { openDatabase } from "../../storage/postgres/database.ts";
import { finishMessage } from "../../storage/conversations/inbox.ts";
import type { DeadLetter } from "../../storage/runs/jobs.ts";
import { silentLog } from "../../state/log.ts";
import { finishRun, lockRun, requestCancel } from "../../storage/runs/runs.ts";
import { asUser } from "../../storage/users/user-data.ts";
import { startWorker } from "../../worker/worker.ts";
import { addedReply, ADDING, itemIn } from "../support/adding.ts";
import { testDatabase } from "../support/database.ts";
import { openDatabaseProxy } from "../support/database-proxy.ts";
import { checkEventOrder } from "../support/event-order.ts";
import { appliedWrites, newRun } from "../support/fresh-kitchen.ts";
import { openThread, repliesIn, type Behaviour } from "../support/test-thread.ts";
import {
  readEvents,
  loadStored,
  openWork,
  readRuns,
  runToEnd,
  submit,
  untilEnded,
  untilRun,
  workOn,
} from "../support/thread-worker.ts";
import { readStoredViews, reduceEvents } from "../support/turn-views.ts";

const database = await testDatabase();

/** Models that add, and wait before they reply to an item until they are let go on or told to stop. */
function holdingAt(item: string, role: "reply" | "think" = "reply") {
  const held = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const wait = async (request: ModelRequest): Promise<ModelError | null> => {
    if (itemIn(request) !== item) return null;
    held.resolve();
    const stopped = Promise.withResolvers<void>();
    request.signal?.addEventListener("abort", () => stopped.resolve());
    if (request.signal?.aborted === true) stopped.resolve();
    await Promise.race([released.promise, stopped.promise]);
    return request.signal?.aborted === true ? new ModelError("model_aborted", "Aborted") : null;
  };
  const behaviour: Behaviour = {
    ...ADDING,
    [role]: async (request: ModelRequest) =>
      (await wait(request)) ?? (await ADDING[role]?.(request)) ?? null,
  };
  return { behaviour, held: held.promise, release: () => released.resolve() };
}

const readStored = (run: TurnContext) => loadStored(database, run);

/** A run of "add figs" that a worker holds at the item. */
interface HeldRun {
  readonly role?: "reply" | "think";
  readonly drainMs?: number;
  readonly undoEffects?: UndoEffectsOfRun;
}

async function holdRun({ undoEffects, ...parts }: HeldRun = {}) {
  const work = await openWork(database);
  const run = newRun();
  const { behaviour, held, release } = holdingAt("figs", parts.role);
  const settings = parts.drainMs === undefined ? {} : { drainMs: parts.drainMs };
  const { worker, thread } = workOn(work, {
    run,
    behaviour,
    settings,
    ...(undoEffects === undefined ? {} : { undoEffects }),
  });
  const runId = await submit(work, { run, text: "add figs" });
  await held;
  return { work, run, runId, worker, thread, release };
}

async function cancel(
  run: TurnContext,
  { runId, action }: { runId: string; action: CancelAction },
) {
  await asUser(database.pool, { userId: run.userId }, async (tx) => {
    await lockRun(tx, runId);
    await requestCancel(tx, { runId, action });
    await notify(tx, "cancel", runId);
  });
}

/** Nothing of the queue is left for the thread. */
async function jobsLeft(): Promise<number> {
  const { rows } = await database.owner.query<{ left: number }>(
    "select count(*)::int as left from concierge_jobs.job where state < 'completed'",
  );
  return rows[0]?.left ?? 0;
}

describe("a worker", () => {
  test("runs a message, keeps what it tells in order, and ends the run with its message in one transaction", async () => {
    const work = await openWork(database);
    const run = newRun();
    const { worker, failures } = workOn(work, { run, behaviour: ADDING });

    const runId = await submit(work, { run, text: "add figs" });
    const ended = await untilEnded(work, { run, runId });
    await worker.stop();

    expect(ended).toMatchObject({ status: "success", error: null, baseCheckpointId: null });
    const { rows, events } = await readEvents(work, { run, runId });
    expect(checkEventOrder(events)).toEqual([]);
    expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_, index) => index + 1));
    expect(new Set(events.map((event) => event.run))).toEqual(new Set([runId]));
    expect(repliesIn(events)).toEqual([addedReply("figs")]);
    expect(await readStored(run)).toEqual({
      inbox: ["add figs: answered"],
      turns: [`add figs: ${addedReply("figs")}`],
      items: ["figs"],
      held: false,
    });
    expect([failures, await jobsLeft()]).toEqual([[], 0]);
    expect(await readStoredViews(database, run.threadId)).toEqual([reduceEvents(events)]);
    // Whatever wrote a row last is its `xmin`.
    const written = await database.owner.query(
      `select inbox.turn, runs.xmin = inbox.xmin and turns.xmin = runs.xmin as together
         from runs join inbox using (thread_id, message_id) join turns using (thread_id, run_id)
        where run_id = $1`,
      [runId],
    );
    expect(written.rows).toEqual([{ turn: 1, together: true }]);
  });

  test("ends the run of a turn that fails, and keeps its message for the next run", async () => {
    const work = await openWork(database);
    const run = newRun();
    let isBroken = true;
    const { worker, thread } = workOn(work, {
      run,
      behaviour: {
        ...ADDING,
        reply: (request) =>
          isBroken ? new Error("Out of order") : (ADDING.reply?.(request) ?? null),
      },
    });

    const first = await submit(work, { run, text: "add figs" });
    const failed = await untilEnded(work, { run, runId: first });
    expect(failed).toMatchObject({ status: "error", error: { code: "internal" } });
    expect((await readStored(run)).inbox).toEqual(["add figs: waits"]);
    isBroken = false;
    const second = await submit(work, { run, text: "add nuts" });
    await untilEnded(work, { run, runId: second });
    await worker.stop();

    const runs = await readRuns(work, run);
    expect(runs.map(({ status }) => status).toSorted()).toEqual(["error", "success", "success"]);
    const again = runs.find(({ runId }) => runId !== first && runId !== second);
    expect(again).toMatchObject({ metadata: { from: "test", retryOf: first } });
    for (const { runId } of runs) {
      const { events } = await readEvents(work, { run, runId });
      expect([runId, checkEventOrder(events)]).toEqual([runId, []]);
    }
    expect((await readStored(run)).turns).toEqual([
      `add figs: ${addedReply("figs")}`,
      `add nuts: ${addedReply("nuts")}`,
    ]);
    expect(thread.requests.length).toBeGreaterThan(0);
  });

  test("tries a turn that fails again while others wait behind it, gives it up, and goes on", async () => {
    const work = await openWork(database);
    const run = newRun();
    const first = await submit(work, { run, text: "add figs" });
    const second = await submit(work, { run, text: "add nuts" });
    const { worker } = workOn(work, {
      run,
      behaviour: {
        ...ADDING,
        think: (request) =>
          itemIn(request) === "figs"
            ? new TypeError("Out of order")
            : (ADDING.think?.(request) ?? null),
        reply: (request) =>
          itemIn(request) === "figs"
            ? new TypeError("Out of order")
            : (ADDING.reply?.(request) ?? null),
      },
    });

    await untilEnded(work, { run, runId: second });
    await worker.stop();

    const runs = await readRuns(work, run);
    expect(runs.map(({ status, error }) => `${status} ${error?.code ?? ""}`)).toEqual([
      "error internal",
      "success ",
      "error internal",
      "error internal",
      "error given-up",
    ]);
    expect(runs.filter(({ metadata }) => "retryOf" in metadata)).toHaveLength(3);
    expect((await readStored(run)).inbox).toEqual(["add figs: given-up", "add nuts: answered"]);
    expect(runs[0]?.runId).toBe(first);
  });

  test.each([
    ["with its message", true],
    ["whose message still waits", false],
  ])("does not run what ended interrupted before it came, %s", async (_, isFinished) => {
    const work = await openWork(database);
    const run = newRun();
    const over = await submit(work, { run, text: "add figs" });
    await asUser(database.pool, { userId: run.userId }, async (tx) => {
      const { messageId = "" } = (await lockRun(tx, over)) ?? {};
      const message = { threadId: run.threadId, messageId };
      if (isFinished) await finishMessage(tx, { ...message, outcome: "stopped", turn: null });
      await finishRun(tx, { runId: over, status: "interrupted" });
    });
    const { worker } = workOn(work, { run, behaviour: ADDING });
    await runToEnd(work, { run, text: "add nuts" });
    await worker.stop();

    expect((await readEvents(work, { run, runId: over })).rows).toEqual([]);
    expect(await readStored(run)).toMatchObject({
      inbox: ["add figs: stopped", "add nuts: answered"],
      items: ["nuts"],
    });
  });
});

describe("a run that is cancelled while it runs", () => {
  test("stops once its worker hears again, where the bell rang while it could hear nothing", async () => {
    const proxy = await openDatabaseProxy(database.url);
    const far = await openDatabase({ url: proxy.url, dataDir: "", migrations: [], log: silentLog });
    try {
      const work = await openWork(database);
      const deaf = await openWork({ ...database, listen: () => far.listen() });
      const run = newRun();
      const { behaviour, held } = holdingAt("figs");
      const { worker, failures } = workOn(deaf, { run, behaviour });
      const runId = await submit(work, { run, text: "add figs" });
      await held;
      proxy.cut();
      await cancel(run, { runId, action: "interrupt" });
      proxy.mend();

      const ended = await untilEnded(work, { run, runId });
      await worker.stop();

      expect(ended).toMatchObject({ status: "interrupted", cancel: "interrupt" });
      expect(failures).toEqual([]);
    } finally {
      await far.close();
      await proxy.close();
    }
  });

  test("stops where its worker heard of it, but could not look at first", async () => {
    const work = await openWork(database);
    let isAway = false;
    // Transactions take it so; what is one statement asks with a function.
    const connect = async (done?: () => void) => {
      if (done !== undefined) return database.pool.connect(done);
      if (isAway) throw new DatabaseUnavailableError("It is away");
      return database.pool.connect();
    };
    const pool: typeof database.pool = Object.create(database.pool, {
      connect: { value: connect },
    });
    const run = newRun();
    const { behaviour, held } = holdingAt("figs");
    const { worker, failed } = workOn(
      { ...work, database: { ...database, pool } },
      { run, behaviour, settings: { heartbeatMs: 600_000, pollMs: 600_000 } },
    );
    const runId = await submit(work, { run, text: "add figs" });
    await held;
    isAway = true;
    await cancel(run, { runId, action: "interrupt" });
    await failed;
    isAway = false;

    const ended = await untilEnded(work, { run, runId });
    await worker.stop();

    expect(ended).toMatchObject({ status: "interrupted", cancel: "interrupt" });
  });

  test("stops cleanly: what it did is kept and recorded", async () => {
    const { work, run, runId, worker } = await holdRun();

    await cancel(run, { runId, action: "interrupt" });
    const ended = await untilEnded(work, { run, runId });
    await runToEnd(work, { run, text: "add nuts" });
    await worker.stop();

    expect(ended).toMatchObject({ status: "interrupted", cancel: "interrupt" });
    const { events } = await readEvents(work, { run, runId });
    expect(checkEventOrder(events)).toEqual([]);
    expect(events.at(-1)).toMatchObject({ type: "turn-end" });
    expect(await readStored(run)).toMatchObject({
      inbox: ["add figs: stopped", "add nuts: answered"],
      turns: [expect.stringContaining("Added: figs"), `add nuts: ${addedReply("nuts")}`],
      items: ["figs", "nuts"],
    });
  });

  test("and rolled back before it wrote, is as if it had not been", async () => {
    const work = await openWork(database);
    const run = newRun();
    const { behaviour, held } = holdingAt("figs", "think");
    const { worker, thread } = workOn(work, { run, behaviour });
    await runToEnd(work, { run, text: "add nuts" });
    const before = await thread.state();
    const runId = await submit(work, { run, text: "add figs" });
    await held;

    await cancel(run, { runId, action: "rollback" });
    await untilRun(work, { run, runId, is: (found) => found === null });
    expect(await thread.state()).toEqual(before);
    await runToEnd(work, { run, text: "add plums" });
    await worker.stop();

    expect(await readStored(run)).toEqual({
      inbox: ["add nuts: answered", "add figs: stopped", "add plums: answered"],
      turns: [`add nuts: ${addedReply("nuts")}`, `add plums: ${addedReply("plums")}`],
      items: ["nuts", "plums"],
      held: false,
    });
    const state = await thread.state();
    expect(state.messages.map(({ text }) => text)).toEqual([
      "add nuts",
      addedReply("nuts"),
      "add plums",
      addedReply("plums"),
    ]);
  });

  test("and rolled back in a thread's first turn, leaves an empty thread", async () => {
    const { work, run, runId } = await holdRun({ role: "think" });

    await cancel(run, { runId, action: "rollback" });
    await untilRun(work, { run, runId, is: (found) => found === null });

    const { rows } = await database.owner.query(
      `select (select count(*)::int from checkpoints where thread_id = $1) as checkpoints,
              (select count(*)::int from checkpoint_blobs where thread_id = $1) as blobs,
              (select count(*)::int from turns where thread_id = $1) as turns`,
      [run.threadId],
    );
    expect(rows).toEqual([{ checkpoints: 0, blobs: 0, turns: 0 }]);
  });

  test("and rolled back after it wrote, is as if it had not been: its effects are undone", async () => {
    const { work, run, runId, worker } = await holdRun({
      undoEffects: createUndoOfRun({
        domain: mealsDomain,
        storage: { database },
        limits: limitsWith({}),
      }),
    });

    await cancel(run, { runId, action: "rollback" });
    await untilRun(work, { run, runId, is: (found) => found === null });
    await worker.stop();

    expect(await readStored(run)).toEqual({
      inbox: ["add figs: stopped"],
      turns: [],
      items: [],
      held: false,
    });
  });

  test("and rolled back after it wrote what cannot be undone, keeps it, and its record", async () => {
    const { work, run, runId, worker } = await holdRun({ undoEffects: async () => false });

    await cancel(run, { runId, action: "rollback" });
    await untilRun(work, { run, runId, is: (found) => found === null });
    await worker.stop();

    expect(await readStored(run)).toEqual({
      inbox: ["add figs: stopped"],
      turns: [expect.stringContaining("Added: figs")],
      items: ["figs"],
      held: false,
    });
    expect(await readStoredViews(database, run.threadId)).toMatchObject([{ status: "stopped" }]);
    expect(await appliedWrites(database, run.threadId)).toBe(1);
    expect(await readRuns(work, run)).toEqual([]);
  });

  test("is stopped when it takes too long", async () => {
    const work = await openWork(database);
    const run = newRun();
    const { behaviour } = holdingAt("figs");
    const { worker } = workOn(work, { run, behaviour, settings: { runMs: 300 } });

    const runId = await submit(work, { run, text: "add figs" });
    const ended = await untilEnded(work, { run, runId });
    await worker.stop();

    expect(ended).toMatchObject({ status: "timeout", error: { code: "run_timeout" } });
    const { events } = await readEvents(work, { run, runId });
    expect(checkEventOrder(events)).toEqual([]);
    expect((await readStored(run)).inbox).toEqual(["add figs: stopped"]);
  });
});

describe("a worker that is told to stop", () => {
  test("lets a run that is nearly done finish", async () => {
    const { work, run, runId, worker, release } = await holdRun({ drainMs: 60_000 });

    const stopped = worker.stop();
    release();
    await stopped;

    expect(await untilEnded(work, { run, runId })).toMatchObject({ status: "success" });
    expect(await readStored(run)).toMatchObject({ inbox: ["add figs: answered"], held: false });
  });

  test("leaves a run that takes longer to another, which goes on with it", async () => {
    const { work, run, runId, worker } = await holdRun();
    await worker.stop();
    const left = await readStored(run);

    const other = workOn(work, { run, behaviour: ADDING });
    const ended = await untilEnded(work, { run, runId });
    await other.worker.stop();

    expect(left).toMatchObject({ inbox: ["add figs: waits"], held: false });
    expect(ended).toMatchObject({ status: "success" });
    const { events } = await readEvents(work, { run, runId });
    expect(checkEventOrder(events)).toEqual([]);
    expect(await readStoredViews(database, run.threadId)).toEqual([reduceEvents(events)]);
    expect(await readStored(run)).toMatchObject({
      inbox: ["add figs: answered"],
      turns: [`add figs: ${addedReply("figs")}`],
      items: ["figs"],
    });
    const { rows } = await database.owner.query("select attempts from inbox where thread_id = $1", [
      run.threadId,
    ]);
    expect(rows).toEqual([{ attempts: 1 }]);
  });
});

describe("several workers", () => {
  test("answer every message of many threads once, in order", async () => {
    const work = await openWork(database);
    const other = await openWork(database);
    const runs = Array.from({ length: 6 }, newRun);
    const [first = newRun()] = runs;
    const workers = [work, other].map((one) =>
      workOn(one, { run: first, behaviour: ADDING, settings: { slots: 2 } }),
    );

    const items = ["a1", "a2", "a3"];
    const ids: (readonly [TurnContext, string])[] = [];
    for (const item of items) {
      for (const run of runs) ids.push([run, await submit(work, { run, text: `add ${item}` })]);
    }
    for (const [run, runId] of ids) {
      expect(await untilEnded(work, { run, runId })).toMatchObject({ status: "success" });
      const { events } = await readEvents(work, { run, runId });
      expect(checkEventOrder(events)).toEqual([]);
    }

    await Promise.all(workers.map(({ worker }) => worker.stop()));
    for (const run of runs) {
      expect(await readStored(run)).toMatchObject({
        inbox: items.map((item) => `add ${item}: answered`),
        turns: items.map((item) => `add ${item}: ${addedReply(item)}`),
        items,
      });
    }
  }, 120_000);
});

test("a run whose message the terminal answered ends with what was said", async () => {
  const work = await openWork(database);
  const run = newRun();
  const runId = await submit(work, { run, text: "add figs" });
  await openThread(database, { run, behaviour: ADDING }).send("add nuts");

  const { failures } = workOn(work, { run, behaviour: ADDING });
  const ended = await untilEnded(work, { run, runId });

  expect(ended).toMatchObject({ status: "success" });
  const { events } = await readEvents(work, { run, runId });
  expect(checkEventOrder(events)).toEqual([]);
  expect(repliesIn(events)).toEqual([addedReply("figs")]);
  expect(failures).toEqual([]);
});

test("work that is tried no more is told of by one worker, once", async () => {
  const work = await openWork(database);
  const run = newRun();
  await submit(work, { run, text: "add figs" });
  await database.owner.query(
    "update concierge_jobs.job set retry_limit = 0 where data ->> 'threadId' = $1",
    [run.threadId],
  );
  const { promise: reported, resolve } = Promise.withResolvers<void>();
  const dead: DeadLetter[] = [];
  const workers = [1, 2].map(() =>
    startWorker({
      pool: database.pool,
      driver: { processThread: async () => "held-elsewhere" },
      jobs: work.jobs,
      notifications: work.notifications,
      log: silentLog,
      newId: randomUUID,
      settings: { heartbeatMs: 20 },
      onDeadLetter(job) {
        dead.push(job);
        resolve();
      },
    }),
  );
  await reported;
  await Promise.all(workers.map((worker) => worker.stop()));

  expect(await work.jobs.takeDeadLetters()).toEqual([]);
  const { threadId, userId } = run;
  const reason = "held-elsewhere: Another process holds the thread";
  expect(dead).toEqual([{ threadId, userId, reason }]);
});
