import { expect, test } from "vitest";
import { createApp } from "../../server/app.ts";
import type { EventBody } from "../../state/event.ts";
import { readSse } from "../support/read-sse.ts";
import { askWith, openTestApp, readProblem, routeParts } from "../support/server-parts.ts";
import { storeRunEvents } from "../support/store-run-events.ts";
import { replyEvent } from "../support/replies.ts";

const { database, parts, app, ask } = await openTestApp();

const BODIES: readonly EventBody[] = [
  { type: "turn-start", messageId: "m", message: "Hello" },
  { type: "text-delta", reply: "reply_r1_1", text: "Good day\n\nand welcome" },
  replyEvent("Good day\n\nand welcome"),
  { type: "error", code: "internal", message: "Cannot go on" },
];

async function send(body: object, headers = {}): Promise<Response> {
  return ask("POST", "/chat", body, headers);
}

function readRun(response: Response) {
  const runId = response.headers.get("x-run-id") ?? "";
  const threadId = response.headers.get("x-thread-id") ?? "";
  return { runId, threadId, userId: "demo" };
}

test("POST /chat streams the turn's events as they happen, with their numbers", async () => {
  const response = await send({ message: "Hello", thread: "kitchen-1" });
  const run = readRun(response);
  const sentEvents = await storeRunEvents(database, { run, bodies: BODIES.slice(0, 2) });
  const rest = await storeRunEvents(database, {
    run,
    bodies: BODIES.slice(2),
    from: 3,
    end: "error",
  });

  const events = await readSse(response);

  const type = response.headers.get("content-type");
  expect([type, run.threadId]).toEqual(["text/event-stream; charset=utf-8", "kitchen-1"]);
  expect(events).toEqual([
    ...[...sentEvents, ...rest].map((event) => ({
      event: event.type,
      data: event,
      id: String(event.seq),
    })),
    { event: "end", data: { type: "end", run: run.runId, status: "error" }, id: null },
  ]);
});

test("the message is in its inbox, for the person and the day that were said", async () => {
  const person = { today: "2026-02-03", timeZone: "Europe/Berlin", locale: "de" };
  const text = "What is for dinner?";
  const body = { message: text, thread: "kitchen-2", messageId: "m-1" };
  const response = await send({ ...body, ...person, trace: true });
  const { runId } = readRun(response);
  await response.body?.cancel();

  const inbox = await database.owner.query(
    "select message_id, user_id, text, run from inbox where thread_id = 'kitchen-2'",
  );
  const runs = await database.owner.query(
    `select trace, status from runs where run_id = '${runId}'`,
  );
  const run = { runId, threadId: "kitchen-2", userId: "demo", ...person };
  expect(inbox.rows).toEqual([{ message_id: "m-1", user_id: "demo", text, run }]);
  expect(runs.rows).toEqual([{ trace: true, status: "pending" }]);
});

test("a message that is sent twice is one message", async () => {
  const body = { message: "Once", thread: "kitchen-3", messageId: "m-1" };
  const first = await send(body);
  const second = await send(body);
  const third = await send({ ...body, messageId: null }, { "idempotency-key": "m-1" });
  const ids = [first, second, third].map((response) => readRun(response).runId);
  for (const response of [first, second, third]) await response.body?.cancel();

  const { rows } = await database.owner.query(
    "select count(*)::int as count from inbox where thread_id = 'kitchen-3'",
  );
  expect(new Set(ids).size).toBe(1);
  expect(rows).toEqual([{ count: 1 }]);
  const other = await readProblem(await send({ ...body, message: "Other words" }));
  expect(other).toEqual([422, "message_id_taken", "/messageId"]);
});

test("without a thread a new one is made, and its name told", async () => {
  const response = await send({ message: "Hello" });
  await response.body?.cancel();

  expect(readRun(response).threadId).toMatch(/^[0-9a-f-]{36}$/);
});

test("lines where lines are wanted", async () => {
  const response = await send(
    { message: "Hello" },
    { accept: "application/x-ndjson", "x-request-id": "mine-2" },
  );
  const run = readRun(response);
  const sentEvents = await storeRunEvents(database, { run, bodies: BODIES, end: "error" });

  const lines = (await response.text()).trimEnd().split("\n");

  expect([response.headers.get("content-type"), response.headers.get("x-request-id")]).toEqual([
    "application/x-ndjson; charset=utf-8",
    "mine-2",
  ]);
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    ...sentEvents,
    { type: "end", run: run.runId, status: "error" },
  ]);
});

test("a client that left comes back to what it has not seen", async () => {
  const left = await send({ message: "Hello" });
  const run = readRun(left);
  await left.body?.cancel();
  const sentEvents = await storeRunEvents(database, { run, bodies: BODIES, end: "error" });

  const back = await app.request(`/chat/${run.runId}`, { headers: { "last-event-id": "2" } });
  const whole = await app.request(`/chat/${run.runId}`);

  expect(readRun(back)).toEqual(run);
  const seen = await readSse(back);
  expect(seen.map(({ id }) => id)).toEqual(["3", "4", null]);
  expect((await readSse(whole)).slice(0, -1).map(({ data }) => data)).toEqual(sentEvents);
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
  expect(await readProblem(await send(body))).toEqual([422, code, field]);
  expect((await database.owner.query("select count(*) from inbox")).rows).toEqual(before.rows);
});

test.each([
  ["/chat/no-such-run", {}, 404, "run_not_found"],
  ["/chat/no-such-run", { "last-event-id": "x" }, 422, "invalid_request"],
])("GET %s %j is a problem", async (path, headers, status, code) => {
  const response = await app.request(path, { headers });

  expect((await readProblem(response)).slice(0, 2)).toEqual([status, code]);
});

test("with all streams taken no message is accepted", async () => {
  const limits = { ...parts.settings.limits, streamsPerCaller: 1 };
  const settings = { ...parts.settings, limits };
  const askFew = askWith(createApp(routeParts({ ...parts, settings })));
  const body = { message: "Hello", thread: "kitchen-4" };
  const first = await askFew("POST", "/chat", body);
  const second = await askFew("POST", "/chat", body);
  await first.body?.cancel();
  const third = await askFew("POST", "/chat", body);
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
  const response = await askWith(createApp(streams))("POST", "/chat", { message: "" });
  await response.json();

  expect([response.status, streams.streams.count()]).toEqual([422, 0]);
});
