import { execFile, spawnSync } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { TurnEventSchema } from "../../state/event.ts";
import { startCuttingProxy } from "../support/cutting-proxy.ts";
import { openSdkServer, type SdkServer } from "../support/sdk-server.ts";

const run = promisify(execFile);

const ROOT = join(import.meta.dirname, "../..");
const EXAMPLES = join(ROOT, "examples");
const QUESTION = "What do I have in the pantry?";
/** The user of a server without authentication has no rows in a test's database. */
const ANSWER = "I found no inventory items that fit.";

let server: SdkServer;

beforeAll(async () => {
  server = await openSdkServer();
});

afterAll(async () => {
  await server.close();
});

/** Exit code and output of an example. */
async function play(command: string, args: readonly string[], url: string) {
  const env = { PATH: process.env["PATH"], LANG: "C.UTF-8", CONCIERGE_URL: url };
  try {
    return { exitCode: 0, ...(await run(command, args, { env, timeout: 60_000 })) };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { exitCode: code, stdout, stderr };
  }
}

test("typescript: leaves in mid-turn and misses nothing of the rest", async () => {
  const script = join(EXAMPLES, "typescript/chat.ts");

  const { exitCode, stdout, stderr } = await play(process.execPath, [script, QUESTION], server.url);

  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  const nodes = stdout.split("\n").filter((line) => line.startsWith("· "));
  expect(nodes).toEqual(
    ["intake", "understand", "act", "tools", "reply", "summarize", "finish"].map((n) => `· ${n}`),
  );
  const left = stdout.indexOf("left after event ");
  expect(left).toBeGreaterThan(stdout.indexOf("· understand"));
  expect(stdout.slice(0, left)).not.toContain("· act");
  expect(stdout.slice(left)).toContain(ANSWER);
  expect(stdout).toMatch(/^in the thread: 2 messages$/m);
}, 120_000);

test("react: the page's types hold against the SDK's and React's", async () => {
  const compiler = join(ROOT, "node_modules/typescript/bin/tsc");
  const project = join(EXAMPLES, "react");

  const { exitCode, stdout } = await play(process.execPath, [compiler, "-p", project], "");

  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: "" });
}, 120_000);

const python = spawnSync("python3", ["-c", "import sys; sys.exit(sys.version_info < (3, 9))"]);
const why = python.status === 0 ? "" : " (skipped: there is no python3 of 3.9 or newer)";

describe.skipIf(python.status !== 0)(`python${why}`, () => {
  const script = join(EXAMPLES, "python/chat.py");

  test("prints what is done and what is said", async () => {
    const { exitCode, stdout, stderr } = await play("python3", [script, QUESTION], server.url);

    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(stdout).toContain("· understand");
    expect(stdout).toContain(ANSWER);
  }, 120_000);

  test("comes back where it was cut off: every event once and in order", async () => {
    const proxy = await startCuttingProxy(server.url, { marker: "event: node-end", times: 2 });
    onTestFinished(() => proxy.close());

    const { exitCode, stdout, stderr } = await play(
      "python3",
      [script, "--json", QUESTION],
      proxy.url,
    );

    expect(exitCode).toBe(0);
    expect(proxy.cuts()).toBe(2);
    expect(stderr.match(/lost after event \d+/g)).toHaveLength(2);
    const lines = stdout
      .trimEnd()
      .split("\n")
      .map((line): unknown => JSON.parse(line));
    expect(lines.at(-1)).toMatchObject({ type: "end", status: "success" });
    const events = lines.slice(0, -1).map((line) => TurnEventSchema.parse(line));
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
    expect(events.at(0)?.type).toBe("turn-start");
    expect(events.at(-1)?.type).toBe("turn-end");
  }, 120_000);

  test("says what the server refuses", async () => {
    const { exitCode, stderr } = await play("python3", [script, " "], server.url);

    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^Cannot chat: [a-z_]+: /);
  }, 120_000);

  test("gives up on a server that is not there, in one sentence", async () => {
    const { exitCode, stderr } = await play(
      "python3",
      [script, "--tries", "1", QUESTION],
      "http://127.0.0.1:1",
    );

    expect(exitCode).toBe(1);
    expect(stderr.trimEnd().split("\n")).toEqual([
      expect.stringMatching(/^cannot reach http:\/\/127\.0\.0\.1:1: .*; trying again$/),
      expect.stringMatching(/^Cannot chat: gave up: /),
    ]);
  }, 120_000);
});
