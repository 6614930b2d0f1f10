import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import type { RunRecord } from "../../state/run.ts";
import type { TurnContext } from "../../state/turn.ts";
import { DatabaseUnavailableError } from "../../storage/postgres/database-error.ts";
import { openDatabase } from "../../storage/postgres/database.ts";
import { silentLog } from "../../state/log.ts";
import { addedReply, ADDING, itemIn } from "../support/adding.ts";
import { testDatabase } from "../support/database.ts";
import { openDatabaseProxy } from "../support/database-proxy.ts";
import { checkEventOrder } from "../support/event-order.ts";
import { newRun } from "../support/fresh-kitchen.ts";
import { repliesIn } from "../support/test-thread.ts";
import {
  readEvents,
  loadStored,
  openWork,
  runToEnd,
  submit,
  untilEnded,
  workOn,
  type Work,
} from "../support/thread-worker.ts";

const database = await testDatabase();

/** Starts a worker in a process of its own that waits at the reply to an item; killed with -9 by `kill`. */
async function startWorkerProcess(run: TurnContext, holdAt: string) {
  const script = fileURLToPath(new URL("worker-process.ts", import.meta.url));
  const settings = { url: database.url, run, leaseMs: 2_000, holdAt };
  const child = spawn(process.execPath, [script, JSON.stringify(settings)], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = createInterface({ input: child.stdout });
  const output = lines[Symbol.asyncIterator]();
  expect((await output.next()).value).toBe("ready");
  return {
    untilHeld: async () => expect((await output.next()).value).toBe("held"),
    async kill() {
      child.kill("SIGKILL");
      await once(child, "close");
    },
  };
}

/** Expects a run that succeeded with one reply, and whose stream has no gap. */
async function expectWhole(work: Work, { run, ended }: { run: TurnContext; ended: RunRecord }) {
  expect(ended).toMatchObject({ status: "success" });
  const { rows, events } = await readEvents(work, { run, runId: ended.runId });
  expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_, index) => index + 1));
  expect(checkEventOrder(events)).toEqual([]);
  expect(repliesIn(events)).toEqual([addedReply("figs")]);
}

test("a run whose worker is killed goes on with another, and its stream is whole", async () => {
  const work = await openWork(database);
  const run = newRun();
  const killed = await startWorkerProcess(run, "figs");
  const runId = await submit(work, { run, text: "add figs" });
  await killed.untilHeld();
  await killed.kill();

  const { worker } = workOn(work, { run, behaviour: ADDING, leaseMs: 2_000 });
  await runToEnd(work, { run, text: "add nuts" });
  const ended = await untilEnded(work, { run, runId });
  await worker.stop();

  await expectWhole(work, { run, ended });
  expect(await loadStored(database, run)).toMatchObject({
    inbox: ["add figs: answered", "add nuts: answered"],
    items: ["figs", "nuts"],
  });
}, 120_000);

test("a job that could not be given back while the database was away is given back when it is there", async () => {
  const work = await openWork(database);
  const run = newRun();
  const away = new DatabaseUnavailableError("Cannot reach the database: it is away");
  let works = 0;
  let retries = 0;
  const { worker, failures } = workOn(
    {
      ...work,
      jobs: {
        ...work.jobs,
        async retry(id, error) {
          retries += 1;
          if (retries <= 2) throw away;
          await work.jobs.retry(id, error);
        },
      },
    },
    {
      run,
      behaviour: ADDING,
      store: (store) => ({
        ...store,
        async holdLease(request, work) {
          works += 1;
          if (works === 1) throw away;
          return store.holdLease(request, work);
        },
      }),
      // Nobody else gives it back.
      settings: { pollMs: 100, heartbeatMs: 600_000 },
    },
  );
  const runId = await submit(work, { run, text: "add figs" });

  expect(await untilEnded(work, { run, runId })).toMatchObject({ status: "success" });
  await worker.stop();
  expect({ works, retries, failures }).toEqual({ works: 2, retries: 3, failures: [] });
});

test("a database that is away in mid-run ends no run: it goes on when the database is back", async () => {
  const proxy = await openDatabaseProxy(database.url);
  const own = await openDatabase({ url: proxy.url, dataDir: "", migrations: [], log: silentLog });
  try {
    const [work, here] = [await openWork(own), await openWork(database)];
    const run = newRun();
    let cuts = 0;
    const { worker, failed } = workOn(work, {
      run,
      leaseMs: 2_000,
      behaviour: {
        ...ADDING,
        reply: async (request) => {
          if (itemIn(request) === "figs" && cuts === 0) {
            cuts += 1;
            proxy.cut();
          }
          return (await ADDING.reply?.(request)) ?? "Gladly.";
        },
      },
      settings: { pollMs: 100, heartbeatMs: 100 },
    });
    const runId = await submit(here, { run, text: "add figs" });
    await failed;
    proxy.mend();

    const ended = await untilEnded(here, { run, runId });
    await worker.stop();

    await expectWhole(here, { run, ended });
    expect((await loadStored(database, run)).inbox).toEqual(["add figs: answered"]);
  } finally {
    await own.close();
    await proxy.close();
  }
}, 120_000);
