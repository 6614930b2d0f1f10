import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import { ModelError, type LanguageModel } from "../state/model.ts";
import type { ServerMetrics } from "../server/parts.ts";
import type { TurnConclusion } from "../state/turn-summary.ts";
import type { WatchedEnd, WatchRun } from "./watch-runs.ts";

/** The counts that a connection pool exposes. */
export interface WatchedPool {
  readonly totalCount: number;
  readonly idleCount: number;
  /** Callers that wait for a connection. */
  readonly waitingCount: number;
}

/** The count that a worker exposes. */
export interface WatchedWorker {
  /** Threads that it works on now. */
  busy(): number;
}

/** The metrics of this process, for Prometheus. */
export interface Metrics extends ServerMetrics {
  /** Counts runs by their outcome, and times them. */
  readonly watchRun: WatchRun;
  /** Counts the end of the work on a thread. */
  workEnded(outcome: string): void;
  /** Counts and times the calls of a model. */
  readonly measureModel: (model: LanguageModel) => LanguageModel;
  /** Reports the connections of a pool whenever the metrics are read. */
  watchPool(pool: WatchedPool): void;
  /** Reports the busy slots of a worker whenever the metrics are read, and the number of its slots. */
  watchWorker(worker: WatchedWorker, slots: number): void;
  /** Counts a dead letter. */
  countDeadLetter(): void;
  /** Counts rows that were removed because they were too old. */
  removedRows(kind: string, count: number): void;
}

/** Buckets from unnoticeable to unacceptable, in seconds. */
const REQUEST_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const WAIT_SECONDS = [0.01, 0.025, 0.05, 0.1, 0.15, 0.25, 0.5, 1, 2.5, 5, 15, 60];
const RUN_SECONDS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 40, 60, 120, 300, 900];

/** Makes the counters of a process, in a registry of their own. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const requests = new Counter({
    name: "concierge_http_requests_total",
    help: "Requests answered, by route pattern and status",
    labelNames: ["method", "route", "status"],
    registers,
  });
  const requestSeconds = new Histogram({
    name: "concierge_http_request_seconds",
    help: "Time until a request was answered; for a stream, until it began",
    labelNames: ["method", "route"],
    buckets: REQUEST_SECONDS,
    registers,
  });
  const streams = new Gauge({
    name: "concierge_open_streams",
    help: "Open streams and waiting requests",
    registers,
  });
  const work = new Counter({
    name: "concierge_jobs_total",
    help: "Finished jobs, by the result of the work on their thread",
    labelNames: ["outcome"],
    registers,
  });
  const deadLetters = new Counter({
    name: "concierge_dead_letters_total",
    help: "Jobs that failed for good; the messages of their threads wait",
    registers,
  });
  const removed = new Counter({
    name: "concierge_removed_rows_total",
    help: "Rows removed because they were too old",
    labelNames: ["kind"],
    registers,
  });
  return {
    render: () => registry.metrics(),
    requestEnded({ method, route, status, seconds }) {
      requests.inc({ method, route, status });
      requestSeconds.observe({ method, route }, seconds);
    },
    openStreams: (count) => streams.set(count),
    workEnded: (outcome) => work.inc({ outcome }),
    countDeadLetter: () => deadLetters.inc(),
    removedRows: (kind, count) => removed.inc({ kind }, count),
    watchRun: countRuns(registry),
    measureModel: countCalls(registry),
    watchPool: (pool) => void watchPool(registry, pool),
    watchWorker: (worker, slots) => watchWorker(registry, worker, slots),
  };
}

function countRuns(registry: Registry): WatchRun {
  const registers = [registry];
  const ends = new Counter({
    name: "concierge_runs_total",
    help: "Runs that ended in this process, by outcome and its code; degraded: a node got no answer of its model; failed: no answer could be given; left: another process continues the run",
    labelNames: ["outcome", "code"],
    registers,
  });
  const seconds = new Histogram({
    name: "concierge_run_seconds",
    help: "Time from the start of a run in this process to its end",
    labelNames: ["outcome"],
    buckets: RUN_SECONDS,
    registers,
  });
  const wait = new Histogram({
    name: "concierge_run_wait_seconds",
    help: "Time from the request for a run to its start",
    buckets: WAIT_SECONDS,
    registers,
  });
  const firstEvent = new Histogram({
    name: "concierge_run_first_event_seconds",
    help: "Time from the request for a run to the first event of its nodes",
    buckets: WAIT_SECONDS,
    registers,
  });
  const steps = new Counter({
    name: "concierge_steps_total",
    help: "Steps that ended, by status",
    labelNames: ["status"],
    registers,
  });
  return ({ createdAt, isResumed }) => {
    const began = performance.now();
    // The wait of a resumed run says nothing about the queue.
    const asked = createdAt === null || isResumed ? null : Date.parse(createdAt);
    if (asked !== null) wait.observe(secondsSince(asked));
    let isFirst = asked !== null;
    let end: TurnConclusion | null = null;
    return {
      onEvent(event) {
        const { type } = event;
        if (event.type === "turn-end") end = event;
        if (event.type === "step-end") steps.inc({ status: event.status });
        if (!isFirst || asked === null || type === "turn-start") return;
        isFirst = false;
        firstEvent.observe(secondsSince(asked));
      },
      onEnd(ended) {
        const { outcome, code } = readEnd(ended, end);
        ends.inc({ outcome, code });
        seconds.observe({ outcome }, (performance.now() - began) / 1_000);
      },
    };
  };
}

/** Returns the labels of a run's end: those of its turn where that came to its end. */
function readEnd({ outcome, error }: WatchedEnd, end: TurnConclusion | null) {
  const turn = outcome === "answered" ? end : null;
  return { outcome: turn?.outcome ?? outcome, code: turn?.code ?? error?.code ?? "" };
}

