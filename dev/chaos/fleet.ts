import { once } from "node:events";
import { startService, type RunningService } from "../../test/support/run-cli.ts";

/** Servers and workers, each a process of its own: `npm start`, on one database. */
export interface Fleet {
  readonly urls: readonly string[];
  /** Kills the worker that has run longest with -9. Returns once it is dead. */
  killWorker(): Promise<void>;
  /** Starts one more worker. */
  startWorker(): void;
  /** Counts the processes that ended without being killed. */
  countFallen(): number;
  /** Stops all of them. Returns the faults in their ends and in their logs, one sentence each. */
  stop(): Promise<readonly string[]>;
  /** Kills all of them. */
  abandon(): void;
}

export interface FleetOptions {
  readonly databaseUrl: string;
  /** Address of the model. */
  readonly modelUrl: string;
  readonly servers: number;
  readonly workers: number;
  /** The folder with the bundled programs. */
  readonly programs: string;
}

/** Starts the processes; one server first, because it creates the tables. */
export async function startFleet(options: FleetOptions): Promise<Fleet> {
  const env = buildEnvironment(options);
  const servers: RunningService[] = [];
  const workers: RunningService[] = [];
  const killed = new Set<RunningService>();
  const start = (role: "server" | "worker"): RunningService => {
    const service = startService({ args: ["--role", role], env, programs: options.programs });
    (role === "server" ? servers : workers).push(service);
    return service;
  };
  const all = (): readonly RunningService[] => [...servers, ...workers];
  const abandon = (): void => {
    for (const { child } of all()) child.kill("SIGKILL");
  };
  try {
    const first = await start("server").url();
    const others = Array.from({ length: options.servers - 1 }, () => start("server").url());
    const working = Array.from({ length: options.workers }, () => start("worker").line("Working:"));
    const [rest] = await Promise.all([Promise.all(others), Promise.all(working)]);
    const urls = [first, ...rest];
    return {
      urls,
      abandon,
      async killWorker() {
        const oldest = workers.find((worker) => !killed.has(worker));
        if (oldest === undefined) throw new Error("Cannot kill a worker: none is running");
        killed.add(oldest);
        const gone = once(oldest.child, "exit");
        oldest.child.kill("SIGKILL");
        await gone;
      },
      startWorker: () => void start("worker"),
      countFallen: () => all().filter((one) => hasEnded(one) && !killed.has(one)).length,
      async stop() {
        // A worker that has just started handles signals only once it works.
        await Promise.all(
          workers.filter((worker) => !killed.has(worker)).map((worker) => worker.line("Working:")),
        );
        const ends = all().map(async (service) => {
          if (!killed.has(service)) service.child.kill("SIGTERM");
          const { exitCode, stderr } = await service.ended();
          const faults =
            killed.has(service) || exitCode === 0 ? [] : [`A process ended with ${exitCode}`];
          return faults.concat(findErrors(stderr));
        });
        return (await Promise.all(ends)).flat();
      },
    };
  } catch (error) {
    abandon();
    throw error;
  }
}

function hasEnded({ child }: RunningService): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

function buildEnvironment({ databaseUrl, modelUrl }: FleetOptions): Record<string, string> {
  return {
    DATABASE_URL: databaseUrl,
    OPENAI_BASE_URL: modelUrl,
    OPENAI_MODEL: "simulated-over-http",
    CONCIERGE_STRUCTURED_OUTPUT: "json_schema",
    CONCIERGE_AUTH: "keys",
    CONCIERGE_SERVER_LIMITS: "requestsPerMinute=100000,runsPerMinute=100000",
    // All processes share a hundred connections, with those of killed ones that the server has not noticed yet.
    CONCIERGE_POOL_SIZE: "10",
    CONCIERGE_WORKER_SLOTS: "32",
    CONCIERGE_LOG: "warn",
  };
}

/** pino's level for an error that the program did not expect. */
const ERROR_LEVEL = '"level":50';

/** Finds lines of standard error that are no log lines, or log an unexpected error. */
function findErrors(stderr: string): readonly string[] {
  return stderr
    .split("\n")
    .filter((line) => line !== "" && (!line.startsWith("{") || line.includes(ERROR_LEVEL)))
    .map((line) => `A process logged ${line.slice(0, 2_000)}`);
}
