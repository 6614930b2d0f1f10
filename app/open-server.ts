import { randomUUID } from "node:crypto";
import { createAuthenticate } from "../server/access/authenticate.ts";
import { createKeyLookup } from "../server/access/key-lookup.ts";
import { startServer } from "../server/listen.ts";
import { openNotifications, type Notifications } from "../storage/postgres/notifications.ts";
import { openJobQueue, type JobQueue } from "../storage/runs/jobs.ts";
import { removeTemporaryThreads } from "../storage/conversations/temporary-threads.ts";
import { logRuns } from "../telemetry/log-runs.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import type { Tracing } from "../telemetry/tracing.ts";
import { watchThreads } from "../telemetry/watch-runs.ts";
import { createUndoOfRun } from "./undo-run.ts";
import { startRetention } from "../worker/retention.ts";
import { startTicking } from "../worker/tick.ts";
import { startWorker } from "../worker/worker.ts";
import type { Config } from "./config.ts";
import type { ServiceLog } from "./log.ts";
import { openAssistant, type Assistant, type AssistantOptions } from "./open-assistant.ts";
import { programVersion } from "./program-version.ts";
import { assertModelSet } from "./open-models.ts";
import { explainListening, type Place } from "./explain-listening.ts";
import { createDatabaseCheck } from "./check-database.ts";
import { serveWorkerStatus } from "./worker-status.ts";

/** The parts that servers and workers share. */
export interface ServiceParts {
  readonly assistant: Assistant;
  readonly notifications: Notifications;
  readonly jobs: JobQueue;
  readonly config: Config;
  readonly metrics: Metrics;
  readonly tracing: Tracing;
  readonly log: ServiceLog;
}

/** The open parts of a service. */
export interface Service extends ServiceParts {
  /** Stops restarting the database: whoever ends this process may be ending the database as well. */
  leaveDatabaseDown(): void;
  /** Closes queue, notifications and database. Call it once their users have stopped. */
  close(): Promise<void>;
}

/** A server or worker that runs until it is stopped. */
export interface Running {
  /** The address at which it answers; null if it does not listen. */
  readonly url: string | null;
  /** Waits for current work to end, for a limited time. A second call waits for the same end. */
  stop(): Promise<void>;
}

export interface ServiceOptions
  extends
    Pick<ServiceParts, "log" | "metrics" | "tracing">,
    Pick<AssistantOptions, "domain" | "models"> {
  /** `YYYY-MM-DD`: the day the demo data is made for. */
  readonly today: string;
  /** False for a server whose turns run in other processes. Default: true. */
  readonly asksModels?: boolean;
}

/** Interval between checks of an embedded database, in milliseconds. Not a setting: a check reads one file. */
const CHECK_MS = 5_000;
/** Interval between removals of temporary threads, in milliseconds. Not a setting: `temporaryThreadSeconds` is. */
const SWEEP_MS = 15_000;

/**
 * Opens what servers and workers share: the program on its database, notifications and queue.
 *
 * @throws UsageError where others may use the service and no model is set; Error in a sentence that
 * says what to do, for a database that cannot be opened.
 */
export async function openService(config: Config, options: ServiceOptions): Promise<Service> {
  const { log, metrics, tracing, asksModels = true, ...assistantOptions } = options;
  if (asksModels && options.models === undefined) assertModelSet(config);
  const assistant = await openAssistant(config, {
    ...assistantOptions,
    log,
    poolSize: config.service.poolSize,
    wrapModel: (model) => metrics.measureModel(tracing.traceModel(model)),
  });
  const { database } = assistant.storage;
  try {
    const notifications = await openNotifications(database, log);
    const jobs = await openJobQueue(database.pool, log);
    metrics.watchPool(database.pool);
    const stopChecking = startTicking(CHECK_MS, createDatabaseCheck(database, log));
    return {
      assistant,
      notifications,
      jobs,
      config,
      metrics,
      tracing,
      log,
      leaveDatabaseDown: () => void stopChecking(),
      async close() {
        await stopChecking();
        await jobs.close();
        await notifications.close();
        await assistant.close();
      },
    };
  } catch (error) {
    await assistant.close();
    throw error;
  }
}

