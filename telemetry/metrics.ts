import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import { ModelError, type LanguageModel } from "../state/model.ts";
import type { ServerMetrics } from "../server/parts.ts";
import type { WatchRun } from "./watch-runs.ts";

/** The counts that a connection pool exposes. */
export interface WatchedPool {
  readonly totalCount: number;
  readonly idleCount: number;
  /** Callers that wait for a connection. */
  readonly waitingCount: number;
}

/** The metrics of this process, for Prometheus. */
export interface Metrics extends ServerMetrics {
  /** Counts runs by their end, and times them. */
  readonly watchRun: WatchRun;
  /** The work on a thread ended, in one of a few ways. */
  workEnded(outcome: string): void;
  /** Counts and times what is asked of a model. */
  readonly measureModel: (model: LanguageModel) => LanguageModel;
  /** Tells how many connections a pool has whenever it is asked. */
  watchPool(pool: WatchedPool): void;
  /** Tells how many threads a worker works on whenever it is asked, and how many it could. */
  watchWorker(worker: { busy(): number }, slots: number): void;
  /** A job was tried too often and is tried no more. */
  jobDied(): void;
  /** Rows went because they were too old. */
  removedRows(kind: string, count: number): void;
}

/** From what is not noticed to what nobody waits for, in seconds. */
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
    help: "Until a request was answered; of a stream, until it began",
    labelNames: ["method", "route"],
    buckets: REQUEST_SECONDS,
    registers,
  });
  const streams = new Gauge({
    name: "concierge_open_streams",
    help: "Streams and waits that are open",
    registers,
  });
  const work = new Counter({
    name: "concierge_jobs_total",
    help: "Jobs done, by how the work on their thread ended",
    labelNames: ["outcome"],
    registers,
  });
  const dead = new Counter({
    name: "concierge_dead_jobs_total",
    help: "Jobs that were tried too often; the messages of their threads wait",
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
    jobDied: () => dead.inc(),
    removedRows: (kind, count) => removed.inc({ kind }, count),
    watchRun: countRuns(registry),
    measureModel: countCalls(registry),
    watchPool: (pool) => void watchPool(registry, pool),
    watchWorker: (worker, slots) => watchWorker(registry, { worker, slots }),
  };
}

function countRuns(registry: Registry): WatchRun {
  const registers = [registry];
  const ends = new Counter({
    name: "concierge_runs_total",
    help: "Runs that ended here, by how; left: another process goes on with it",
    labelNames: ["outcome"],
    registers,
  });
  const seconds = new Histogram({
    name: "concierge_run_seconds",
    help: "From the beginning of the work on a run to its end",
    labelNames: ["outcome"],
    buckets: RUN_SECONDS,
    registers,
  });
  const wait = new Histogram({
    name: "concierge_run_wait_seconds",
    help: "From the request for a run to the beginning of the work on it",
    buckets: WAIT_SECONDS,
    registers,
  });
  const firstEvent = new Histogram({
    name: "concierge_run_first_event_seconds",
    help: "From the request for a run to the first event that its nodes tell",
    buckets: WAIT_SECONDS,
    registers,
  });
  return ({ createdAt, isResumed }) => {
    const began = performance.now();
    // One that goes on has waited for something else.
    const asked = createdAt === null || isResumed ? null : Date.parse(createdAt);
    if (asked !== null) wait.observe(secondsSince(asked));
    let isFirst = asked !== null;
    return {
      onEvent({ type }) {
        if (!isFirst || asked === null || type === "turn-start") return;
        isFirst = false;
        firstEvent.observe(secondsSince(asked));
      },
      onEnd({ outcome }) {
        ends.inc({ outcome });
        seconds.observe({ outcome }, (performance.now() - began) / 1_000);
      },
    };
  };
}

/** The clocks of the database and of this machine may differ a little. */
function secondsSince(time: number): number {
  return Math.max(0, Date.now() - time) / 1_000;
}

function countCalls(registry: Registry): (model: LanguageModel) => LanguageModel {
  const registers = [registry];
  const calls = new Counter({
    name: "concierge_model_calls_total",
    help: "Calls of models, by role and how they ended: ok, or the code of the error",
    labelNames: ["model", "role", "outcome"],
    registers,
  });
  const seconds = new Histogram({
    name: "concierge_model_call_seconds",
    help: "Until a model had answered",
    labelNames: ["model", "role"],
    buckets: RUN_SECONDS,
    registers,
  });
  const tokens = new Counter({
    name: "concierge_model_tokens_total",
    help: "Tokens of models; cached is part of input",
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
    help: "Connections to the database, and callers that wait for one",
    labelNames: ["state"],
    registers: [registry],
    collect() {
      this.set({ state: "idle" }, pool.idleCount);
      this.set({ state: "busy" }, pool.totalCount - pool.idleCount);
      this.set({ state: "waiting" }, pool.waitingCount);
    },
  });
}

function watchWorker(
  registry: Registry,
  { worker, slots }: { readonly worker: { busy(): number }; readonly slots: number },
): void {
  const registers = [registry];
  const busy = new Gauge({
    name: "concierge_worker_busy",
    help: "Threads that are worked on",
    registers,
    collect() {
      this.set(worker.busy());
    },
  });
  const most = new Gauge({
    name: "concierge_worker_slots",
    help: "Threads that can be worked on at once",
    registers,
  });
  busy.set(worker.busy());
  most.set(slots);
}
