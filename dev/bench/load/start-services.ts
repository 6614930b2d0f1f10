import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import type { BenchContext } from "../measurement.ts";
import { createLoadClient, type LoadClient } from "./client.ts";

/** The role of a process of the service. */
export const RoleSchema = z.enum(["all", "server", "worker"]);
type Role = z.infer<typeof RoleSchema>;

const ReadySchema = z.object({ url: z.string().nullable() });

const ServiceStateSchema = z.object({
  resident: z.number(),
  /** Of the heap and of buffers beside it. */
  heap: z.number(),
  /** Of all its threads, since its beginning. */
  cpuMs: z.number(),
  /** Open sockets, those to the database too. */
  sockets: z.number(),
  /** Answers that are still being written. */
  streams: z.number(),
  /** To the database, in the pool. */
  connections: z.number(),
});
/** Memory and connections of a process, after collecting garbage; sizes in bytes. */
export type ServiceState = z.infer<typeof ServiceStateSchema>;

/** Processes of the service on one database. */
export interface Services {
  /** Sends requests to the server. */
  readonly client: LoadClient;
  /** Reads the state of the server's process. */
  readonly readState: () => Promise<ServiceState>;
  /** Returns the CPU of all of them since their beginning, in milliseconds. */
  readonly readCpuMs: () => Promise<number>;
}

/**
 * Starts a process for each role, the server's first, on a database of their own, with limits that a
 * load from one address does not reach; works with them, and ends them.
 */
export async function withServices<T>(
  roles: readonly Role[],
  { openDatabase }: Pick<BenchContext, "openDatabase">,
  work: (services: Services) => Promise<T>,
): Promise<T> {
  const database = await openDatabase();
  const children: ChildProcess[] = [];
  try {
    const urls: (string | null)[] = [];
    for (const role of roles) {
      const child = startProcess(role, database.url);
      children.push(child);
      urls.push(ReadySchema.parse(await receive(child)).url);
    }
    const states = (): Promise<readonly ServiceState[]> => Promise.all(children.map(readState));
    const client = createLoadClient(z.string().parse(urls[0]));
    try {
      return await work({
        client,
        readState: async () => ServiceStateSchema.parse((await states())[0]),
        readCpuMs: async () => (await states()).reduce((sum, { cpuMs }) => sum + cpuMs, 0),
      });
    } finally {
      client.close();
    }
  } finally {
    await Promise.all(children.map(endProcess));
    await database.close();
  }
}

function startProcess(role: Role, databaseUrl: string): ChildProcess {
  const script = fileURLToPath(new URL("service-process.ts", import.meta.url));
  return fork(script, [role], {
    env: {
      PATH: process.env["PATH"],
      DATABASE_URL: databaseUrl,
      CONCIERGE_LOG: "warn",
      CONCIERGE_SERVER_LIMITS:
        "requestsPerMinute=10000000,runsPerMinute=10000000,streamsPerCaller=10000,connections=10000",
    },
  });
}

async function readState(child: ChildProcess): Promise<ServiceState> {
  const answer = receive(child);
  child.send("state");
  return ServiceStateSchema.parse(await answer);
}

/** Returns the next message of a process. @throws Error where it ends instead. */
async function receive(child: ChildProcess): Promise<unknown> {
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

async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  if (child.connected) child.send("end");
  else child.kill();
  await gone;
}