/**
 * Starts a server that answers requests over HTTP.
 *
 * @throws UsageError if others can reach the address and authentication is off; Error in one
 * sentence if the address cannot be listened on.
 */
export async function runServer(parts: ServiceParts, place: Place): Promise<Running> {
  const { assistant, notifications, jobs, config, metrics, log } = parts;
  const { graph, limits, storage } = assistant;
  const { pool, admin } = storage.database;
  const { settings } = config.service;
  try {
    const server = await startServer(
      {
        pool,
        admin,
        notifications,
        jobs,
        graph,
        checkpointer: storage.checkpointer,
        archive: storage.archive,
        limits,
        settings: { ...settings, version: programVersion() },
        log,
        metrics,
        authenticate: createAuthenticate(settings.access, {
          findKeyOwner: createKeyLookup(pool),
          onRejected: (reason) => log.info(`A token was rejected: ${reason}`),
        }),
        now: () => new Date(),
        newId: randomUUID,
      },
      place,
    );
    return { url: server.url, stop: () => server.close() };
  } catch (error) {
    throw explainListening(error, place);
  }
}

/**
 * Starts a worker that runs waiting turns and removes old rows.
 *
 * @throws Error in one sentence if its status cannot be served.
 */
export async function runWorker(parts: ServiceParts, status: Place | null): Promise<Running> {
  const { assistant, notifications, jobs, config, metrics, tracing, log } = parts;
  const { database } = assistant.storage;
  const { pool } = database;
  const { worker: settings, retention } = config.service;
  const { repetitionDays, journalDays, leaseSeconds, temporaryThreadSeconds } = assistant.limits;
  const served = status === null ? null : await openStatus(parts, status);
  const worker = startWorker({
    pool,
    driver: watchThreads(assistant.driver, {
      runs: [tracing.watchRun, metrics.watchRun, logRuns((line) => log.noteRun(line))],
      onResult: (outcome) => metrics.workEnded(outcome),
    }),
    replayTurn: (message, onEvent) => assistant.driver.replayTurn(message, onEvent),
    undoEffects: createUndoOfRun(assistant),
    jobs,
    notifications,
    log,
    newId: randomUUID,
    onFailure: (error) => log.error(error, "A worker failed"),
    onDeadLetter(job) {
      metrics.countDeadLetter();
      log.noteDeadLetter(job);
    },
    settings,
  });
  metrics.watchWorker(worker, settings.slots);
  const stopRetention = startRetention({
    database,
    retention: { ...retention, repetitionDays, journalDays, leaseSeconds },
    onRemoved({ users: _users, ...removed }) {
      for (const [kind, count] of Object.entries(removed)) metrics.removedRows(kind, count);
    },
    onFailure: (error) => log.error(error, "Old rows could not be removed"),
  });
  const stopped = new AbortController();
  const stopSweeping = startTicking(
    SWEEP_MS,
    async () => {
      const count = await removeTemporaryThreads(pool, temporaryThreadSeconds, stopped.signal);
      metrics.removedRows("threads", count);
    },
    (error) => log.error(error, "Temporary threads could not be removed"),
  );
  const stop = async (): Promise<void> => {
    stopped.abort();
    await Promise.all([worker.stop(), stopRetention(), stopSweeping()]);
    await served?.close();
  };
  let stopping: Promise<void> | null = null;
  return { url: served?.url ?? null, stop: () => (stopping ??= stop()) };
}

async function openStatus({ metrics }: ServiceParts, place: Place) {
  try {
    return await serveWorkerStatus(() => metrics.render(), place);
  } catch (error) {
    throw explainListening(error, place);
  }
}
