import { once } from "node:events";
import { createInterface } from "node:readline";
import { z } from "zod";
import { TurnContextSchema } from "../../state/turn.ts";
import { openDatabase } from "../../storage/postgres/database.ts";
import { silentLog } from "../../state/log.ts";
import { ADDING, itemIn } from "../support/adding.ts";
import { orderGoods, ORDERING } from "../support/ordering.ts";
import { openThread } from "../support/test-thread.ts";

/*
 * A process of its own that works on a thread. Its first argument says on which database, for whom
 * and how; each line of its standard input is messages to send at once. It prints what comes of
 * them, a JSON value a line, and leaves when its input ends.
 */
const settings = z
  .object({
    url: z.string(),
    run: TurnContextSchema,
    leaseMs: z.number().optional(),
    /** The item whose reply is not written before another line has come. */
    holdAt: z.string().optional(),
    /** The service at which "order flour" orders. */
    service: z.object({ url: z.string(), takesKey: z.boolean() }).optional(),
    /** Type of an event at which the process kills itself. */
    dieAt: z.string().optional(),
  })
  .parse(JSON.parse(process.argv[2] ?? ""));

const database = await openDatabase({
  url: settings.url,
  dataDir: "",
  migrations: [],
  log: silentLog,
});
const lines = createInterface({ input: process.stdin });
const { leaseMs, service } = settings;
const thread = openThread(database, {
  run: settings.run,
  ...(leaseMs === undefined ? {} : { leaseMs }),
  ...(service === undefined ? {} : { tools: [orderGoods(service)] }),
  behaviour: {
    ...(service === undefined ? ADDING : ORDERING),
    reply: async (request) => {
      const item = itemIn(request);
      if (item === null) return "Gladly.";
      if (item === settings.holdAt) {
        print({ kind: "held" });
        await once(lines, "line");
      }
      return `${item} is on the list.`;
    },
  },
});
const sending: Promise<void>[] = [];
lines.on("line", (line) => {
  for (const text of z.string().array().parse(JSON.parse(line))) sending.push(send(text));
});
print({ kind: "ready" });
await once(lines, "close");
await Promise.all(sending);
await database.close();

async function send(text: string): Promise<void> {
  const outcome = await thread.sendFor(text, {
    onEvent: (event) => {
      print({ kind: "event", event });
      if (event.type === settings.dieAt) process.kill(process.pid, "SIGKILL");
    },
  });
  print({ kind: "sent", text, outcome });
}

function print(value: object): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}
