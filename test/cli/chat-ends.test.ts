import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { testDatabase } from "../support/database.ts";
import { checkEventOrder } from "../support/event-order.ts";
import { readInbox } from "../support/fresh-kitchen.ts";
import { serveHttp } from "../support/http-server.ts";
import { isStartCheck } from "../support/plain-endpoint.ts";
import { runCli, startCli } from "../support/run-cli.ts";

const database = await testDatabase();
const env = { DATABASE_URL: database.url };

/** An endpoint that never answers the first request of a turn, and refuses every other. */
async function stallingEndpoint(): Promise<{
  readonly url: string;
  readonly asked: Promise<void>;
}> {
  const { promise: asked, resolve } = Promise.withResolvers<void>();
  let requests = 0;
  const port = await serveHttp((request, response) => {
    // The check at the start.
    if (request.url === "/v1/models") {
      response.writeHead(200, { "content-type": "application/json" }).end('{"data":[]}');
      return;
    }
    // Servers on this machine are asked which they are.
    if (request.url?.startsWith("/v1/") !== true) {
      response.writeHead(404).end();
      return;
    }
    void (async () => {
      const body = await text(request);
      requests += isStartCheck({ path: "/chat/completions", body }) ? 0 : 1;
      if (requests === 1) resolve();
      else response.writeHead(400).end();
    })();
  });
  return { url: `http://127.0.0.1:${port}/v1`, asked };
}

function stalling(url: string) {
  return { ...env, OPENAI_BASE_URL: url, OPENAI_MODEL: "slow" };
}

async function readOutcomes(threadId: string): Promise<unknown[]> {
  const messages = await readInbox(database, threadId);
  return messages.map(({ text, outcome }) => ({ text, outcome }));
}

test("Ctrl-C stops the turn that runs, and the next message goes on", async () => {
  const { url, asked } = await stallingEndpoint();
  const chat = startCli({ command: "chat", args: ["--json"], env: stalling(url) });

  chat.child.stdin.end("plan my week\nand now?\n");
  await asked;
  chat.child.kill("SIGINT");
  const { exitCode } = await chat.ended();

  // The endpoint refuses the second message, so that one has no answer.
  expect(exitCode).toBe(1);
  expect(checkEventOrder(chat.events)).toEqual([]);
  const ends = chat.events.filter(({ type }) => type === "turn-end" || type === "error");
  expect(ends).toMatchObject([
    { type: "turn-end", turn: 1, summary: { notices: [{ code: "stopped" }] } },
    { type: "turn-end", turn: 2 },
  ]);
  expect(await readOutcomes(chat.events[0]?.thread ?? "")).toEqual([
    { text: "plan my week", outcome: "stopped" },
    { text: "and now?", outcome: "answered" },
  ]);
});

test("a second Ctrl-C ends the chat with 130", async () => {
  const { url, asked } = await stallingEndpoint();
  const chat = startCli({ command: "chat", args: ["--json"], env: stalling(url) });

  chat.child.stdin.write("plan my week\n");
  await asked;
  chat.child.kill("SIGINT");
  await chat.until(({ type }) => type === "turn-end");
  chat.child.kill("SIGINT");
  const { exitCode } = await chat.ended();

  expect(exitCode).toBe(130);
  expect(checkEventOrder(chat.events)).toEqual([]);
});

test("SIGTERM stops the turn and ends the chat with 143, and no message is lost", async () => {
  const { url, asked } = await stallingEndpoint();
  const chat = startCli({ command: "chat", args: ["--json"], env: stalling(url) });

  chat.child.stdin.write("plan my week\nnever taken\n");
  await asked;
  chat.child.kill("SIGTERM");
  const { exitCode } = await chat.ended();

  expect(exitCode).toBe(143);
  expect(checkEventOrder(chat.events)).toEqual([]);
  expect(await readOutcomes(chat.events[0]?.thread ?? "")).toEqual([
    { text: "plan my week", outcome: "stopped" },
  ]);
});

test("chat ends with 0 after the running turn when the reader of its output goes away", async () => {
  const chat = startCli({ command: "chat", args: ["--json"], env });

  chat.child.stdin.end("what's in my fridge?\nand the freezer?\n");
  const { thread } = await chat.until(({ type }) => type === "turn-start");
  chat.child.stdout.destroy();
  const { exitCode, stderr } = await chat.ended();

  expect(exitCode).toBe(0);
  expect(stderr.trimEnd().split("\n")).toEqual([
    "Model: none is set; the simulated model follows plain commands (set OPENAI_API_KEY, or OPENAI_BASE_URL and OPENAI_MODEL)",
    `Thread: ${thread}`,
  ]);
  expect(await readOutcomes(thread)).toEqual([
    { text: "what's in my fridge?", outcome: "answered" },
  ]);
});

test("chat exits 4 when the database cannot be reached, without its password in the message", async () => {
  const result = await runCli({
    command: "chat",
    input: "hello\n",
    env: { DATABASE_URL: "postgresql://me:secret@127.0.0.1:9/none" },
  });

  expect(result).toMatchObject({ exitCode: 4, stdout: "" });
  expect(result.stderr.trimEnd().split("\n").at(-1)).toMatch(
    /^Cannot reach the database: .*\(server: 127\.0\.0\.1:9\)$/,
  );
  expect(result.stderr).not.toContain("secret");
});
