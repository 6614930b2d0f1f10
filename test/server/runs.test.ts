import { describe, expect, test } from "vitest";
import { ownThreadId } from "../../server/runs/own-thread-id.ts";
import { asUser } from "../../storage/users/user-data.ts";
import { deleteThread } from "../../storage/conversations/delete-thread.ts";
import {
  countAttempt,
  enqueueMessage,
  finishMessage,
  nextMessage,
} from "../../storage/conversations/inbox.ts";
import { acquireLease, releaseLease } from "../../storage/conversations/leases.ts";
import { finishRun, startRun } from "../../storage/runs/runs.ts";
import { removeTemporaryThreads } from "../../storage/conversations/temporary-threads.ts";
import { readSse } from "../support/read-sse.ts";
import { openTestApp, readProblem } from "../support/server-parts.ts";
import { storeRunEvents } from "../support/store-run-events.ts";
import { untilOneWaits } from "../support/until-one-waits.ts";
import { replyEvent } from "../support/replies.ts";

// Without a worker: runs stay as the requests make them.

const { database, parts, app, ask } = await openTestApp({
  poolSize: 20,
  limits: { runsPerMinute: 10_000, requestsPerMinute: 10_000 },
});
let count = 0;

async function send(
  path: string,
  body: object = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return ask("POST", path, body, headers);
}

async function newThread(): Promise<string> {
  count += 1;
  const threadId = `thread-${count}`;
  const response = await send("/threads", { thread_id: threadId });
  expect(response.status).toBe(200);
  return threadId;
}

interface Run {
  readonly run_id: string;
  readonly status: string;
}

function asked(body: object = {}) {
  return { assistant_id: "concierge", input: "Hello", ...body };
}

async function begin(threadId: string, body: object = {}, headers = {}): Promise<Response> {
  return send(`/threads/${threadId}/runs`, asked(body), headers);
}

async function run(threadId: string, body: object = {}): Promise<Run> {
  const response = await begin(threadId, body);
  expect(response.status).toBe(200);
  return (await response.json()) as Run;
}

async function statuses(threadId: string): Promise<string[]> {
  const response = await app.request(`/threads/${threadId}/runs?limit=100`);
  return ((await response.json()) as Run[]).map(({ status }) => status).toReversed();
}

/** Both ways of cancelling are taken, and the thread's only run goes on to wait. */
async function expectUncancelled(threadId: string, runId: string): Promise<void> {
  for (const action of ["interrupt", "rollback"]) {
    const path = `/threads/${threadId}/runs/${runId}/cancel?action=${action}`;
    const answer = await app.request(path, { method: "POST" });
    expect([answer.status, await statuses(threadId)]).toEqual([202, ["pending"]]);
  }
}

async function readStatus(threadId: string): Promise<string> {
  const response = await app.request(`/threads/${threadId}`);
  return ((await response.json()) as { status: string }).status;
}

async function inbox(threadId: string): Promise<unknown[]> {
  const { rows } = await database.owner.query(
    "select text, outcome from inbox where thread_id = $1 order by seq",
    [threadId],
  );
  return rows;
}

