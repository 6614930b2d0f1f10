import { domainFolder } from "../domain/list-grants.ts";
import { loadConfig, type Config } from "../app/config.ts";
import { createLog } from "../app/log.ts";
import { describeModels } from "../app/open-models.ts";
import { listNotices } from "../app/print-ignored.ts";
import { openStorage } from "../app/open-storage.ts";
import { readParents, watchParent } from "../cli/serve/watch-parent.ts";
import { mealsDomain } from "../meals/index.ts";
import type { StudioArguments } from "./arguments.ts";
import { STUDIO_ORIGIN } from "./door.ts";
import { HOST, LANGGRAPH_CLI, startDevServer, type DevServer } from "./dev-server.ts";

/** LangChain hosts this page; it calls the server from the browser that shows it. */
const STUDIO_PAGE = `${STUDIO_ORIGIN}/studio/`;

/** Ends the dev server within five seconds of npm's end, the watch's own half second included. */
const KILL_AFTER_MS = 3_000;

/**
 * Runs the dev server until it ends, a signal arrives or npm is gone. Returns the exit code.
 *
 * @throws UsageError for bad settings; Error in a sentence when database or server cannot be started.
 */
export async function runStudio(options: StudioArguments): Promise<number> {
  const config = loadConfig("studio");
  // From the start: npm may be gone before the server is there.
  const npm = new AbortController();
  const unwatch =
    process.env["npm_lifecycle_event"] === undefined
      ? null
      : watchParent(readParents, { onGone: () => npm.abort() });
  try {
    return await serveStudio(config, options, npm.signal);
  } finally {
    unwatch?.();
  }
}

async function serveStudio(
  config: Config,
  options: StudioArguments,
  npmGone: AbortSignal,
): Promise<number> {
  // Opened here as well, so that a failure is reported in a sentence and an embedded database does
  // not outlive the server, however that ends.
  const { database } = await openStorage(config, {
    migrations: [domainFolder(mealsDomain)],
    log: createLog(config),
  });
  try {
    print(`Model: ${describeModels(config.model)}`);
    listNotices(config).forEach(print);
    print(`Starting LangGraph's dev server (${LANGGRAPH_CLI}; the first time npm fetches it) …`);
    const server = await startDevServer(options);
    return await superviseServer(server, `http://${HOST}:${options.port}`, npmGone);
  } finally {
    await database.close();
  }
}

async function superviseServer(
  server: DevServer,
  api: string,
  npmGone: AbortSignal,
): Promise<number> {
  const stopper = new Stopper(server, npmGone);
  try {
    await Promise.race([announce(server, api), stopper.stopped]);
    const code = await server.ended;
    return stopper.exitCode ?? code ?? 1;
  } catch (error) {
    // A server that was stopped before it answered is no failure.
    if (stopper.exitCode === null) throw error;
    return stopper.exitCode;
  } finally {
    server.stop();
    stopper.release();
  }
}

async function announce(server: DevServer, api: string): Promise<void> {
  await server.ready;
  print(`The API is at ${api}`);
  print(`Studio: open ${STUDIO_PAGE}?baseUrl=${api} in a browser of this computer`);
  print("Only this computer can reach it. Ctrl-C ends it.");
}

const EXIT_CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
type StopSignal = keyof typeof EXIT_CODES;
const SIGNALS: readonly StopSignal[] = ["SIGINT", "SIGTERM", "SIGHUP"];

/** Stops the server at a signal or when npm is gone; the first of them decides the exit code. */
class Stopper {
  readonly #server: DevServer;
  readonly #npmGone: AbortSignal;
  readonly #stopped = Promise.withResolvers<void>();
  #exitCode: number | null = null;

  constructor(server: DevServer, npmGone: AbortSignal) {
    this.#server = server;
    this.#npmGone = npmGone;
    for (const signal of SIGNALS) process.on(signal, this.#onSignal);
    npmGone.addEventListener("abort", this.#onNpmGone);
    if (npmGone.aborted) this.#onNpmGone();
  }

  /** Resolves at the first signal, or when npm is gone. */
  get stopped(): Promise<void> {
    return this.#stopped.promise;
  }

  /** Null while nothing has stopped the server. */
  get exitCode(): number | null {
    return this.#exitCode;
  }

  /** Stops listening. */
  release(): void {
    for (const signal of SIGNALS) process.off(signal, this.#onSignal);
    this.#npmGone.removeEventListener("abort", this.#onNpmGone);
  }

  readonly #onSignal = (signal: NodeJS.Signals): void => {
    this.#stop(EXIT_CODES[SIGNALS.find((known) => known === signal) ?? "SIGTERM"]);
  };

  readonly #onNpmGone = (): void => {
    this.#stop(EXIT_CODES.SIGTERM, KILL_AFTER_MS);
  };

  #stop(exitCode: number, killAfterMs?: number): void {
    this.#exitCode ??= exitCode;
    this.#server.stop(killAfterMs);
    this.#stopped.resolve();
  }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
