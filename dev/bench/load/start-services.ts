import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import {
  ReadySchema,
  ServiceStateSchema,
  type ServiceState,
  type ServiceTask,
} from "./service-task.ts";

/** Processes of the service on one database. */
export interface Services {
  /** Where the server answers. */
  readonly url: string;
  /** What the server's process holds. */
  state(): Promise<ServiceState>;
  /** CPU of all of them since their beginning, in milliseconds. */
  cpuMs(): Promise<number>;
  close(): Promise<void>;
}

/** Which processes there are: the server's first. */
export const LAYOUTS = {
  "one process": ["all"],
  "server and worker": ["server", "worker"],
  "server alone": ["server"],
} as const satisfies Record<string, readonly ServiceTask["role"][]>;
export type Layout = keyof typeof LAYOUTS;

export interface ServicesOptions {
  readonly databaseUrl: string;
  readonly layout: Layout;
  readonly models: ServiceTask["models"];
}

/** Starts them, one after the other, with limits that a load from one address does not reach. */
export async function startServices(options: ServicesOptions): Promise<Services> {
  const children: ChildProcess[] = [];
  const urls: (string | null)[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(children.map(leave));
  };
  try {
    for (const role of LAYOUTS[options.layout]) {
      const child = startProcess({ role, models: options.models }, options.databaseUrl);
      children.push(child);
      urls.push(ReadySchema.parse(await answerOf(child)).url);
    }
  } catch (error) {
    await close();
    throw error;
  }
  const states = (): Promise<readonly ServiceState[]> => Promise.all(children.map(stateOf));
  const [server] = children;
  const [url] = urls;
  if (server === undefined || url === null || url === undefined) {
    throw new Error(`Cannot ask "${options.layout}": it has no server`);
  }
  return {
    url,
    close,
    state: () => stateOf(server),
    cpuMs: async () => (await states()).reduce((sum, { cpuMs }) => sum + cpuMs, 0),
  };
}

function startProcess(task: ServiceTask, databaseUrl: string): ChildProcess {
  const script = fileURLToPath(new URL("service-process.ts", import.meta.url));
  return fork(script, [JSON.stringify(task)], {
    env: {
      PATH: process.env["PATH"],
      DATABASE_URL: databaseUrl,
      CONCIERGE_LOG: "warn",
      CONCIERGE_SERVER_LIMITS:
        "requestsPerMinute=10000000,runsPerMinute=10000000,streamsPerCaller=10000,connections=10000",
    },
  });
}

async function stateOf(child: ChildProcess): Promise<ServiceState> {
  const answer = answerOf(child);
  child.send("state");
  return ServiceStateSchema.parse(await answer);
}

/** The next message of a process. @throws Error where it ends instead. */
async function answerOf(child: ChildProcess): Promise<unknown> {
  const done = new AbortController();
  const { signal } = done;
  try {
    return await Promise.race([
      once(child, "message", { signal }).then(([message]): unknown => message),
      once(child, "exit", { signal }).then(([code]) => {
        throw new Error(`Cannot measure the service: its process has ended with ${code}`);
      }),
    ]);
  } finally {
    done.abort();
  }
}

async function leave(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  if (child.connected) child.send("leave");
  else child.kill();
  await gone;
}
