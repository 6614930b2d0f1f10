import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { readConfig } from "../../../app/config.ts";
import { createLog } from "../../../app/log.ts";
import type { Models } from "../../../app/open-models.ts";
import { openService, runServer, runWorker, type Running } from "../../../app/open-server.ts";
import type { LanguageModel, ModelRole } from "../../../state/model.ts";
import { createMetrics } from "../../../telemetry/metrics.ts";
import { createTracing } from "../../../telemetry/tracing.ts";
import { DEMO_DAY } from "../../../test/support/conversation.ts";
import { everyRole } from "../../../test/support/every-role.ts";
import {
  NARRATIVE_ANSWER,
  thinkAnswer,
  understandAnswer,
} from "../../../test/support/turn-state.ts";
import { RoleSchema, type ServiceState } from "./start-services.ts";

/*
 * The service in a process of its own, as `npm start` puts it together, with models that answer at
 * once. Its first argument is its role, the environment the rest. It sends its address to the
 * process that started it, then its state whenever it is asked; any other message ends it.
 */
const role = RoleSchema.parse(process.argv[2]);
const config = readConfig(process.env);
const metrics = createMetrics();
const service = await openService(config, {
  log: createLog(config),
  metrics,
  tracing: createTracing(),
  today: DEMO_DAY.today,
  models: instantModels(),
});
const running: Running[] = [];
if (role !== "worker") running.push(await runServer(service, { host: "127.0.0.1", port: 0 }));
if (role !== "server") running.push(await runWorker(service, null));
process.send?.({ url: running[0]?.url ?? null });

process.on("message", (message) => void (message === "state" ? sendState() : shutdown()));

function instantModels(): Models {
  const objects: Partial<Record<ModelRole, unknown>> = {
    understand: understandAnswer(),
    think: thinkAnswer({ decision: "answer", steps: [] }),
    summarize: NARRATIVE_ANSWER,
  };
  // Long enough to come in pieces, as models write.
  const words = "Gladly: there is enough of everything, and nothing has to be bought today.";
  const model: LanguageModel = {
    name: "instant",
    async complete({ role: asker, onText }) {
      const json = objects[asker];
      if (json === undefined) for (const piece of words.split(/(?= )/u)) onText?.(piece);
      return {
        text: json === undefined ? words : JSON.stringify(json),
        json,
        toolCalls: [],
        truncated: false,
        usage: { input: 1_000, cached: 0, output: 50 },
      };
    },
  };
  return everyRole(model);
}

async function sendState(): Promise<void> {
  // Twice: what the first frees may hold more.
  collectGarbage();
  await new Promise((resolve) => setImmediate(resolve));
  collectGarbage();
  const { rss, heapUsed, external } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  const sockets = process.getActiveResourcesInfo().filter((name) => name === "TCPSocketWrap");
  const open = /^concierge_open_streams (\d+)/mu.exec(await metrics.render());
  const state: ServiceState = {
    resident: rss,
    heap: heapUsed + external,
    cpuMs: (user + system) / 1_000,
    sockets: sockets.length,
    streams: Number(open?.[1] ?? 0),
    connections: service.assistant.storage.database.pool.totalCount,
  };
  process.send?.(state);
}

function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  if (typeof collect === "function") Reflect.apply(collect, undefined, []);
}

async function shutdown(): Promise<void> {
  await Promise.all(running.map((one) => one.stop()));
  await service.close();
  process.disconnect();
}
