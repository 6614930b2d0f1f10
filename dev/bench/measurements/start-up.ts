import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { median } from "../figures.ts";
import type { Measurement } from "../measurement.ts";

/**
 * Seconds from the command to the moment in which `npm run chat` takes the first message.
 *
 * Cold: no data folder and no compiled code, as on the first start ever. Warm: both are there, and
 * the database has to be started. Beside another: it runs already. Measured from outside, on the
 * line that names the thread, which is written when everything is ready. The files themselves may
 * be in the system's cache.
 */
export const startUp: Measurement = {
  name: "start-up",
  about: "Seconds until the chat takes a message, cold and warm",
  async run({ quick, progress }) {
    const cold: number[] = [];
    const warm: number[] = [];
    const beside: number[] = [];
    for (let time = 0; time < (quick ? 1 : 5); time += 1) {
      progress(`start ${time + 1}`);
      const home = await mkdtemp(join(tmpdir(), "concierge-start-"));
      try {
        cold.push(await timeStart(home));
        warm.push(await timeStart(home));
        const other = await startChat(home);
        try {
          beside.push(await timeStart(home));
        } finally {
          await other.end();
        }
      } finally {
        await rm(home, { recursive: true, force: true });
      }
    }
    return [
      {
        title: "From the command to the first prompt of the chat",
        columns: ["start", "seconds"],
        rows: [
          ["cold: first start ever", median(cold) / 1_000],
          ["warm", median(warm) / 1_000],
          ["warm, beside another", median(beside) / 1_000],
        ],
        notes: ["medians; the embedded PostgreSQL, the simulated model"],
      },
    ];
  },
};

const ROOT = join(import.meta.dirname, "../../..");

async function timeStart(home: string): Promise<number> {
  const chat = await startChat(home);
  await chat.end();
  return chat.ms;
}

/** Starts a chat and waits until it is ready. */
async function startChat(
  home: string,
): Promise<{ readonly ms: number; readonly end: () => Promise<void> }> {
  const started = performance.now();
  const child = spawn("npm", ["run", "--silent", "chat", "--", "--model", "simulated"], {
    cwd: ROOT,
    stdio: ["pipe", "ignore", "pipe"],
    env: {
      ...process.env,
      CONCIERGE_DATA_DIR: join(home, "data"),
      NODE_COMPILE_CACHE: join(home, "compiled"),
      // A developer's `.env` must not decide.
      DATABASE_URL: "",
    },
  });
  const closed = once(child, "close");
  const printed: string[] = [];
  let ms: number | null = null;
  for await (const line of createInterface({ input: child.stderr })) {
    printed.push(line);
    if (!line.startsWith("Thread: ")) continue;
    ms = performance.now() - started;
    break;
  }
  if (ms === null) {
    await closed;
    throw new Error(
      `Cannot measure the start of the chat: it ended after printing "${printed.join(" ")}"`,
    );
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
