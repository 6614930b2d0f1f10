import { once } from "node:events";
import { createInterface } from "node:readline";
import { randomUUID } from "node:crypto";
import { z } from "zod";
import { TurnContextSchema } from "../../state/turn.ts";
import { openNotifications } from "../../storage/postgres/notifications.ts";
import { openDatabase } from "../../storage/postgres/database.ts";
import { openJobQueue } from "../../storage/runs/jobs.ts";
import { silentLog } from "../../state/log.ts";
import { startWorker } from "../../worker/worker.ts";
import { ADDING, itemIn } from "../support/adding.ts";
import { openThread } from "../support/test-thread.ts";

/*
 * A worker in a process of its own. Its first argument says on which database, for how long it has
 * a thread, and at which item's reply it waits until it is killed. It says so on standard output,
 * and stops when its input ends.
 */
const settings = z
  .object({ url: z.string(), run: TurnContextSchema, leaseMs: z.number(), holdAt: z.string() })
  .parse(JSON.parse(process.argv[2] ?? ""));

const database = await openDatabase({
  url: settings.url,
  dataDir: "",
  migrations: [],
  log: silentLog,
});
const jobs = await openJobQueue(database.pool, silentLog);
const notifications = await openNotifications(database, silentLog);
const { driver } = openThread(database, {
  run: settings.run,
  leaseMs: settings.leaseMs,
  behaviour: {
    ...ADDING,
    reply: async (request) => {
      if (itemIn(request) === settings.holdAt) {
        process.stdout.write("held\n");
        await new Promise(() => undefined);
      }
      return (await ADDING.reply?.(request)) ?? "Gladly.";
    },
  },
});
const worker = startWorker({
  pool: database.pool,
  driver,
  jobs,
  notifications,
  log: silentLog,
  newId: randomUUID,
});
process.stdout.write("ready\n");
await once(createInterface({ input: process.stdin }), "close");
await worker.stop();
await notifications.close();
await jobs.close();
await database.close();
