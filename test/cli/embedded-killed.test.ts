import { execFile } from "node:child_process";
import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { SIMULATED_WORDS } from "../../meals/simulated.ts";
import { createSimulatedModel } from "../../simulated-model/index.ts";
import { checkEventOrder } from "../support/event-order.ts";
import { chatModelAnswers, startOpenAIMock } from "../support/openai-mock.ts";
import { startCli } from "../support/run-cli.ts";

let dataDir = "";

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "concierge-killed-"));
  // Root's server runs as another user, who has to get at the data folder in it.
  await chmod(dataDir, 0o711);
});

afterAll(() => rm(dataDir, { recursive: true }));

/** Ends the embedded server from outside, with what would answer for a moment longer. */
async function killServer(): Promise<void> {
  const file = await readFile(join(dataDir, "postgres/data/postmaster.pid"), "utf8");
  const server = Number.parseInt(file, 10);
  const { stdout } = await run("ps", ["-A", "-o", "pid=,ppid="]);
  const processes = stdout.split("\n").map((line) => line.trim().split(/\s+/u).map(Number));
  process.kill(server, "SIGKILL");
  for (const [pid, parent] of processes) {
    if (pid === undefined || parent !== server) continue;
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has gone with its server.
    }
  }
}

const run = promisify(execFile);

// A kill that comes before a turn has given its lease back makes the next one wait until that runs out.
test("a chat starts its killed server with the next message, which is answered after an unfinished one", async () => {
  const answer = chatModelAnswers(createSimulatedModel({ words: SIMULATED_WORDS }));
  let killAt = Number.POSITIVE_INFINITY;
  const mock = await startOpenAIMock({
    answer: async (request) => {
      if (mock.requests.length === killAt) await killServer();
      return answer(request);
    },
  });
  onTestFinished(() => mock.close());
  const chat = startCli({
    command: "chat",
    args: ["--json"],
    env: { CONCIERGE_DATA_DIR: dataDir, OPENAI_BASE_URL: mock.baseUrl, OPENAI_MODEL: "m" },
  });
  const answered = (turn: number) =>
    chat.until((event) => event.type === "turn-end" && event.turn === turn);

  chat.child.stdin.write("what's in my fridge?\n");
  await answered(1);
  await killServer();
  chat.child.stdin.write("and the freezer?\n");
  await answered(2);
  killAt = mock.requests.length + 1;
  chat.child.stdin.write("thank you\n");
  await chat.until(({ type }) => type === "error");
  chat.child.stdin.end("are you there?\n");
  await answered(4);
  const { exitCode, stderr } = await chat.ended();

  expect(exitCode).toBe(0);
  expect(checkEventOrder(chat.events, { resumed: true })).toEqual([]);
  const ends = chat.events.flatMap((event): (number | string)[] => {
    if (event.type === "turn-end") return [event.turn];
    return event.type === "error" ? [event.code] : [];
  });
  expect(ends).toEqual([1, 2, "database_unavailable", 3, 4]);
  expect(stderr).not.toMatch(/\n\s+at |\\n\s+at /);
}, 120_000);
