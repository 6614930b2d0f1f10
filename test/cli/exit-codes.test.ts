import { describe, expect, test } from "vitest";
import type { TurnEvent } from "../../state/event.ts";
import { testDatabase } from "../support/database.ts";
import { eventsIn, runCli, startCli, startPlainCli } from "../support/run-cli.ts";
import {
  endpointError,
  buildModelList,
  isStartCheck,
  serveEndpoint,
  type EndpointScript,
} from "../support/plain-endpoint.ts";

const database = await testDatabase();

const EGGS = "add eggs to the shopping list\n";
/** An answer in plain words to every request. */
const CHAT = {
  status: 200,
  body: JSON.stringify({
    choices: [
      { index: 0, message: { role: "assistant", content: "Sure." }, finish_reason: "stop" },
    ],
  }),
};
const PAGE = { status: 200, type: "text/html", body: "<html><body>Sign in</body></html>" };

/** Lists the model, and answers requests about a message with these words by an error. */
function failingOn(words: string, status: number, code?: string): EndpointScript {
  return ({ path, body }) => {
    if (path === "/models") return buildModelList("m");
    return body.includes(words) ? endpointError(status, code) : null;
  };
}

interface ExitCase {
  readonly exitCode: number;
  /** Null for an endpoint that is not started. */
  readonly script: EndpointScript | null;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  /** The outcomes of the turns. */
  readonly outcomes?: readonly string[];
  /** A part of standard error. */
  readonly says?: RegExp;
}

const CASES: Readonly<Record<string, ExitCase>> = {
  "the key is wrong": {
    exitCode: 3,
    script: () => endpointError(401),
    says: /rejected the key .+ check OPENAI_API_KEY/u,
  },
  "the model is unknown": {
    exitCode: 3,
    script: ({ path }) =>
      path === "/models"
        ? buildModelList("a-long-name", "n", "m-large", "mm")
        : endpointError(404, "model_not_found"),
    says: /"m" .+ the nearest are "n", "mm", "m-large";/u,
  },
  "the account has no credit": {
    exitCode: 3,
    script: failingOn("", 429, "insufficient_quota"),
    says: /no credit left/u,
  },
  "everybody may list the models, and the key is wrong": {
    exitCode: 3,
    script: failingOn("", 401),
    says: /rejected the key .+ check OPENAI_API_KEY/u,
  },
  "the list lacks the model, which answers": {
    exitCode: 0,
    script: ({ path }) => (path === "/models" ? buildModelList("/models/m.gguf") : null),
    outcomes: ["answered null"],
  },
  "the account is used up between two messages": {
    exitCode: 1,
    script: failingOn("eggs", 429, "insufficient_quota"),
    outcomes: ["failed model_no_credit"],
    says: /no credit left/u,
  },
  "a web page answers": {
    exitCode: 3,
    script: () => PAGE,
    says: /not an answer of a chat endpoint/u,
  },
  "the connection is refused": {
    exitCode: 3,
    script: null,
    env: { OPENAI_BASE_URL: "http://127.0.0.1:1/v1" },
    says: /check OPENAI_BASE_URL and the network/u,
  },
  "the host has no address": {
    exitCode: 3,
    script: null,
    env: { OPENAI_BASE_URL: "http://nowhere.invalid/v1" },
    says: /check OPENAI_BASE_URL and the network/u,
  },
  "a setting is wrong": {
    exitCode: 2,
    script: () => null,
    env: { CONCIERGE_LOG: "loud" },
    says: /CONCIERGE_LOG "loud" .*must be one of/u,
  },
  "the database is away": {
    exitCode: 4,
    script: () => buildModelList("m"),
    env: { DATABASE_URL: "postgres://nobody@127.0.0.1:1/nothing" },
    says: /database/u,
  },
  "one of two messages fails": {
    exitCode: 1,
    script: failingOn("add milk", 402),
    input: `${EGGS}add milk to the shopping list\n`,
    outcomes: ["answered null", "failed model_no_credit"],
  },
  "all is well": {
    exitCode: 0,
    script: ({ path }) => (path === "/models" ? buildModelList("m") : null),
    outcomes: ["answered null"],
  },
  "no answer can be used": {
    exitCode: 1,
    script: (request) => {
      if (request.path === "/models") return buildModelList("m");
      return isStartCheck(request) ? null : CHAT;
    },
    outcomes: ["failed model_answer_unusable"],
    says: /the answer of "think" could not be used: it was not JSON/u,
  },
  "the turn's budget is used up": {
    exitCode: 1,
    script: ({ path }) => (path === "/models" ? buildModelList("m") : null),
    env: { CONCIERGE_BUDGET: "turn=2000t" },
    outcomes: ["failed budget_reached"],
    says: /the turn's budget is used up/u,
  },
  "one node gets no answer": {
    exitCode: 0,
    script: failingOn('"name":"understand"', 402),
    outcomes: ["degraded model_no_credit"],
    says: /no credit left/u,
  },
};

