import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { delimiter, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { StudioArguments } from "./arguments.ts";

/** LangGraph's command line, at the version whose server was tried with this graph. */
export const LANGGRAPH_CLI = "@langchain/langgraph-cli@1.5.1";

/** Nothing beyond this computer may ask: the server knows no keys. */
export const HOST = "127.0.0.1";

const BIN = join(import.meta.dirname, "../node_modules/.bin");

/** A dev server that has been started. */
export interface DevServer {
  /** Resolves when it answers; rejects, in a sentence, when it has ended before. */
  readonly ready: Promise<void>;
  /** Resolves to its exit code once it has ended; null after a signal. */
  readonly ended: Promise<number | null>;
  /** Ends it and what it has started. */
  stop(): void;
}

/**
 * Starts the dev server of a `langgraph.json`. What it prints goes to this process's output.
 *
 * @throws Error in a sentence when the port is taken.
 */
export async function startDevServer(options: StudioArguments): Promise<DevServer> {
  const { port, configPath } = options;
  await assertFree(port);
  const fetching = (await isFetched()) ? ["--offline"] : [];
  const child = spawn("npx", [...fetching, ...commandLine(options)], {
    // Its own process group, so that all of it can be ended; a terminal it then may not read.
    detached: true,
    stdio: ["ignore", "inherit", "pipe"],
    shell: process.platform === "win32",
    env: environment(),
  });
  const complaints = keepErrors(child);
  const ended = endOf(child);
  return {
    ready: untilReady(`http://${HOST}:${port}/ok`, ended).catch((error: unknown) => {
      throw new Error(sayWhy(complaints(), configPath), { cause: error });
    }),
    ended,
    stop: () => endGroup(child),
  };
}

/**
 * Whether npm can start the server without asking the registry. Where it may ask it does, even for
 * one exact version that it has, and fails without a network.
 */
export async function isFetched(): Promise<boolean> {
  const asked = ["--offline", "--yes", LANGGRAPH_CLI, "--version"];
  const shell = process.platform === "win32";
  const child = spawn("npx", asked, { stdio: "ignore", shell, env: environment() });
  const { promise, resolve } = Promise.withResolvers<boolean>();
  child.once("exit", (code) => resolve(code === 0));
  child.once("error", () => resolve(false));
  return promise;
}

/** Node 24 for everything that is started, no browser, and no word of it to anybody. */
function environment(): NodeJS.ProcessEnv {
  return {
    ...process.env,
    PATH: `${BIN}${delimiter}${process.env["PATH"] ?? ""}`,
    BROWSER: "none",
    LANGGRAPH_CLI_NO_ANALYTICS: "1",
  };
}

function commandLine({ port, configPath, reload }: StudioArguments): string[] {
  const where = ["--host", HOST, "--port", String(port), "--config", configPath];
  const how = ["--no-browser", ...(reload ? [] : ["--no-reload"])];
  return ["--yes", LANGGRAPH_CLI, "dev", ...how, ...where];
}

/** The server itself would go on without it, and never answer. */
async function assertFree(port: number): Promise<void> {
  const probe = createServer();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  probe.once("error", reject);
  probe.listen({ port, host: HOST, exclusive: true }, resolve);
  try {
    await promise;
  } catch (error) {
    throw new Error(
      `Cannot listen on port ${port}: another program has it, or it may not be used; choose another one with --port`,
      { cause: error },
    );
  }
  probe.close();
  await once(probe, "close");
}

/** The last that was written to standard error, which is passed on. */
function keepErrors(child: ChildProcess): () => string {
  let kept = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    process.stderr.write(chunk);
    kept = `${kept}${chunk.toString("utf8")}`.slice(-KEPT_CHARACTERS);
  });
  return () => kept;
}

const KEPT_CHARACTERS = 20_000;

async function endOf(child: ChildProcess): Promise<number | null> {
  const { promise, resolve } = Promise.withResolvers<number | null>();
  child.once("exit", (code) => resolve(code));
  child.once("error", (error) => {
    process.stderr.write(`${error.message}\n`);
    resolve(127);
  });
  return promise;
}

const ASK_MS = 250;

async function untilReady(url: string, ended: Promise<unknown>): Promise<void> {
  const over = ended.then(() => "ended" as const);
  for (;;) {
    if ((await Promise.race([over, delay(ASK_MS, "waited" as const)])) === "ended") {
      throw new Error("It ended before it answered");
    }
    if (await answers(url)) return;
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(url);
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}

/** Why a server has ended before it answered, out of what was written. Pure. */
export function sayWhy(written: string, configPath: string): string {
  const code = /^npm (?:error|ERR!) code (\S+)/m.exec(written)?.[1];
  if (code !== undefined) {
    return `Cannot fetch ${LANGGRAPH_CLI} (npm says ${code}): connect to the network and run npm run studio once; after that it starts without`;
  }
  return `Cannot start the dev server of "${configPath}": it ended before it answered; what it wrote stands above`;
}

function endGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === "win32") child.kill();
    else process.kill(-child.pid, "SIGTERM");
  } catch {
    // It has ended by itself.
  }
}
