import type { ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { renderSentence } from "../../text/sentences.ts";
import { testDatabase } from "../support/database.ts";
import { startDriver, type DriverProcess } from "../support/driver-process.ts";
import { newRun } from "../support/fresh-kitchen.ts";
import { serveHttp } from "../support/http-server.ts";
import { orderGoods, ORDERING } from "../support/ordering.ts";
import { openThread, repliesIn, type ThreadParts } from "../support/test-thread.ts";

const database = await testDatabase();

/** Answers a call of the service, or leaves it unanswered. */
type Answer = (response: ServerResponse, goods: string) => void;

/** A shop over HTTP that answers each call in its way and notes its key. */
async function openShop({ takesKey = false }, ...answers: readonly Answer[]) {
  const keys: (string | string[] | undefined)[] = [];
  const port = await serveHttp((request, response) => {
    const answerThis = answers[keys.length] ?? answer;
    keys.push(request.headers["idempotency-key"]);
    void text(request).then((goods) => answerThis(response, goods));
  });
  const service = { url: `http://127.0.0.1:${port}`, takesKey };
  return { service, keys };
}

const answer: Answer = (response, goods) => void response.end(`Ordered ${goods}`);

/** A person whom the thread has asked whether it shall order flour. */
async function askToOrder(shop: Awaited<ReturnType<typeof openShop>>, parts: ThreadParts = {}) {
  const run = newRun();
  const open = () =>
    openThread(database, {
      run,
      tools: [orderGoods(shop.service)],
      behaviour: ORDERING,
      ...parts,
    });
  expect(repliesIn(await open().send("order flour"))).toEqual([
    "This runs “order goods” at another service (goods: “flour”). It cannot be undone from here. Do it?",
  ]);
  return { run, open };
}

const ORDERED = "Order goods: Ordered flour";
const NOTHING_WAITS = renderSentence("nothingWaits");

const FAILED = `Not known: order goods (${renderSentence("callFailed")})`;
const ENDED = `Not known: order goods (${renderSentence("callNotAnswered")})`;
const HUNG = `Not known: order goods (${renderSentence("callUnknown", { seconds: 1 })})`;

/** Kills the process that says "yes", and goes on with the thread in this one. */
async function killAndGoOn(
  shop: Awaited<ReturnType<typeof openShop>>,
  kill: { readonly dieAt?: string; readonly when?: (child: DriverProcess) => Promise<void> },
) {
  const { run, open } = await askToOrder(shop);
  const { service } = shop;
  const child = await startDriver({ url: database.url, run, service, dieAt: kill.dieAt ?? "" });
  child.send("yes");
  await kill.when?.(child);
  await child.leave();
  // As if the lease's time had passed.
  await database.owner.query(
    "update leases set expires_at = clock_timestamp() where thread_id = $1",
    [run.threadId],
  );
  return repliesIn(await open().send("thanks"));
}

describe("a process that is killed with a call outside under way", () => {
  test.each([
    { takesKey: false, calls: 1, reply: ENDED },
    { takesKey: true, calls: 2, reply: ORDERED },
  ])("is followed by $calls calls with one key where takesKey is $takesKey", async (expected) => {
    const { promise: called, resolve } = Promise.withResolvers<void>();
    const shop = await openShop(expected, () => resolve());

    const replies = await killAndGoOn(shop, {
      when: async (child) => {
        await called;
        child.signal("SIGKILL");
      },
    });

    expect(replies).toEqual([expected.reply, "Gladly."]);
    expect(shop.keys).toHaveLength(expected.calls);
    expect(new Set(shop.keys).size).toBe(1);
  });

  test("is followed by the true receipt, and no call, where the answer had come", async () => {
    const shop = await openShop({});

    const replies = await killAndGoOn(shop, { dieAt: "tool-end" });

    expect(replies).toEqual([ORDERED, "Gladly."]);
    expect(shop.keys).toHaveLength(1);
  });
});

describe("a call outside is made once, and the reply is true, where the service", () => {
  const wire = "HTTP/1.1 200 OK\r\ncontent-length: 13\r\n\r\nOrdered flour";

  test.each<[what: string, answer: Answer, reply: string]>([
    ["answers", answer, ORDERED],
    ["fails", (response) => response.writeHead(500).end("Ordered flour"), FAILED],
    [
      "ends the connection in its answer",
      (response) => {
        response.writeHead(200, { "content-length": 13 }).write("Ordered", () => {
          response.socket?.resetAndDestroy();
        });
      },
      FAILED,
    ],
    ["answers twice", (response) => void response.socket?.end(wire + wire), ORDERED],
    ["hangs", () => undefined, HUNG],
  ])("%s", async (_what, how, reply) => {
    const shop = await openShop({}, how);
    const { open } = await askToOrder(shop, { limits: { callSeconds: 1 } });

    expect(repliesIn(await open().send("yes"))).toEqual([reply]);
    expect(repliesIn(await open().send("yes"))).toEqual([NOTHING_WAITS]);
    expect(shop.keys).toHaveLength(1);
  });

  test("is asked for by two at once who say yes", async () => {
    const shop = await openShop({});
    const { open } = await askToOrder(shop);

    const events = await Promise.all([open().send("yes"), open().send("yes")]);

    expect(events.flatMap(repliesIn).toSorted()).toEqual([NOTHING_WAITS, ORDERED]);
    expect(shop.keys).toHaveLength(1);
  });
});
