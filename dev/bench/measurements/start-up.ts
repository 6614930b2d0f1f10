import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { weighInstall, type InstalledPackage } from "../install-size.ts";
import { median } from "../figures.ts";
import type { Measurement, ResultTable } from "../measurement.ts";

/**
 * Seconds from the command to the moment in which `npm run chat` takes the first message, and what
 * an installation weighs.
 *
 * Cold: no data folder and no compiled code, as on the first start ever. Warm: both are there, and
 * the database has to be started. Beside another: it runs already. Measured from outside, on the
 * line that names the thread, which is written when everything is ready. The files themselves may
 * be in the system's cache.
 */
export const startUp: Measurement = {
  name: "start-up",
  about: "Seconds until the chat takes a message, cold and warm, and the size of an installation",
  async run({ quick, progress }) {
    const cold: number[] = [];
    const warm: number[] = [];
    const beside: number[] = [];
    const withoutNpm: number[] = [];
    for (let time = 0; time < (quick ? 1 : 5); time += 1) {
      progress(`start ${time + 1}`);
      const home = await mkdtemp(join(tmpdir(), "concierge-start-"));
      try {
        cold.push(await timeStart("npm", home));
        warm.push(await timeStart("npm", home));
        const other = await startChat("npm", home);
        try {
          beside.push(await timeStart("npm", home));
          withoutNpm.push(await timeStart("node", home));
        } finally {
          await other.end();
        }
      } finally {
        await rm(home, { recursive: true, force: true });
      }
    }
    progress("size of the installation");
    return [
      {
        title: "From the command to the first prompt of the chat",
        columns: ["start", "seconds"],
        rows: [
          ["cold: first start ever", median(cold) / 1_000],
          ["warm", median(warm) / 1_000],
          ["warm, beside another", median(beside) / 1_000],
          ["warm, beside another, without npm", median(withoutNpm) / 1_000],
        ],
        notes: ["medians; the embedded PostgreSQL, the simulated model"],
      },
      sizeTable(await weighInstall(ROOT)),
    ];
  },
};

const ROOT = join(import.meta.dirname, "../../..");

type Starter = "npm" | "node";

const COMMANDS: Readonly<Record<Starter, readonly [string, ...string[]]>> = {
  npm: ["npm", "run", "--silent", "chat", "--"],
  node: [process.execPath, "cli/chat.ts"],
};

async function timeStart(starter: Starter, home: string): Promise<number> {
  const chat = await startChat(starter, home);
  await chat.end();
  return chat.ms;
}

/** Starts a chat and waits until it is ready. */
async function startChat(
  starter: Starter,
  home: string,
): Promise<{ readonly ms: number; readonly end: () => Promise<void> }> {
  const [command, ...args] = COMMANDS[starter];
  const started = performance.now();
  const child = spawn(command, [...args, "--model", "simulated"], {
    cwd: ROOT,
    stdio: ["pipe", "ignore", "pipe"],
    env: {
      ...process.env,
      CONCIERGE_DATA_DIR: join(home, "data"),
      NODE_COMPILE_CACHE: join(home, "compiled"),
      // Nor what a developer has in `.env`.
      DATABASE_URL: "",
    },
  });
  const closed = once(child, "close");
  const said: string[] = [];
  let ms: number | null = null;
  for await (const line of createInterface({ input: child.stderr })) {
    said.push(line);
    if (!line.startsWith("Thread: ")) continue;
    ms = performance.now() - started;
    break;
  }
  if (ms === null) {
    await closed;
    throw new Error(`Cannot measure the start of the chat: it ended, saying "${said.join(" ")}"`);
  }
  child.stderr.resume();
  return {
    ms,
    end: async () => {
      child.stdin.end();
      await closed;
    },
  };
}

const HEAVIEST = 6;

function sizeTable(packages: readonly InstalledPackage[]): ResultTable {
  const production = packages.filter(({ dev }) => !dev);
  const heaviest = packages.toSorted((a, b) => b.bytes - a.bytes).slice(0, HEAVIEST);
  return {
    title: "Size of an installation",
    columns: ["what", "packages", "MB"],
    rows: [
      ["everything, as npm ci installs it", packages.length, megabytes(packages)],
      ["without what only development needs", production.length, megabytes(production)],
      ...heaviest.map((heavy) => [
        `${heavy.dev ? "development" : "production"}: ${heavy.name}`,
        1,
        megabytes([heavy]),
      ]),
    ],
    notes: ["on disk; the Node that the project brings counts as development"],
  };
}

function megabytes(packages: readonly InstalledPackage[]): number {
  return Math.round(packages.reduce((sum, { bytes }) => sum + bytes, 0) / 1e6);
}
