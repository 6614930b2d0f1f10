import { readConfig } from "../../../app/config.ts";
import { createLog } from "../../../app/log.ts";
import { openService, runServer, runWorker, type Running } from "../../../app/open-server.ts";
import { createMetrics } from "../../../telemetry/metrics.ts";
import { createTracing } from "../../../telemetry/tracing.ts";
import { DEMO_DAY } from "../../../test/support/conversation.ts";
import { collectGarbage } from "../watch-memory.ts";
import { instantModels } from "./instant-models.ts";
import { ServiceTaskSchema, type ServiceState } from "./service-task.ts";

/*
 * The service in a process of its own, as `npm start` puts it together: its first argument says in
 * which role and with which models, the environment the rest. It tells the process that started it
 * where it answers, then, whenever it is asked, what it holds; any other message ends it.
 */
const task = ServiceTaskSchema.parse(JSON.parse(process.argv[2] ?? ""));
const config = readConfig(process.env);
const metrics = createMetrics();
const service = await openService(config, {
  log: createLog(config),
  metrics,
  tracing: createTracing(),
  today: DEMO_DAY.today,
  ...(task.models === "instant" ? { models: instantModels() } : {}),
});
const running: Running[] = [];
if (task.role !== "worker") {
  running.push(await runServer(service, { host: "127.0.0.1", port: 0 }));
}
if (task.role !== "server") running.push(await runWorker(service, null));
process.send?.({ url: running[0]?.url ?? null });

process.on("message", (message) => void (message === "state" ? tellState() : leave()));

async function tellState(): Promise<void> {
  // Twice: what the first frees may hold more.
  collectGarbage();
  await new Promise((resolve) => setImmediate(resolve));
  collectGarbage();
  const { rss, heapUsed, external } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  const sockets = process
    .getActiveResourcesInfo()
    .filter((name) => name === "TCPSocketWrap").length;
  const open = /^concierge_open_streams (\d+)/mu.exec(await metrics.render());
  const { pool } = service.assistant.storage.database;
  const state: ServiceState = {
    resident: rss,
    heap: heapUsed + external,
    cpuMs: (user + system) / 1_000,
    sockets,
    streams: Number(open?.[1] ?? 0),
    connections: pool.totalCount,
    listeners: listenersOf(process) + listenersOf(pool),
  };
  process.send?.(state);
}

function listenersOf(emitter: NodeJS.EventEmitter): number {
  return emitter.eventNames().reduce((sum, name) => sum + emitter.listenerCount(name), 0);
}

async function leave(): Promise<void> {
  await Promise.all(running.map((one) => one.stop()));
  await service.close();
  process.disconnect();
}
