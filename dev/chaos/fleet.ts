import { once } from "node:events";
import { startService, type RunningService } from "../../test/support/run-cli.ts";

/** Servers and workers, each a process of its own: `npm start`, on one database. */
export interface Fleet {
  readonly urls: readonly string[];
  /** Kills the worker that has run longest with -9. Returns once it is dead. */
  killWorker(): Promise<void>;
  /** Starts one more. */
  startWorker(): void;
  /** How many processes have ended that nobody has killed. */
  fallen(): number;
  /** Asks all of them to leave. Returns what was wrong with their ends and in their logs, a sentence each. */
  stop(): Promise<readonly string[]>;
  /** Ends them, whatever they do. */
  abandon(): void;
}

export interface FleetOptions {
  readonly databaseUrl: string;
  /** Where they find the model. */
  readonly modelUrl: string;
  readonly servers: number;
  readonly workers: number;
}

/** Starts them, first one server: it makes the tables. */
export async function startFleet(options: FleetOptions): Promise<Fleet> {
  const env = environmentOf(options);
  const servers: RunningService[] = [];
  const workers: RunningService[] = [];
  const killed = new Set<RunningService>();
  const start = (role: "server" | "worker"): RunningService => {
    const service = startService({ args: ["--role", role], env });
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
        if (oldest === undefined) throw new Error("Cannot kill a worker: there is none");
        killed.add(oldest);
        const gone = once(oldest.child, "exit");
        oldest.child.kill("SIGKILL");
        await gone;
      },
      startWorker: () => void start("worker"),
      fallen: () => all().filter((one) => isGone(one) && !killed.has(one)).length,
      async stop() {
        // One that has just been put in another's place listens to signals only once it works.
        await Promise.all(
          workers.filter((worker) => !killed.has(worker)).map((worker) => worker.line("Working:")),
        );
        const ends = all().map(async (service) => {
          if (!killed.has(service)) service.child.kill("SIGTERM");
          const { exitCode, stderr } = await service.ended();
          const wrong = killed.has(service) || exitCode === 0 ? [] : [`It ended with ${exitCode}`];
          return wrong.concat(errorsIn(stderr));
        });
        return (await Promise.all(ends)).flat();
      },
    };
  } catch (error) {
    abandon();
    throw error;
  }
}

function isGone({ child }: RunningService): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

function environmentOf({ databaseUrl, modelUrl }: FleetOptions): Record<string, string> {
  return {
    DATABASE_URL: databaseUrl,
    OPENAI_BASE_URL: modelUrl,
    OPENAI_MODEL: "simulated-over-http",
    CONCIERGE_STRUCTURED_OUTPUT: "json_schema",
    CONCIERGE_AUTH: "keys",
    CONCIERGE_SERVER_LIMITS: "requestsPerMinute=100000,runsPerMinute=100000",
    // All of them, with those that were killed and not missed yet, on a server of a hundred connections.
    CONCIERGE_POOL_SIZE: "10",
    CONCIERGE_WORKER_SLOTS: "32",
    CONCIERGE_LOG: "warn",
  };
}

/** pino's number for an error: what nobody had foreseen. */
const ERROR_LEVEL = '"level":50';

/** Besides the log, one object a line, nothing is written there. */
function errorsIn(stderr: string): readonly string[] {
  return stderr
    .split("\n")
    .filter((line) => line !== "" && (!line.startsWith("{") || line.includes(ERROR_LEVEL)))
    .map((line) => `It logged ${line.slice(0, 2_000)}`);
}