describe("POST /threads/{thread_id}/runs", () => {
  test("stores message, run and job at once", async () => {
    const threadId = await newThread();
    const response = await begin(threadId, {
      context: { today: "2026-02-03" },
      metadata: { a: 1 },
    });
    const made = (await response.json()) as Run;
    expect(made).toMatchObject({
      thread_id: threadId,
      status: "pending",
      multitask_strategy: "enqueue",
      metadata: { a: 1 },
      kwargs: { stream_mode: ["values"], context: { today: "2026-02-03" } },
    });
    expect(response.headers.get("content-location")).toBe(
      `/threads/${threadId}/runs/${made.run_id}`,
    );
    const { rows } = await database.owner.query(
      "select text, run from inbox where thread_id = $1",
      [threadId],
    );
    expect(rows).toEqual([
      {
        text: "Hello",
        run: {
          runId: made.run_id,
          threadId,
          userId: "demo",
          today: "2026-02-03",
          timeZone: "UTC",
          locale: "en",
        },
      },
    ]);
    const jobs = await parts.jobs.fetch(100);
    expect(jobs.map((job) => job.threadId)).toContain(threadId);
  });

  test("of many that want to be alone one is", async () => {
    const threadId = await newThread();
    const responses = await Promise.all(
      Array.from({ length: 15 }, () => begin(threadId, { multitask_strategy: "reject" })),
    );
    const taken = responses.map(({ status }) => status).filter((status) => status !== 409);
    expect(taken).toEqual([200]);
    expect(await statuses(threadId)).toEqual(["pending"]);
    expect(await inbox(threadId)).toEqual([{ text: "Hello", outcome: null }]);
  });

  test("one that wants to be alone is told of a turn that the terminal runs", async () => {
    const threadId = await newThread();
    await asUser(database.pool, { userId: "demo" }, (tx) =>
      enqueueMessage(tx, { threadId, messageId: "typed", text: "Typed", run: {} }),
    );
    const terminal = { threadId, owner: "terminal" };
    const lease = await acquireLease(database.pool, { ...terminal, ttlMs: 600_000 });
    const alone = { multitask_strategy: "reject" };
    const busy = [409, "thread_busy", "/multitask_strategy"];
    expect(await readProblem(await begin(threadId, alone))).toEqual(busy);
    expect(await readProblem(await begin(threadId, { ...alone, input: null }))).toEqual(busy);
    expect(await inbox(threadId)).toEqual([{ text: "Typed", outcome: null }]);
    expect(await readStatus(threadId)).toBe("busy");
    // Where it has failed nobody is at it: its message waits for the next run.
    await releaseLease(database.pool, { ...terminal, fence: lease?.fence ?? 0 });
    expect((await begin(threadId, alone)).status).toBe(200);
  });

  test("one that is sent again into no thread is found by its key, by its user alone", async () => {
    const key = { "idempotency-key": "once" };
    const ways = [
      ["/runs", asked({ on_completion: "keep" })],
      ["/runs/stream", asked({ on_completion: "keep" })],
      ["/chat", { message: "Hello", messageId: "another" }],
    ] as const;
    const answers = await Promise.all(
      [...ways, ...ways].map(async ([path, body]) => {
        const answer = await send(path, body, key);
        void answer.body?.cancel();
        return answer.headers.get("x-run-id") ?? answer.headers.get("content-location");
      }),
    );
    // A thread that was made to stay stays.
    expect((await send("/runs", asked(), key)).status).toBe(200);
    const { rows } = await database.owner.query<{ runId: string; remove_at: null }>(
      `select run_id as "runId", remove_at from runs join threads using (thread_id)
        where message_id = 'once'`,
    );
    expect(rows).toEqual([{ runId: expect.any(String), remove_at: null }]);
    const { runId = "" } = rows[0] ?? {};
    expect(answers.filter((answer) => answer?.includes(runId) === true)).toHaveLength(6);
    expect(ownThreadId(parts, "ann", "once")).not.toBe(ownThreadId(parts, "bob", "once"));
  });

  test("one that the terminal has begun is not taken out of its hands", async () => {
    const threadId = await newThread();
    const { run_id: runId } = await run(threadId);
    await acquireLease(database.pool, { threadId, owner: "terminal", ttlMs: 600_000 });
    await asUser(database.pool, { userId: "demo" }, async (tx) => {
      const { messageId } = (await nextMessage(tx, threadId)) ?? { messageId: "" };
      await countAttempt(tx, { threadId, messageId, from: "", uncounted: 0 });
    });
    await expectUncancelled(threadId, runId);
    expect((await begin(threadId, { multitask_strategy: "rollback" })).status).toBe(200);
    expect(await statuses(threadId)).toEqual(["pending", "pending"]);
    expect(await inbox(threadId)).toEqual([
      { text: "Hello", outcome: null },
      { text: "Hello", outcome: null },
    ]);
  });

  test("one that the terminal has just answered is not taken back", async () => {
    const threadId = await newThread();
    const { run_id: runId } = await run(threadId);
    await asUser(database.pool, { userId: "demo" }, async (tx) => {
      const { messageId } = (await nextMessage(tx, threadId)) ?? { messageId: "" };
      await finishMessage(tx, { threadId, messageId, outcome: "answered", turn: 1 });
    });
    await expectUncancelled(threadId, runId);
    expect(await inbox(threadId)).toEqual([{ text: "Hello", outcome: "answered" }]);
  });

  test("one in a thread that is deleted meanwhile is refused, and the thread stays gone", async () => {
    const threadId = await newThread();
    const [isDeleted, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const deletion = asUser(database.pool, { userId: "demo" }, async (tx) => {
      await deleteThread(tx, threadId);
      isDeleted.resolve();
      await mayEnd.promise;
    });
    await isDeleted.promise;
    const begun = begin(threadId, {});
    await untilOneWaits(database.owner);
    mayEnd.resolve();
    await deletion;
    expect(await readProblem(await begun)).toEqual([404, "thread_not_found", undefined]);
    expect((await app.request(`/threads/${threadId}`)).status).toBe(404);
  });

  test("one that wants to be alone may follow a run whose worker has not let go yet", async () => {
    const threadId = await newThread();
    const first = await run(threadId);
    await acquireLease(database.pool, { threadId, owner: "worker", ttlMs: 600_000 });
    await asUser(database.pool, { userId: "demo" }, (tx) =>
      finishRun(tx, { runId: first.run_id, status: "success" }),
    );
    expect((await begin(threadId, { multitask_strategy: "reject" })).status).toBe(200);
  });

  test("one that is at work keeps its thread, and itself, from being deleted or changed", async () => {
    const threadId = await newThread();
    const { run_id: runId } = await run(threadId);
    await asUser(database.pool, { userId: "demo" }, (tx) => startRun(tx, runId));
    const alone = await begin(threadId, { multitask_strategy: "reject" });
    const changed = await send(`/threads/${threadId}/state`, { values: { pending: null } });
    const deleted = await app.request(`/threads/${threadId}`, { method: "DELETE" });
    const path = `/threads/${threadId}/runs/${runId}`;
    const runDeleted = await app.request(path, { method: "DELETE" });
    const answers = [alone, changed, deleted, runDeleted];
    expect(answers.map(({ status }) => status)).toEqual([409, 409, 409, 409]);
    expect(await statuses(threadId)).toEqual(["running"]);
  });

  test("of many that interrupt the last one goes on", async () => {
    const threadId = await newThread();
    await Promise.all(
      Array.from({ length: 15 }, () => begin(threadId, { multitask_strategy: "interrupt" })),
    );
    expect(await statuses(threadId)).toEqual([
      ...Array.from({ length: 14 }, () => "interrupted"),
      "pending",
    ]);
    expect(
      (await inbox(threadId)).filter((row) => JSON.stringify(row).includes("stopped")),
    ).toHaveLength(14);
  });

  test("of many that take others back one is left", async () => {
    const threadId = await newThread();
    await Promise.all(
      Array.from({ length: 15 }, () => begin(threadId, { multitask_strategy: "rollback" })),
    );
    expect(await statuses(threadId)).toEqual(["pending"]);
  });

  test("a running one is told to end, not ended", async () => {
    const threadId = await newThread();
    const first = await run(threadId);
    await asUser(database.pool, { userId: "demo" }, (tx) => startRun(tx, first.run_id));
    await run(threadId, { multitask_strategy: "interrupt" });
    expect(await statuses(threadId)).toEqual(["running", "pending"]);
    const answer = await app.request(`/threads/${threadId}/runs/${first.run_id}`);
    expect(await answer.json()).toMatchObject({ status: "running", cancel_reason: "interrupt" });
  });

  test("a message that is sent again, however often, is one", async () => {
    const threadId = await newThread();
    const key = { "idempotency-key": "key-1" };
    const all = await Promise.all(Array.from({ length: 10 }, () => begin(threadId, {}, key)));
    const ids = await Promise.all(all.map(async (one) => ((await one.json()) as Run).run_id));
    expect(new Set(ids).size).toBe(1);
    expect(await inbox(threadId)).toHaveLength(1);
    // Also one that would have to be alone.
    const again = await begin(threadId, { multitask_strategy: "reject" }, key);
    expect(((await again.json()) as Run).run_id).toBe(ids[0]);
    // Other words are another message: they are not passed over in silence.
    const other = await begin(threadId, { input: "Bye" }, key);
    expect(await readProblem(other)).toEqual([422, "message_id_taken", "/Idempotency-Key"]);
    expect(await inbox(threadId)).toHaveLength(1);
    const named = { messages: [{ type: "human", id: "key-1", content: "Bye" }] };
    const taken = await readProblem(await begin(threadId, { input: named }));
    expect(taken).toEqual([422, "message_id_taken", "/input/messages/0/id"]);
    const cancel = await send(`/threads/${threadId}/runs/${ids[0]}/cancel?action=rollback`);
    expect(cancel.status).toBe(202);
    const late = await readProblem(await begin(threadId, {}, key));
    expect(late).toEqual([409, "run_exists", "/Idempotency-Key"]);
  });

  test("a message that is sent again is one also where its thread comes to be with it", async () => {
    const thread = { if_not_exists: "create", multitask_strategy: "reject" };
    const headers = { "idempotency-key": "first" };
    const all = await Promise.all(
      Array.from({ length: 10 }, () => begin("made-with-it", thread, headers)),
    );
    const ids = await Promise.all(all.map(async (one) => ((await one.json()) as Run).run_id));
    expect(new Set(ids).size).toBe(1);
    expect(await inbox("made-with-it")).toHaveLength(1);
    const made = await app.request("/threads/made-with-it");
    expect(await made.json()).toMatchObject({ metadata: { graph_id: "concierge" } });
    const { rows } = await database.owner.query(
      "select data ->> 'threadId' as thread from concierge_jobs.job where data ->> 'threadId' = $1",
      ["made-with-it"],
    );
    expect(rows).toEqual([{ thread: "made-with-it" }]);
  });

  test("goes on with what failed, or says that it is under way", async () => {
    const threadId = await newThread();
    const nothing = [409, "nothing_to_resume", "/input"];
    expect(await readProblem(await begin(threadId, { input: null }))).toEqual(nothing);
    expect(await readProblem(await send("/runs/wait", asked({ input: null })))).toEqual(nothing);
    const failed = await run(threadId);
    expect(await run(threadId, { input: null })).toMatchObject({ run_id: failed.run_id });
    expect(
      await readProblem(await begin(threadId, { input: null, multitask_strategy: "reject" })),
    ).toEqual([409, "thread_busy", "/multitask_strategy"]);

    await asUser(database.pool, { userId: "demo" }, (tx) =>
      finishRun(tx, {
        runId: failed.run_id,
        status: "error",
        error: { code: "internal", message: "Broken" },
      }),
    );
    const again = await run(threadId, { input: null });
    expect(again).toMatchObject({ status: "pending", metadata: { retryOf: failed.run_id } });
    expect(await inbox(threadId)).toEqual([{ text: "Hello", outcome: null }]);
  });

  test.each<[string, object, [number, string, string | undefined]]>([
    ["one that is too long", { input: "x".repeat(32_001) }, [422, "message_too_long", "/input"]],
    ["an unknown mode", { stream_mode: "all" }, [422, "invalid_request", "/stream_mode"]],
  ])("refuses %s and changes nothing", async (_, body, expected) => {
    const threadId = await newThread();
    expect(await readProblem(await begin(threadId, body))).toEqual(expected);
    expect(await readProblem(await send(`/threads/${threadId}/runs/stream`, asked(body)))).toEqual(
      expected,
    );
    expect([await statuses(threadId), await inbox(threadId)]).toEqual([[], []]);
  });

  test("refuses ids that are none, and threads that are not there", async () => {
    expect(await readProblem(await begin("nowhere"))).toEqual([404, "thread_not_found", undefined]);
    expect(await readProblem(await begin("a%00b"))).toEqual([422, "invalid_request", "/thread_id"]);
    const create = { if_not_exists: "create" };
    const wrong = await readProblem(await begin("a%20b", create));
    expect(wrong).toEqual([422, "invalid_request", "/thread_id"]);
    const { rows } = await database.owner.query(
      "select from threads where thread_id in ('nowhere', 'a b')",
    );
    expect(rows).toEqual([]);
    const headers = { "idempotency-key": "x".repeat(256) };
    const refused = await readProblem(await begin(await newThread(), {}, headers));
    expect(refused).toEqual([422, "invalid_request", "/idempotency-key"]);
  });
});

async function follow(threadId: string, runId: string, lastEventId?: string, query = "") {
  return app.request(`/threads/${threadId}/runs/${runId}/stream${query}`, {
    headers: lastEventId === undefined ? {} : { "last-event-id": lastEventId },
  });
}

async function endedRun(): Promise<{ threadId: string; runId: string }> {
  const threadId = await newThread();
  const { run_id: runId } = await run(threadId, { stream_mode: "custom" });
  await storeRunEvents(database, {
    run: { runId, threadId, userId: "demo" },
    bodies: [
      { type: "turn-start", messageId: "m", message: "Hello" },
      { type: "text-delta", reply: "reply_r1_1", text: "Good " },
      { type: "text-delta", reply: "reply_r1_1", text: "day" },
      replyEvent("Good day"),
    ],
    end: "success",
  });
  return { threadId, runId };
}

describe("GET /threads/{thread_id}/runs/{run_id}/stream", () => {
  test("tells parts that add up also to a client that comes back in between", async () => {
    const { threadId, runId } = await endedRun();
    const events = await readSse(await follow(threadId, runId, "2", "?stream_mode=messages"));
    expect(events.map(({ event, id }) => [event, id])).toEqual([
      ["messages/partial", "3"],
      ["messages/complete", "4"],
      ["end", null],
    ]);
    expect(events[0]?.data).toMatchObject([{ content: "Good day" }]);
  });

  test.each([
    ["-1", ["metadata", "custom", "custom", "custom", "custom", "end"]],
    ["3", ["custom", "end"]],
    ["4", ["end"]],
  ])("goes on after event %s", async (lastEventId, names) => {
    const { threadId, runId } = await endedRun();
    const events = await readSse(await follow(threadId, runId, lastEventId));
    expect(events.map(({ event }) => event)).toEqual(names);
  });

  test.each(["5", "x", "-2", "1.5", "1e3", "9999999999"])(
    "refuses the id %j, which no event of it has",
    async (lastEventId) => {
      const { threadId, runId } = await endedRun();
      const response = await follow(threadId, runId, lastEventId);
      expect(await readProblem(response)).toEqual([422, "invalid_request", "/Last-Event-ID"]);
    },
  );

  test("says that events are kept no more", async () => {
    const { threadId, runId } = await endedRun();
    await database.owner.query("delete from run_events where run_id = $1", [runId]);
    for (const seen of ["2", undefined]) {
      expect((await readProblem(await follow(threadId, runId, seen)))[1]).toBe("events_gone");
    }
    const joined = await app.request(`/threads/${threadId}/runs/${runId}/join`);
    expect([joined.status, await joined.json()]).toEqual([200, {}]);
  });

  test("knows runs in their own threads only, and in none by their id", async () => {
    const { runId } = await endedRun();
    const other = await newThread();
    expect(await readProblem(await follow(other, runId))).toEqual([
      404,
      "run_not_found",
      undefined,
    ]);
    expect((await app.request(`/runs/${runId}/stream`)).status).toBe(200);
    expect((await app.request(`/runs/${runId}x/stream`)).status).toBe(404);
  });

  test("refuses unknown modes with the list of those that there are", async () => {
    const { threadId, runId } = await endedRun();
    const response = await follow(threadId, runId, undefined, "?stream_mode=custom&stream_mode=x");
    const problem = (await response.json()) as { detail: string; field: string };
    expect([response.status, problem.field]).toEqual([422, "/stream_mode/1"]);
    expect(problem.detail).toContain("messages-tuple");
  });
});

describe("POST /runs/cancel", () => {
  test("cancels what is named, wherever it waits", async () => {
    const [one, two] = [await newThread(), await newThread()];
    const first = await run(one);
    await run(two);
    const named = await send("/runs/cancel", { thread_id: one, run_ids: [first.run_id] });
    expect(named.status).toBe(204);
    expect([await statuses(one), await statuses(two)]).toEqual([["interrupted"], ["pending"]]);
    expect((await send("/runs/cancel", { status: "pending" })).status).toBe(204);
    expect(await statuses(two)).toEqual(["interrupted"]);
  });

  test("cancels nothing where one of them is not there", async () => {
    const threadId = await newThread();
    const { run_id: id } = await run(threadId);
    const body = { thread_id: threadId, run_ids: [id, "nothing"] };
    const answers = [await send("/runs/cancel", body), await send("/runs/cancel", {})];
    expect(await Promise.all(answers.map(readProblem))).toEqual([
      [404, "run_not_found", undefined],
      [422, "invalid_request", "/run_ids"],
    ]);
    expect(await statuses(threadId)).toEqual(["pending"]);
  });
});

describe("a run without a thread", () => {
  test("has one of its own, which goes after the run's end where it is not to be kept", async () => {
    const begun = await Promise.all(
      [asked(), asked({ on_completion: "keep" })].map((body) => send("/runs", body)),
    );
    const [own, kept] = await Promise.all(
      begun.map(async (response) => (await response.json()) as Run & { thread_id: string }),
    );
    const readStatus = async (run: typeof own) =>
      (await app.request(`/threads/${run?.thread_id}`)).status;
    for (const run of [own, kept]) {
      const ids = { runId: run?.run_id ?? "", threadId: run?.thread_id ?? "", userId: "demo" };
      await storeRunEvents(database, { run: ids, bodies: [], end: "success" });
    }
    expect(await removeTemporaryThreads(database.pool, 60)).toBe(0);
    expect([await readStatus(own), await readStatus(kept)]).toEqual([200, 200]);
    await database.owner.query("update runs set finished_at = finished_at - interval '61 seconds'");
    await database.owner.query("update threads set remove_at = remove_at - interval '61 seconds'");
    // By whichever process looks: none has to remember the thread.
    expect(await removeTemporaryThreads(database.pool, 60)).toBe(1);
    expect([await readStatus(own), await readStatus(kept)]).toEqual([404, 200]);
  });

  test("is streamed with where to come back to", async () => {
    const response = await send("/runs/stream", asked({ stream_mode: ["custom", "messages"] }));
    await response.body?.cancel();
    const [threadId, runId] = ["x-thread-id", "x-run-id"].map((name) => response.headers.get(name));
    expect(response.headers.get("content-location")).toBe(`/threads/${threadId}/runs/${runId}`);
    const location = response.headers.get("location") ?? "";
    expect(location).toBe(
      `/threads/${threadId}/runs/${runId}/stream?stream_mode=custom&stream_mode=messages`,
    );
    const run = { runId: runId ?? "", threadId: threadId ?? "", userId: "demo" };
    const bodies = [{ type: "turn-start", messageId: "m", message: "Hello" }] as const;
    await storeRunEvents(database, { run, bodies, end: "success" });
    const events = await readSse(await app.request(location));
    expect(events.map(({ event }) => event)).toEqual([
      "metadata",
      "custom",
      "messages/complete",
      "end",
    ]);
  });
});

test("nothing unforeseen has happened", () => {
  expect(parts.noted.errors).toEqual([]);
});
