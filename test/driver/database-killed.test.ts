import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openDatabase, type Database } from "../../storage/postgres/database.ts";
import { silentLog } from "../../state/log.ts";
import { asUser } from "../../storage/users/user-data.ts";
import { ADDING, itemIn } from "../support/adding.ts";
import { projectMigrations } from "../support/database-url.ts";
import { checkEventOrder } from "../support/event-order.ts";
import { newRun } from "../support/fresh-kitchen.ts";
import { openThread, repliesIn } from "../support/test-thread.ts";

/** A server of one's own, and durable: what was committed survives a kill. */
let base = "";
let database: Database;

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), "concierge-killed-"));
  // Root's server runs as another user, who has to get at the data folder in it.
  await chmod(base, 0o711);
  const migrations = projectMigrations();
  database = await openDatabase({ url: null, dataDir: base, migrations, log: silentLog });
}, 60_000);

afterAll(async () => {
  await database.close();
  await rm(base, { recursive: true });
});

/** Ends the server from outside, as a machine without memory would. */
async function killServer(): Promise<void> {
  const file = await readFile(join(base, "postgres/data/postmaster.pid"), "utf8");
  process.kill(Number.parseInt(file, 10), "SIGKILL");
}

test("a server killed in mid-turn is started by the next message, which is answered after the first", async () => {
  let killed = false;
  const thread = openThread(database, {
    run: newRun(),
    ensureDatabase: () => database.ensureRunning(),
    behaviour: {
      ...ADDING,
      async reply(request) {
        if (!killed) await killServer();
        killed = true;
        return `${itemIn(request)} is on the list.`;
      },
    },
  });

  const first = await thread.send("add figs");
  const second = await thread.send("add nuts");

  expect([checkEventOrder(first), checkEventOrder(second, { resumed: true })]).toEqual([[], []]);
  expect(first.at(-1)).toMatchObject({
    type: "error",
    turn: 1,
    code: "database_unavailable",
    message: expect.stringMatching(/; once the database is back, it is answered before the next/u),
  });
  expect([second.at(-1)?.type, repliesIn(second)]).toEqual([
    "turn-end",
    ["figs is on the list.", "nuts is on the list."],
  ]);
  const { threadId, userId } = thread.run;
  const stored = await asUser(database.pool, { userId }, (tx) =>
    tx.query(
      `select (select array_agg(outcome order by seq) from inbox where thread_id = $1) as inbox,
              (select array_agg(name order by name) from shopping_list) as items`,
      [threadId],
    ),
  );
  expect(stored.rows).toEqual([{ inbox: ["answered", "answered"], items: ["figs", "nuts"] }]);
}, 120_000);
