import { randomUUID } from "node:crypto";
import { SpanKind, SpanStatusCode } from "@opentelemetry/api";
import { expect, test } from "vitest";
import { createTurnDriver } from "../../driver/turn-driver.ts";
import { createApp } from "../../server/app.ts";
import { DEFAULT_LIMITS } from "../../state/limits.ts";
import { createConversationStore } from "../../storage/conversations/conversation-store.ts";
import { createTracing } from "../../telemetry/tracing.ts";
import { watchThreads } from "../../telemetry/watch-runs.ts";
import { startWorker } from "../../worker/worker.ts";
import { readAttributes, recordProcess, buildTree } from "../support/recorded-spans.ts";
import { askWith, openTestApp, routeParts, type TestServerParts } from "../support/server-parts.ts";

const { database, parts } = await openTestApp();

const CALLER = { traceId: "4bf92f3577b34da6a3ce929d0e0e4736", spanId: "00f067aa0ba902b7" };
const TRACEPARENT = `00-${CALLER.traceId}-${CALLER.spanId}-01`;

/** A worker as `npm start` has one, watched. */
function startWatched(serverParts: TestServerParts) {
  const { pool, notifications, jobs, log, graph, checkpointer, noted } = serverParts;
  const driver = createTurnDriver({
    graph,
    store: createConversationStore(pool, checkpointer, { heartbeats: database.heartbeats }),
    limits: DEFAULT_LIMITS,
    now: () => new Date(),
    newId: randomUUID,
  });
  return startWorker({
    pool,
    notifications,
    jobs,
    log,
    driver: watchThreads(driver, { runs: [createTracing().watchRun] }),
    newId: randomUUID,
    onFailure: (error) => void noted.errors.push(error),
  });
}

test("a request is a span named after its route, in the trace that its caller names", async () => {
  const { spans } = recordProcess();
  const app = createApp(routeParts(parts));

  await app.request("/threads/a-thread-of-mine?secret=1", {
    headers: { traceparent: TRACEPARENT, "x-request-id": "request-1" },
  });

  expect(spans()).toMatchObject([
    {
      name: "GET /threads/:thread_id",
      kind: SpanKind.SERVER,
      status: { code: SpanStatusCode.UNSET },
      parentSpanContext: { ...CALLER, isRemote: true },
    },
  ]);
  expect(spans()[0]?.attributes).toEqual({
    "http.request.method": "GET",
    "http.route": "/threads/:thread_id",
    "http.response.status_code": 404,
    "url.scheme": "http",
    "concierge.request.id": "request-1",
  });
});

test("a request of no route is named after its method, and an unknown method after none", async () => {
  const { spans } = recordProcess();
  const app = createApp(routeParts(parts));

  await app.request("/nowhere");
  await app.request("/nowhere", { method: "BREW" });

  expect(spans().map(({ name, attributes }) => [name, attributes["http.request.method"]])).toEqual([
    ["GET", "GET"],
    ["HTTP", "_OTHER"],
  ]);
});

test("a request that the server fails at is an error by its code alone", async () => {
  const { spans } = recordProcess();
  const app = createApp(routeParts(parts), { stopping: AbortSignal.abort() });

  await app.request("/ok");

  expect(spans()).toMatchObject([
    {
      status: { code: SpanStatusCode.ERROR },
      attributes: { "http.response.status_code": 503, "error.type": "stopping" },
      events: [],
    },
  ]);
});

test("a run that another process works off is in the trace of the request that asked for it", async () => {
  const { spans } = recordProcess();
  const app = createApp(routeParts(parts));
  const worker = startWatched(parts);
  const input = "what's in my fridge?";
  const body = { assistant_id: "concierge", if_not_exists: "create", input };

  const answer = await askWith(app)("POST", "/threads/traced/runs/wait", body);
  await answer.text();
  await worker.stop();

  expect(answer.status).toBe(200);
  expect(buildTree(spans())).toEqual([
    {
      name: "POST /threads/:thread_id/runs/wait",
      under: [{ name: "invoke_agent concierge", under: expect.any(Array) }],
    },
  ]);
  const recorded = JSON.stringify(
    spans().map((span) => [span.name, readAttributes(span), span.events]),
  );
  expect(recorded).not.toContain("fridge");
  expect(parts.noted.errors).toEqual([]);
});

test("a run carries no name of a span when nobody records", async () => {
  const app = createApp(routeParts(parts));

  const body = { assistant_id: "concierge", if_not_exists: "create", input: "hello" };
  const headers = { traceparent: TRACEPARENT };
  const answer = await askWith(app)("POST", "/threads/untraced/runs", body, headers);

  const { kwargs } = (await answer.json()) as { readonly kwargs: object };
  expect(Object.keys(kwargs)).toEqual(["context", "stream_mode", "stream_subgraphs"]);
});
