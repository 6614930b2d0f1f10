import { afterAll, expect, test } from "vitest";
import { createApp } from "../../server/app.ts";
import type { EventBody } from "../../state/event.ts";
import { readSse } from "../support/read-sse.ts";
import { testDatabase } from "../support/database.ts";
import { openServerParts, routeParts } from "../support/server-parts.ts";
import { tellRun } from "../support/tell-run.ts";

const database = await testDatabase();
const parts = await openServerParts({ database });
afterAll(() => parts.close());
const app = createApp(routeParts(parts));

const BODIES: readonly EventBody[] = [
  { type: "turn-start", messageId: "m", message: "Hello" },
  { type: "text-delta", reply: "reply_r1_1", text: "Good day\n\nand welcome" },
  { type: "reply", reply: "reply_r1_1", text: "Good day\n\nand welcome" },
  { type: "error", code: "internal", message: "Cannot go on" },
];

async function send(
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return app.request("/chat", {
    method: "POST",
    body: JSON.stringify(body),
    headers: { "content-type": "application/json", ...headers },
  });
}

function runOf(response: Response) {
  const runId = response.headers.get("x-run-id") ?? "";
  const threadId = response.headers.get("x-thread-id") ?? "";
  return { runId, threadId, userId: "demo" };
}

test("POST /chat streams the turn's events as they happen, with their numbers", async () => {
  const response = await send({ message: "Hello", thread: "kitchen-1" });
  const run = runOf(response);
  const told = await tellRun(database, { run, bodies: BODIES.slice(0, 2) });
  const rest = await tellRun(database, { run, bodies: BODIES.slice(2), from: 3, end: "error" });

  const events = await readSse(response);

  expect([response.status, response.headers.get("content-type"), run.threadId]).toEqual([
    200,
    "text/event-stream; charset=utf-8",
    "kitchen-1",
  ]);
  expect(events).toEqual([
    ...[...told, ...rest].map((event) => ({
      event: event.type,
      data: event,
      id: String(event.seq),
    })),
    { event: "end", data: { type: "end", run: run.runId, status: "error" }, id: null },
  ]);
});

test("the message is in its inbox, for the person and the day that were said", async () => {
  const response = await send({
    message: "What is for dinner?",
    thread: "kitchen-2",
    messageId: "m-1",
    today: "2026-02-03",
    timeZone: "Europe/Berlin",
    locale: "de",
    trace: true,
  });
  const { runId } = runOf(response);
  await response.body?.cancel();

  const inbox = await database.owner.query(
    "select message_id, user_id, text, run from inbox where thread_id = 'kitchen-2'",
  );
  const runs = await database.owner.query("select trace, status from runs where run_id = $1", [
    runId,
  ]);
  expect(inbox.rows).toEqual([
    {
      message_id: "m-1",
      user_id: "demo",
      text: "What is for dinner?",
      run: {
        runId,
        threadId: "kitchen-2",
        userId: "demo",
        today: "2026-02-03",
        timeZone: "Europe/Berlin",
        locale: "de",
      },
    },
  ]);
  expect(runs.rows).toEqual([{ trace: true, status: "pending" }]);
});

test("a message that is sent twice is one message", async () => {
  const body = { message: "Once", thread: "kitchen-3", messageId: "m-1" };
  const first = await send(body);
  const second = await send(body);
  const third = await send({ ...body, messageId: null }, { "idempotency-key": "m-1" });
  const ids = [first, second, third].map((response) => runOf(response).runId);
  for (const response of [first, second, third]) await response.body?.cancel();

  const { rows } = await database.owner.query(
    "select count(*)::int as count from inbox where thread_id = 'kitchen-3'",
  );
  expect(new Set(ids).size).toBe(1);
  expect(rows).toEqual([{ count: 1 }]);
  const other = await send({ ...body, message: "Other words" });
  expect([other.status, await other.json()]).toMatchObject([
    422,
    { code: "message_id_taken", field: "/messageId" },
  ]);
});

test("without a thread a new one is made, and its name told", async () => {
  const response = await send({ message: "Hello" });
  await response.body?.cancel();

  expect(runOf(response).threadId).toMatch(/^[0-9a-f-]{36}$/);
});

