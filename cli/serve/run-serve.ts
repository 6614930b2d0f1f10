import { setTimeout as delay } from "node:timers/promises";
import { assertListenAllowed } from "../../server/access/may-listen.ts";
import { createMetrics } from "../../telemetry/metrics.ts";
import { createTracing } from "../../telemetry/tracing.ts";
import { dayIn } from "../../state/calendar.ts";
import { systemPerson } from "../../app/system-person.ts";
import { checkModel, type ModelCheck } from "../../app/check-model.ts";
import { listNotices } from "../../app/print-ignored.ts";
import { UnusableModelError } from "../../app/unusable-model-error.ts";
import { watchModel } from "../../app/watch-model.ts";
import { loadConfig, type Config } from "../../app/config.ts";
import { createLog, type ServiceLog } from "../../app/log.ts";
import {
  assertModelSet,
  chooseModel,
  describeModels,
  SIMULATED,
  toModelOption,
} from "../../app/open-models.ts";
import {
  openService,
  runServer,
  runWorker,
  type Running,
  type Service,
} from "../../app/open-server.ts";
import type { ServeOptions } from "./arguments.ts";
import { describeAccess, describeDatabase } from "./describe.ts";
import { explainListening, type Place } from "../../app/explain-listening.ts";
import { listenToSignals } from "./signals.ts";
import { readParents, watchParent } from "./watch-parent.ts";

/** The time that a shutdown may take beyond the time of its runs, in milliseconds. */
const GRACE_MS = 15_000;

/**
 * Serves until a signal requests the end of the program. Returns the exit code: 0 if everything was
 * closed in time.
 *
 * @throws UsageError for settings and arguments that cannot be used; UnusableModelError;
 * DatabaseUnavailableError; Error in a sentence when the program cannot start.
 */
export async function runServe(options: ServeOptions): Promise<number> {
  const modelOption = toModelOption(options.model);
  const settings = loadConfig("start", {
    logLevel: "info",
    // A server without a worker asks no model.
    allowsSimulated: options.model === SIMULATED || options.role === "server",
    options: {
      values: {
        ...modelOption?.values,
        CONCIERGE_HOST: options.host ?? undefined,
        CONCIERGE_PORT: options.port === null ? undefined : String(options.port),
      },
      options: { ...modelOption?.options, CONCIERGE_HOST: "--host", CONCIERGE_PORT: "--port" },
    },
  });
  const config = { ...settings, model: chooseModel(settings.model, options.model) };
  const place = { host: config.service.host, port: config.service.port };
  if (options.role !== "worker") assertPlaceAllowed(config, place);
  const asksModels = options.role !== "server";
  if (asksModels) assertModelSet(config);
  const shutdown = listenToSignals(process, {
    leave: (exitCode) => process.exit(exitCode),
    clock: () => performance.now(),
  });
  const unwatch =
    process.env["npm_lifecycle_event"] === undefined
      ? null
      : watchParent(readParents, { onGone: () => shutdown.request() });
  try {
    const log = createLog(config);
    printSettings(config, options);
    // Beside the database, so that it costs no time. A server without a worker asks no model.
    const check = () => checkModel(config.model, config);
    const checking: Promise<ModelCheck> =
      options.role === "server" ? Promise.resolve({ kind: "usable" }) : check();
    const service = await openService(config, {
      log,
      metrics: createMetrics(),
      tracing: createTracing(),
      today: dayIn(systemPerson().timeZone, new Date()),
      asksModels,
    });
    const found = await checking;
    if (found.kind === "unusable") {
      await service.close();
      throw new UnusableModelError(found.reason);
    }
    const stopWatching = watchModel({ found, check, log });
    try {
      return await serveUntil(shutdown.requested, { service, options, place, log });
    } finally {
      await stopWatching();
    }
  } finally {
    unwatch?.();
    shutdown.stopListening();
  }
}

/** Must run before anything is opened. @throws UsageError if others could reach a server without authentication. */
function assertPlaceAllowed(config: Config, place: Place): void {
  try {
    assertListenAllowed(config.service.settings.access, place.host);
  } catch (error) {
    throw explainListening(error, place);
  }
}

function printSettings(config: Config, { role }: ServeOptions): void {
  printLine(`Model: ${describeModels(config.model)}`);
  if (role !== "worker") {
    printLine(`Authentication: ${describeAccess(config.service.settings.access)}`);
  }
  printLine(`Database: ${describeDatabase(config)}`);
  // Whoever mistypes CONCIERGE_AUTH believes that the server asks for keys.
  listNotices(config).forEach(printLine);
}

/** The process that serves. */
interface ServingProgram {
  readonly service: Service;
  readonly options: ServeOptions;
  readonly place: Place;
  readonly log: ServiceLog;
}

async function serveUntil(shutdown: Promise<void>, program: ServingProgram): Promise<number> {
  const { service, options, place, log } = program;
  const { worker, workerPort, host } = service.config.service;
  const running: Running[] = [];
  try {
    // The server starts first, so that a port in use is found before any work begins.
    if (options.role !== "worker") {
      const server = await runServer(service, place);
      running.push(server);
      printLine(`Listening: ${server.url} (the API's page: ${server.url}/docs)`);
    }
    if (options.role !== "server") {
      const status =
        options.role === "worker" && workerPort !== null ? { host, port: workerPort } : null;
      const started = await runWorker(service, status);
      running.push(started);
      if (options.role === "worker") {
        printLine(`Working: ${worker.slots} threads at once${describeStatus(started)}`);
      }
    }
  } catch (error) {
    // The reason why it cannot start must reach the caller, not an error of closing.
    const closed = closeAll(running, service).catch(() => undefined);
    await Promise.race([closed, delay(GRACE_MS, undefined, { ref: false })]);
    throw error;
  }
  await shutdown;
  printLine("Leaving: active runs may end first; another signal leaves at once");
  exitAfter(worker.drainMs + GRACE_MS, log);
  service.leaveDatabaseDown();
  await closeAll(running, service);
  return 0;
}

/** Exits even if everything is closed: connections to a database that hangs keep a process alive. */
function exitAfter(ms: number, log: ServiceLog): void {
  setTimeout(() => {
    log.warn("Some runs could not be ended in time; another process takes them over");
    process.exit(1);
  }, ms).unref();
}

function describeStatus({ url }: Running): string {
  return url === null ? "" : ` (status: ${url}/ok, ${url}/metrics)`;
}

async function closeAll(running: readonly Running[], service: Service): Promise<void> {
  try {
    await Promise.all(running.map((one) => one.stop()));
  } finally {
    await service.close();
  }
}

/** Prints one line for the person or the log of the system. */
function printLine(line: string): void {
  process.stdout.write(`${line}\n`);
}