/** One case for each exit code: what is printed for a person, too, depends on the outcome alone. */
const PIPED: ReadonlySet<string> = new Set([
  "the key is wrong",
  "a setting is wrong",
  "the database is away",
  "one of two messages fails",
  "no answer can be used",
  "one node gets no answer",
]);

describe.each([
  ["piped", [], Object.entries(CASES).filter(([name]) => PIPED.has(name))],
  ["with --json", ["--json"], Object.entries(CASES)],
])("chat %s", (_form, args, cases) => {
  test.each(cases)("exits with the code of the case: %s", async (_name, one) => {
    const endpoint = one.script === null ? null : await serveEndpoint(one.script);
    const env = settings(endpoint?.url ?? "", one.env);
    const { exitCode, stdout, stderr } = await runCli({
      command: "chat",
      args,
      input: one.input ?? EGGS,
      env,
    });

    expect({ exitCode, stderr: exitCode === one.exitCode ? "" : stderr }).toEqual({
      exitCode: one.exitCode,
      stderr: "",
    });
    expect(stderr).toMatch(one.says ?? /^/u);
    // The person's words name no part of the machine.
    const words = args.length === 0 ? stdout : "";
    expect(words).not.toMatch(/127\.0\.0\.1|OPENAI|sk-wrong|\b40\d\b/u);
    const events = args.length === 0 ? null : listOutcomes(stdout);
    expect(events ?? one.outcomes ?? []).toEqual(one.outcomes ?? []);
  });
});

test("chat piped exits with 130 when Ctrl-C has stopped its last message", async () => {
  const { endpoint, reached } = await serveSilence();
  const chat = startPlainCli({ command: "chat", env: settings(endpoint.url) });
  chat.child.stdin.end(EGGS);
  await reached;
  chat.child.kill("SIGINT");

  expect(await chat.ended()).toBe(130);
});

test("chat with --json exits with 130 when Ctrl-C has stopped a message and the next is answered", async () => {
  const { endpoint, reached } = await serveSilence({ calls: 1 });
  const chat = startCli({ command: "chat", args: ["--json"], env: settings(endpoint.url) });
  chat.child.stdin.end(`${EGGS}add milk to the shopping list\n`);
  await reached;
  chat.child.kill("SIGINT");
  const { exitCode } = await chat.ended();

  expect(listEnds(chat.events)).toEqual(["degraded stopped", "answered null"]);
  expect(exitCode).toBe(130);
});

test("chat piped exits with 130 when it is interrupted", async () => {
  const { endpoint, reached } = await serveSilence();
  const chat = startPlainCli({ command: "chat", env: settings(endpoint.url) });
  chat.child.stdin.write(EGGS);
  await reached;
  // The first one stops the turn.
  chat.child.kill("SIGINT");
  await chat.until("Stopped before it was finished.");
  chat.child.kill("SIGINT");

  expect(await chat.ended()).toBe(130);
});

test("chat with --json exits with 130 when it is interrupted", async () => {
  const { endpoint, reached } = await serveSilence();
  const env = settings(endpoint.url);
  const chat = startCli({ command: "chat", args: ["--json"], env });
  chat.child.stdin.write(EGGS);
  await reached;
  chat.child.kill("SIGINT");
  const end = await chat.until(({ type }) => type === "turn-end");
  chat.child.kill("SIGINT");

  expect(end).toMatchObject({ outcome: "degraded", code: "stopped" });
  expect((await chat.ended()).exitCode).toBe(130);
});

/** Serves an endpoint that lists its model and leaves the first calls of turns without an answer; `reached` resolves with the first one. */
async function serveSilence({ calls = Number.POSITIVE_INFINITY } = {}) {
  let left = calls;
  const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
  const endpoint = await serveEndpoint((request) => {
    if (request.path === "/models") return buildModelList("m");
    if (isStartCheck(request) || left === 0) return null;
    left -= 1;
    reach();
    return "silence";
  });
  return { endpoint, reached };
}

function settings(url: string, env: Readonly<Record<string, string>> = {}) {
  return {
    DATABASE_URL: database.url,
    OPENAI_API_KEY: "sk-wrong",
    OPENAI_BASE_URL: url,
    OPENAI_MODEL: "m",
    ...env,
  };
}

function listOutcomes(stdout: string): readonly string[] {
  return listEnds(eventsIn(stdout));
}

function listEnds(events: readonly TurnEvent[]): readonly string[] {
  return events.flatMap((event) =>
    event.type === "turn-end" ? [`${event.outcome} ${event.code}`] : [],
  );
}