test("lines where lines are wanted", async () => {
  const response = await send(
    { message: "Hello" },
    { accept: "application/x-ndjson", "x-request-id": "mine-2" },
  );
  const run = runOf(response);
  const told = await tellRun(database, { run, bodies: BODIES, end: "error" });

  const lines = (await response.text()).trimEnd().split("\n");

  expect([response.headers.get("content-type"), response.headers.get("x-request-id")]).toEqual([
    "application/x-ndjson; charset=utf-8",
    "mine-2",
  ]);
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    ...told,
    { type: "end", run: run.runId, status: "error" },
  ]);
});

test("a client that left comes back to what it has not seen", async () => {
  const left = await send({ message: "Hello" });
  const run = runOf(left);
  await left.body?.cancel();
  const told = await tellRun(database, { run, bodies: BODIES, end: "error" });

  const back = await app.request(`/chat/${run.runId}`, { headers: { "last-event-id": "2" } });
  const whole = await app.request(`/chat/${run.runId}`);

  expect(runOf(back)).toEqual(run);
  const seen = await readSse(back);
  expect(seen.map(({ id }) => id)).toEqual(["3", "4", null]);
  expect((await readSse(whole)).slice(0, -1).map(({ data }) => data)).toEqual(told);
});

test.each([
  ["no message", {}, "/message", "invalid_request"],
  ["an empty message", { message: " \n" }, "/message", "message_empty"],
  ["a long message", { message: "x".repeat(32_001) }, "/message", "message_too_long"],
  ["a misspelt field", { message: "Hi", timezone: "UTC" }, "/timezone", "invalid_request"],
  ["a wrong day", { message: "Hi", today: "2026-02-30" }, "/today", "invalid_request"],
  ["a wrong zone", { message: "Hi", timeZone: "Mars/Base" }, "/timeZone", "invalid_request"],
  ["a wrong locale", { message: "Hi", locale: "%%" }, "/locale", "invalid_request"],
  ["a wrong thread", { message: "Hi", thread: "a/b" }, "/thread", "invalid_request"],
  ["a wrong id", { message: "Hi", messageId: "a\0b" }, "/messageId", "invalid_request"],
])("%s is refused, and nothing is stored", async (_name, body, field, code) => {
  const before = await database.owner.query("select count(*) from inbox");
  const response = await send(body);
  const problem = (await response.json()) as { code: string; field?: string };

  expect([response.status, problem.code, problem.field ?? null]).toEqual([422, code, field]);
  expect((await database.owner.query("select count(*) from inbox")).rows).toEqual(before.rows);
});

test.each([
  ["/chat/no-such-run", {}, 404, "run_not_found"],
  ["/chat/no-such-run", { "last-event-id": "x" }, 422, "invalid_request"],
])("GET %s %j is a problem", async (path, headers, status, code) => {
  const response = await app.request(path, { headers });

  expect([response.status, await response.json()]).toEqual([
    status,
    expect.objectContaining({ code }),
  ]);
});

test("with all streams taken no message is accepted", async () => {
  const few = createApp(
    routeParts({
      ...parts,
      settings: { ...parts.settings, limits: { ...parts.settings.limits, streamsPerCaller: 1 } },
    }),
  );
  const body = JSON.stringify({ message: "Hello", thread: "kitchen-4" });
  const init = { method: "POST", body, headers: { "content-type": "application/json" } };
  const first = await few.request("/chat", init);
  const second = await few.request("/chat", init);
  await first.body?.cancel();
  const third = await few.request("/chat", init);
  await third.body?.cancel();

  const { rows } = await database.owner.query(
    "select count(*)::int as count from inbox where thread_id = 'kitchen-4'",
  );
  expect([first.status, second.status, third.status]).toEqual([200, 429, 200]);
  expect(await second.json()).toMatchObject({ code: "too_many_streams" });
  expect(rows).toEqual([{ count: 2 }]);
});

test("a message that cannot be stored gives its stream's place back", async () => {
  const streams = routeParts(parts);
  const watched = createApp(streams);
  const response = await watched.request("/chat", {
    method: "POST",
    body: JSON.stringify({ message: "" }),
    headers: { "content-type": "application/json" },
  });
  await response.json();

  expect([response.status, streams.streams.count()]).toEqual([422, 0]);
});

test("a HEAD request leaves no stream open", async () => {
  const streams = routeParts(parts);
  const watched = createApp(streams);
  const run = runOf(await send({ message: "Hello" }));

  const response = await watched.request(`/chat/${run.runId}`, { method: "HEAD" });

  expect([response.status, response.headers.get("x-run-id")]).toEqual([200, run.runId]);
  expect(streams.streams.count()).toBe(0);
});
