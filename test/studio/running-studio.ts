import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { createInterface } from "node:readline";
import { isFetched, LANGGRAPH_CLI } from "../../studio/dev-server.ts";

const ROOT = join(import.meta.dirname, "../..");

/** The reason why the dev server cannot be started without a network; null where it can. */
export async function whyNoDevServer(): Promise<string | null> {
  return (await isFetched())
    ? null
    : `${LANGGRAPH_CLI} is not in npm's cache: npm run studio fetches it`;
}

/** A folder in which a dev server keeps what it keeps beside Postgres. */
export interface StudioFolder {
  readonly configPath: string;
  /** Lets the server forget its list of threads. */
  forget(): void;
  remove(): void;
}

/** Makes a folder with the project's own `langgraph.json`, its paths turned to where it lies. */
export function studioFolder(): StudioFolder {
  const folder = mkdtempSync(join(tmpdir(), "concierge-studio-"));
  const configPath = join(folder, "langgraph.json");
  const text = readFileSync(join(ROOT, "langgraph.json"), "utf8");
  writeFileSync(configPath, text.replaceAll('"./', `"${relative(folder, ROOT)}/`));
  return {
    configPath,
    forget: () => rmSync(join(folder, ".langgraph_api"), { recursive: true, force: true }),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** `npm run studio`, running. */
export interface RunningStudio {
  readonly url: string;
  /** Its output so far. */
  printed(): string;
  /** Ends it; resolves to its exit code. */
  stop(): Promise<number | null>;
}

/** npm, as it is where nothing answers. */
const NO_NETWORK = {
  npm_config_proxy: "http://127.0.0.1:9",
  npm_config_https_proxy: "http://127.0.0.1:9",
  npm_config_noproxy: "",
  npm_config_fetch_retries: "0",
};

/** Starts it on a database and waits until it says where its API is. */
export async function startStudio(options: {
  readonly configPath: string;
  readonly databaseUrl: string;
  readonly env?: Readonly<Record<string, string>>;
}): Promise<RunningStudio> {
  const port = await freePort();
  const args = ["--port", String(port), "--no-reload", "--config", options.configPath];
  const child = spawn(process.execPath, [join(ROOT, "studio/start.ts"), ...args], {
    cwd: join(options.configPath, ".."),
    env: {
      ...process.env,
      DATABASE_URL: options.databaseUrl,
      CONCIERGE_LOG: "silent",
      // Whatever is fetched while it starts is found out.
      ...NO_NETWORK,
      ...options.env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const lines: string[] = [];
  const { promise: ready, resolve, reject } = Promise.withResolvers<void>();
  const exited = once(child, "exit");
  for (const output of [child.stdout, child.stderr]) {
    createInterface({ input: output }).on("line", (line) => {
      lines.push(line);
      if (line.startsWith("The API is at ")) resolve();
    });
  }
  child.once("exit", () => reject(new Error(`Studio has ended:\n${lines.join("\n")}`)));
  await ready;
  return {
    url: `http://127.0.0.1:${port}`,
    printed: () => lines.join("\n"),
    async stop() {
      child.kill("SIGTERM");
      await exited;
      return child.exitCode;
    },
  };
}

/** Finds a port that nothing listens on. */
export async function freePort(): Promise<number> {
  const probe = createServer();
  probe.listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  probe.close();
  await once(probe, "close");
  if (typeof address === "object" && address !== null) return address.port;
  throw new Error("Cannot find a free port: the probe has no address");
}
