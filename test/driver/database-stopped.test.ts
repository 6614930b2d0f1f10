import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { TurnEvent } from "../../state/event.ts";
import type { Expert } from "../../state/expert.ts";
import { openDatabase, type Database } from "../../storage/postgres/database.ts";
import { startEmbeddedPostgres, type EmbeddedPostgres } from "../../storage/embedded/embedded.ts";
import { silentLog } from "../../state/log.ts";
import { nameProcess } from "../../storage/embedded/running-process.ts";
import { asUser } from "../../storage/users/user-data.ts";
import { ADDING } from "../support/adding.ts";
import { conciergeBehaviour, createExpert, MESSAGES } from "../support/concierge-thread.ts";
import { projectMigrations } from "../support/database-url.ts";
import { checkEventOrder } from "../support/event-order.ts";
import { newRun } from "../support/fresh-kitchen.ts";
import { openThread, type TestThread } from "../support/test-thread.ts";

/** A server of one's own, which can be stopped without taking it from other tests. */
let base = "";
let database: Database;
const uses: EmbeddedPostgres[] = [];

beforeAll(async () => {
  vi.setConfig({ testTimeout: 120_000 });
  base = await mkdtemp(join(tmpdir(), "concierge-stopped-"));
  // Root's server runs as another user, who has to get at the data folder in it.
  await chmod(base, 0o711);
  database = await openDatabase({
    url: null,
    dataDir: base,
    migrations: projectMigrations(),
    log: silentLog,
    durable: false,
  });
}, 60_000);

afterAll(async () => {
  vi.resetConfig();
  for (const use of uses) await use.stop();
  await database.close();
  await rm(base, { recursive: true });
});

/** Stops the server as an administrator would, and waits until it is gone. */
async function stopServer(): Promise<void> {
  const file = await readFile(join(base, "postgres/data/postmaster.pid"), "utf8");
  const pid = Number.parseInt(file, 10);
  process.kill(pid, "SIGINT");
  while (nameProcess(pid) !== null) await new Promise((resolve) => setTimeout(resolve, 5));
}

async function startServer(): Promise<void> {
  uses.push(await startEmbeddedPostgres({ dataDir: base, log: silentLog, durable: false }));
}

/** Fault in the middle of a turn, once. */
type Disturbance = () => Promise<void>;

function once(disturb: Disturbance): Disturbance {
  let done: Promise<void> | null = null;
  return () => (done ??= disturb());
}

/** An expert before whose answer something happens. */
function view(id: string, before: Disturbance): Expert {
  return createExpert(id, async () => {
    await before();
    return `View of ${id}`;
  });
}

/** In each lane, a thread that is disturbed while its turn has something done and something to do. */
const LANES: readonly {
  readonly name: string;
  readonly open: (disturb: Disturbance) => TestThread;
  readonly messages: readonly [string, string];
}[] = [
  {
    name: "the task lane, after a write and before the reply",
    messages: ["add figs", "add nuts"],
    open: (disturb) =>
      openThread(database, {
        run: newRun(),
        leaseMs: 15_000,
        behaviour: {
          ...ADDING,
          reply: async (request) => {
            await disturb();
            return (await ADDING.reply?.(request)) ?? "Gladly.";
          },
        },
      }),
  },
  {
    name: "the concierge lane, while its experts answer",
    messages: [MESSAGES.question, MESSAGES.reply],
    open: (disturb) => {
      const quick = ["e1", "e2"].map((id) => view(id, async () => undefined));
      return openThread(database, {
        run: newRun(),
        leaseMs: 15_000,
        experts: [...quick, view("e3", disturb)],
        behaviour: conciergeBehaviour(),
      });
    },
  },
];

async function readStored({ run }: TestThread) {
  return asUser(database.pool, { userId: run.userId }, async (tx) => {
    const { rows } = await tx.query(
      `select (select array_agg(outcome order by seq) from inbox where thread_id = $1) as inbox,
              (select array_agg(turn order by turn) from turns where thread_id = $1) as turns,
              (select array_agg(name order by name) from shopping_list) as items,
              (select count(*) from batches where thread_id = $1) as batches`,
      [run.threadId],
    );
    return rows[0];
  });
}

function readLast(events: readonly TurnEvent[]): unknown {
  const [last] = events.slice(-1);
  return last?.type === "error" ? `${last.type} ${last.code}` : last?.type;
}

describe.each(LANES)("Postgres stopped in $name", ({ open, messages }) => {
  const expected = {
    inbox: ["answered", "answered"],
    turns: [1, 2],
    items: messages[0] === "add figs" ? ["figs", "nuts"] : null,
    batches: messages[0] === "add figs" ? 0 : 1,
  };

  test("and started at once: the turn goes on or fails with a sentence, and the thread works", async () => {
    const thread = open(
      once(async () => {
        await stopServer();
        await startServer();
      }),
    );
    const first = await thread.send(messages[0]);
    const second = await thread.send(messages[1]);

    expect([checkEventOrder(first), checkEventOrder(second, { resumed: true })]).toEqual([[], []]);
    expect(["turn-end", "error database_unavailable"]).toContain(readLast(first));
    expect(readLast(second)).toBe("turn-end");
    expect(await readStored(thread)).toEqual(expected);
  });

  test("and started later: the turn fails with a sentence, and is finished before the next", async () => {
    const thread = open(once(stopServer));
    const first = await thread.send(messages[0]);
    await expect(thread.send("is anybody there?", { messageId: "lost" })).rejects.toThrow(
      "I cannot get at what is stored at the moment. Your message was not stored; send it again",
    );
    await startServer();
    const second = await thread.send(messages[1]);

    expect([checkEventOrder(first), checkEventOrder(second, { resumed: true })]).toEqual([[], []]);
    expect(first.at(-1)).toMatchObject({
      type: "error",
      code: "database_unavailable",
      message:
        "I cannot get at what is stored at the moment. Your message is kept; once the database is back, it is answered before the next one",
    });
    expect(second.filter(({ type }) => type === "turn-end").map(({ turn }) => turn)).toEqual([
      1, 2,
    ]);
    expect(await readStored(thread)).toEqual(expected);
  });
});
