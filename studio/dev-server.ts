import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { delimiter, dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import type { StudioArguments } from "./arguments.ts";
import { DOOR_VARIABLE, STUDIO_ORIGIN, type Door } from "./door.ts";

/** LangGraph's command line, at the version whose server was tested with this graph. */
export const LANGGRAPH_CLI = "@langchain/langgraph-cli@1.5.1";

/** The loopback address only: the server knows no keys. */
export const HOST = "127.0.0.1";

const BIN = join(import.meta.dirname, "../node_modules/.bin");

/** A dev server that has been started. */
export interface DevServer {
  /** Resolves when it answers; rejects with a sentence if it ends before. */
  readonly ready: Promise<void>;
  /** Resolves to its exit code once it has ended; null after a signal. */
  readonly ended: Promise<number | null>;
  /** Asks its process group to end; with a time, kills what is left of it after that many milliseconds. */
  stop(killAfterMs?: number): void;
}

/**
 * Starts the dev server of a `langgraph.json`. What it prints goes to this process's output.
 *
 * @throws Error in a sentence when the port is taken.
 */
export async function startDevServer(options: StudioArguments): Promise<DevServer> {
  const { port, configPath, anyUser } = options;
  await assertFree(port);
  const fetching = (await isFetched()) ? ["--offline"] : [];
  const door = { origins: [STUDIO_ORIGIN, ...options.origins], anyUser };
  const config = await openConfig(options);
  const child = spawn(
    "npx",
    [...fetching, ...commandLine({ ...options, configPath: config.path })],
    {
      // A separate process group, so that all of it can be ended; it cannot read the terminal then.
      detached: true,
      stdio: ["ignore", "inherit", "pipe"],
      shell: process.platform === "win32",
      env: { ...environment(), [DOOR_VARIABLE]: JSON.stringify(door satisfies Door) },
    },
  );
  const complaints = keepErrors(child);
  const ended = waitForExit(child, config);
  return {
    ready: untilReady(`http://${HOST}:${port}/ok`, ended).catch((error: unknown) => {
      throw new Error(explainExit(complaints(), configPath), { cause: error });
    }),
    ended,
    stop: (killAfterMs) => endGroup(child, killAfterMs),
  };
}

interface DevServerConfig {
  readonly path: string;
  remove(): Promise<void>;
}

/**
 * Makes the `langgraph.json` for the dev server. With further origins it is a copy that allows them:
 * the dev server answers a browser's preflight by itself, from this file. The copy lies beside the
 * original, since its folder is what paths in it start from.
 */
async function openConfig(options: StudioArguments): Promise<DevServerConfig> {
  const { configPath: path, origins, port } = options;
  if (origins.length === 0) return { path, remove: async () => undefined };
  const copy = join(dirname(path), `.langgraph.${port}.json`);
  await writeFile(copy, allowStudioOrigins(await readFile(path, "utf8"), origins));
  return { path: copy, remove: () => rm(copy, { force: true }) };
}

const ConfigSchema = z.looseObject({
  http: z
    .looseObject({
      cors: z.looseObject({ allow_origins: z.array(z.string()).optional() }).optional(),
    })
    .optional(),
});

/** Returns the text of a `langgraph.json` that allows further origins. Pure. */
export function allowStudioOrigins(config: string, origins: readonly string[]): string {
  const parsed = ConfigSchema.parse(JSON.parse(config));
  const { http } = parsed;
  const allowed = [...(http?.cors?.allow_origins ?? [STUDIO_ORIGIN]), ...origins];
  const cors = { ...http?.cors, allow_origins: allowed };
  return JSON.stringify({ ...parsed, http: { ...http, cors } }, null, 2);
}

/**
 * Finds out if npm can start the server without the registry. Where npm may ask the registry it
 * does, even for an exact version in its cache, and then fails without a network.
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

/** The environment of the dev server: the project's Node, no browser, no usage reports. */
function environment(): NodeJS.ProcessEnv {
  return {
    ...process.env,
    PATH: `${BIN}${delimiter}${process.env["PATH"] ?? ""}`,
    BROWSER: "none",
    LANGGRAPH_CLI_NO_ANALYTICS: "1",
  };
}

function commandLine({ port, configPath, noReload }: StudioArguments): string[] {
  const where = ["--host", HOST, "--port", String(port), "--config", configPath];
  const how = ["--no-browser", ...(noReload ? ["--no-reload"] : [])];
  return ["--yes", LANGGRAPH_CLI, "dev", ...how, ...where];
}

/** Refuses a port that is taken: the dev server would stay up and never answer. */
async function assertFree(port: number): Promise<void> {
  const probe = createServer();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  probe.once("error", reject);
  probe.listen({ port, host: HOST, exclusive: true }, resolve);
  try {
    await promise;
  } catch (error) {
    throw new Error(
      `Cannot listen on port ${port}: another program uses it, or this user may not; choose another one with --port`,
      { cause: error },
    );
  }
  probe.close();
  await once(probe, "close");
}

/** Passes standard error on and keeps its end. */
function keepErrors(child: ChildProcess): () => string {
  let kept = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    process.stderr.write(chunk);
    kept = `${kept}${chunk.toString("utf8")}`.slice(-KEPT_CHARACTERS);
  });
  return () => kept;
}

/** Not a setting: npm writes its reason last. */
const KEPT_CHARACTERS = 20_000;

async function waitForExit(child: ChildProcess, config: DevServerConfig): Promise<number | null> {
  const { promise, resolve } = Promise.withResolvers<number | null>();
  child.once("exit", (code) => resolve(code));
  child.once("error", (error) => {
    process.stderr.write(`${error.message}\n`);
    resolve(127);
  });
  try {
    const code = await promise;
    await untilGroupIsGone(child);
    return code;
  } finally {
    await config.remove();
  }
}

/** Not settings: within it the processes end by themselves; then they are killed. */
const [GONE_ASK_MS, GONE_AFTER_MS] = [50, 2_000] as const;

/** Waits until no process of the group is left: each would count as a user of the embedded database. */
async function untilGroupIsGone(child: ChildProcess): Promise<void> {
  for (let waited = 0; signalGroup(child, 0) && waited < 2 * GONE_AFTER_MS; waited += GONE_ASK_MS) {
    if (waited === GONE_AFTER_MS) signalGroup(child, "SIGKILL");
    await delay(GONE_ASK_MS);
  }
}

/** Interval of asking a starting server. Not a setting: it only delays the first line of output. */
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

/** Explains, from its standard error, a server that ended before it answered. Pure. */
export function explainExit(written: string, configPath: string): string {
  const code = /^npm (?:error|ERR!) code (\S+)/m.exec(written)?.[1];
  if (code !== undefined) {
    return `Cannot fetch ${LANGGRAPH_CLI} (npm reports ${code}): connect to the network and run npm run studio once; after that it starts without`;
  }
  return `Cannot start the dev server of "${configPath}": it ended before it answered; its output is above`;
}

function endGroup(child: ChildProcess, killAfterMs: number | undefined): void {
  if (!signalGroup(child, "SIGTERM") || killAfterMs === undefined) return;
  // Not unref'd, and not tied to the first process: others of the group may outlive it.
  setTimeout(() => signalGroup(child, "SIGKILL"), killAfterMs);
}

/** Signals every process of the group; false where none is left. */
function signalGroup(child: ChildProcess, signal: NodeJS.Signals | 0): boolean {
  if (child.pid === undefined) return false;
  if (process.platform === "win32") return child.kill(signal);
  try {
    return process.kill(-child.pid, signal);
  } catch {
    return false;
  }
}