/** The clocks of the database and of this machine may differ a little. */
function secondsSince(time: number): number {
  return Math.max(0, Date.now() - time) / 1_000;
}

function countCalls(registry: Registry): (model: LanguageModel) => LanguageModel {
  const registers = [registry];
  const calls = new Counter({
    name: "concierge_model_calls_total",
    help: "Model calls, by role and outcome: ok, or the error's code",
    labelNames: ["model", "role", "outcome"],
    registers,
  });
  const seconds = new Histogram({
    name: "concierge_model_call_seconds",
    help: "Duration of a model call",
    labelNames: ["model", "role"],
    buckets: RUN_SECONDS,
    registers,
  });
  const tokens = new Counter({
    name: "concierge_model_tokens_total",
    help: "Tokens of model calls; cached is part of input",
    labelNames: ["model", "role", "kind"],
    registers,
  });
  return (model) => ({
    ...model,
    async complete(request) {
      const of = { model: model.name, role: request.role };
      const stop = seconds.startTimer(of);
      try {
        const answer = await model.complete(request);
        calls.inc({ ...of, outcome: "ok" });
        for (const [kind, count] of Object.entries(answer.usage))
          tokens.inc({ ...of, kind }, count);
        return answer;
      } catch (error) {
        calls.inc({ ...of, outcome: error instanceof ModelError ? error.code : "error" });
        throw error;
      } finally {
        stop();
      }
    },
  });
}

function watchPool(registry: Registry, pool: WatchedPool): Gauge<"state"> {
  return new Gauge({
    name: "concierge_pool_connections",
    help: "Database connections, and callers that wait for one",
    labelNames: ["state"],
    registers: [registry],
    collect() {
      this.set({ state: "idle" }, pool.idleCount);
      this.set({ state: "busy" }, pool.totalCount - pool.idleCount);
      this.set({ state: "waiting" }, pool.waitingCount);
    },
  });
}

function watchWorker(registry: Registry, worker: WatchedWorker, slots: number): void {
  const registers = [registry];
  const busy = new Gauge({
    name: "concierge_worker_busy",
    help: "Threads that the worker processes now",
    registers,
    collect() {
      this.set(worker.busy());
    },
  });
  const most = new Gauge({
    name: "concierge_worker_slots",
    help: "Threads that the worker can process at once",
    registers,
  });
  busy.set(worker.busy());
  most.set(slots);
}
