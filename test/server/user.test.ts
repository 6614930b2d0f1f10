import { expect, test } from "vitest";
import { createApp } from "../../server/app.ts";
import type { Authenticate, Caller } from "../../server/parts.ts";
import { createApiKey } from "../../storage/users/api-keys.ts";
import { claimThread } from "../../storage/conversations/threads.ts";
import { asUser } from "../../storage/users/user-data.ts";
import { lockOutOthers } from "../../storage/users/user-entry.ts";
import { askWith, openTestApp, readProblem, routeParts } from "../support/server-parts.ts";
import { storeRunEvents } from "../support/store-run-events.ts";
import { wholeDatabase } from "../support/whole-database.ts";

const { database, parts } = await openTestApp({ access: { kind: "on", apiKeys: true, jwt: null } });
const app = appWhereCallerIs((request) => ({
  userId: request.header("x-api-key") ?? "nobody",
  via: "api-key",
}));
const ask = askWith(app);

function appWhereCallerIs(find: (...asked: Parameters<Authenticate>) => Caller) {
  return createApp(routeParts({ ...parts, authenticate: async (request) => find(request) }));
}

async function say(userId: string) {
  const body = { message: `I am ${userId}`, thread: `of-${userId}` };
  const response = await ask("POST", "/chat", body, { "x-api-key": userId });
  await response.body?.cancel();
  return { runId: response.headers.get("x-run-id") ?? "", threadId: `of-${userId}`, userId };
}

async function erase(userId: string, body: unknown): Promise<Response> {
  return ask("DELETE", "/user", body, { "x-api-key": userId });
}

test("a person gets everything that is kept of them, and nothing of others", async () => {
  await say("ada");
  await say("bob");
  const response = await app.request("/user/export", { headers: { "x-api-key": "ada" } });
  const text = await response.text();
  const lines = text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { kind: string; table?: string });

  expect(response.headers.get("content-type")).toBe("application/x-ndjson; charset=utf-8");
  expect([lines[0], lines.at(-1)]).toEqual([
    { kind: "user", userId: "ada" },
    { kind: "end", lines: lines.length - 1 },
  ]);
  expect(lines.flatMap(({ table }) => table ?? [])).toEqual(
    expect.arrayContaining(["inbox", "runs", "threads"]),
  );
  expect(text).toContain("I am ada");
  expect(text).not.toContain("bob");
});

test("erasing wants the person's own name, and no run under way", async () => {
  const run = await say("cyd");
  const before = await wholeDatabase(database);

  const refusals = [
    await erase("cyd", {}),
    await erase("cyd", { confirm: "ada" }),
    await erase("cyd", { confirm: "cyd", also: "ada" }),
    await erase("cyd", { confirm: "cyd" }),
  ];

  expect(await Promise.all(refusals.map(readProblem))).toEqual([
    [422, "invalid_request", "/confirm"],
    [422, "invalid_request", "/confirm"],
    [422, "invalid_request", "/also"],
    [409, "user_busy", undefined],
  ]);
  expect(await wholeDatabase(database)).toEqual(before);
  await storeRunEvents(database, { run, bodies: [], end: "success" });
});

test("a message that is still on its way when its user is erased is not taken", async () => {
  const { key, record } = await createApiKey(database.pool, {
    userId: "fay",
    label: "tablet",
    expiresAt: null,
  });
  const keyed = appWhereCallerIs(() => ({ userId: "fay", via: "api-key", keyId: record.keyId }));
  const [isRead, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      isRead.resolve();
      await mayEnd.promise;
      controller.enqueue(new TextEncoder().encode('{"message":"I am fay"}'));
      controller.close();
    },
  });
  const request = new Request("http://localhost/chat", {
    method: "POST",
    body,
    headers: { "content-type": "application/json", "x-api-key": key },
    duplex: "half",
  });

  const answered = keyed.request(request);
  await isRead.promise;
  expect((await erase("fay", { confirm: "fay" })).status).toBe(204);
  mayEnd.resolve();
  const answer = await answered;

  expect([answer.status, await answer.json()]).toMatchObject([401, { code: "unauthorized" }]);
  const { rows } = await database.owner.query("select from threads where user_id = 'fay'");
  expect(rows).toEqual([]);
});

test("a request of a user who is being erased is asked to come again", async () => {
  const [isHeld, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const erasing = asUser(database.pool, { userId: "gil" }, async (tx) => {
    await lockOutOthers(tx);
    isHeld.resolve();
    await mayEnd.promise;
  });
  await isHeld.promise;
  const answers = await Promise.all(
    ["gil", "hal"].map(async (userId) => ask("POST", "/threads", {}, { "x-api-key": userId })),
  );
  mayEnd.resolve();
  await erasing;

  expect(answers.map(({ status }) => status)).toEqual([409, 200]);
  expect(answers[0]?.headers.get("retry-after")).toBe("5");
  expect(await answers[0]?.json()).toMatchObject({ code: "user_busy" });
});

test("erased data are gone, and others keep everything", async () => {
  await asUser(database.pool, { userId: "dan" }, (tx) => claimThread(tx, { threadId: "of-dan" }));
  const response = await erase("dan", { confirm: "dan" });
  const exported = await app.request("/user/export", { headers: { "x-api-key": "dan" } });
  const others = await app.request("/user/export", { headers: { "x-api-key": "bob" } });

  expect(response.status).toBe(204);
  expect((await exported.text()).trimEnd().split("\n")).toHaveLength(2);
  expect(await others.text()).toContain("I am bob");
});
