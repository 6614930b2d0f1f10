import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import type { TurnEvent } from "../../state/event.ts";
import { ModelError } from "../../state/model.ts";
import { createMetrics, type Metrics } from "../../telemetry/metrics.ts";
import { modelRequest } from "../support/model-requests.ts";
import { scriptedModel } from "../support/scripted-model.ts";

/** The program's own counters but for buckets and sums of time, one a line. */
async function counted(metrics: Metrics): Promise<string[]> {
  const text = await metrics.render();
  return text
    .split("\n")
    .filter((line) => line.startsWith("concierge_"))
    .filter((line) => !/_bucket\{|_seconds_sum/.test(line));
}

const STAMP = { thread: "t", turn: 1, run: "r", seq: 1, time: "2026-01-12T09:00:00.000Z" };

function event(type: "turn-start" | "node-start"): TurnEvent {
  return type === "turn-start"
    ? { ...STAMP, type, messageId: "m", message: "hello" }
    : { ...STAMP, type, node: "intake" };
}

const REQUEST = modelRequest();

test("createMetrics() counts requests by their pattern, and open streams", async () => {
  const metrics = createMetrics();

  metrics.requestEnded({ method: "GET", route: "/threads/{id}", status: 404, seconds: 0.02 });
  metrics.requestEnded({ method: "GET", route: "/threads/{id}", status: 404, seconds: 0.02 });
  metrics.openStreams(3);
  metrics.openStreams(2);

  expect(await counted(metrics)).toEqual([
    'concierge_http_requests_total{method="GET",route="/threads/{id}",status="404"} 2',
    'concierge_http_request_seconds_count{method="GET",route="/threads/{id}"} 2',
    "concierge_open_streams 2",
    "concierge_dead_letters_total 0",
    "concierge_run_wait_seconds_count 0",
    "concierge_run_first_event_seconds_count 0",
  ]);
});

test("createMetrics() counts runs by their end, with their wait and first event once", async () => {
  const metrics = createMetrics();
  const asked = { runId: "r", messageId: "m", text: "hello", traceparent: null };
  const run = { threadId: "t", userId: "u", ...asked };
  const createdAt = new Date(Date.now() - 2_000).toISOString();

  const first = metrics.watchRun({ ...run, createdAt, isResumed: false });
  first.onEvent(event("turn-start"));
  first.onEvent(event("node-start"));
  first.onEvent(event("node-start"));
  first.onEnd({ outcome: "left" });
  const second = metrics.watchRun({ ...run, createdAt, isResumed: true });
  second.onEvent(event("node-start"));
  second.onEvent({
    ...STAMP,
    type: "step-end",
    index: 0,
    status: "partial",
    outcome: "",
    refs: [],
    warnings: [],
  });
  second.onEnd({ outcome: "answered" });
  metrics.workEnded("processed");

  expect(await counted(metrics)).toEqual([
    "concierge_open_streams 0",
    'concierge_jobs_total{outcome="processed"} 1',
    "concierge_dead_letters_total 0",
    'concierge_runs_total{outcome="left",code=""} 1',
    'concierge_runs_total{outcome="answered",code=""} 1',
    'concierge_run_seconds_count{outcome="left"} 1',
    'concierge_run_seconds_count{outcome="answered"} 1',
    "concierge_run_wait_seconds_count 1",
    "concierge_run_first_event_seconds_count 1",
    'concierge_steps_total{status="partial"} 1',
  ]);
  const waits = await metrics.render();
  expect(waits).toContain('concierge_run_wait_seconds_bucket{le="1"} 0');
  expect(waits).toContain('concierge_run_wait_seconds_bucket{le="5"} 1');
});

test("createMetrics() counts a model's calls and tokens, and lets its errors through", async () => {
  const metrics = createMetrics();
  const script = scriptedModel([
    { text: "yes", usage: { input: 10, cached: 4, output: 2 } },
    new ModelError("model_timeout", "Cannot wait"),
  ]);
  const model = metrics.measureModel(script);

  await model.complete(REQUEST);
  await expect(model.complete(REQUEST)).rejects.toThrow("Cannot wait");

  expect(model.name).toBe("scripted");
  const of = 'model="scripted",role="think"';
  expect((await counted(metrics)).filter((line) => line.startsWith("concierge_model"))).toEqual([
    `concierge_model_calls_total{${of},outcome="ok"} 1`,
    `concierge_model_calls_total{${of},outcome="model_timeout"} 1`,
    `concierge_model_call_seconds_count{${of}} 2`,
    `concierge_model_tokens_total{${of},kind="input"} 10`,
    `concierge_model_tokens_total{${of},kind="cached"} 4`,
    `concierge_model_tokens_total{${of},kind="output"} 2`,
  ]);
});

test("createMetrics() asks pool and worker whenever it is asked", async () => {
  const metrics = createMetrics();
  let busy = 1;
  metrics.watchPool({ totalCount: 10, idleCount: 4, waitingCount: 2 });
  metrics.watchWorker({ busy: () => busy }, 16);
  metrics.removedRows("events", 12);
  metrics.countDeadLetter();
  busy = 3;

  const lines = await counted(metrics);

  expect(lines).toEqual(
    expect.arrayContaining([
      'concierge_pool_connections{state="idle"} 4',
      'concierge_pool_connections{state="busy"} 6',
      'concierge_pool_connections{state="waiting"} 2',
      "concierge_worker_busy 3",
      "concierge_worker_slots 16",
      'concierge_removed_rows_total{kind="events"} 12',
      "concierge_dead_letters_total 1",
    ]),
  );
});

test("createMetrics() tells of the process: memory, and how late its event loop is", async () => {
  const text = await createMetrics().render();

  expect(text).toContain("process_resident_memory_bytes");
  expect(text).toContain("nodejs_eventloop_lag_p99_seconds");
});

test("docs/operating.md names every metric of the program's own, and no other", async () => {
  const metrics = createMetrics();
  metrics.watchPool({ totalCount: 0, idleCount: 0, waitingCount: 0 });
  metrics.watchWorker({ busy: () => 0 }, 1);
  const page = await readFile(new URL("../../docs/operating.md", import.meta.url), "utf8");

  const kept = (await metrics.render()).matchAll(/^# TYPE (concierge_\w+)/gmu);
  const documented = page.matchAll(/`(concierge_\w+?)(?:\{[^}]*\})?`/gu);

  const names = [...kept].map(([, name]) => name);
  const others = ["concierge_app", "concierge_admin", "concierge_jobs"];
  expect(new Set([...documented].map(([, name]) => name))).toEqual(new Set([...names, ...others]));
});
