import { expect, test } from "vitest";
import { readConfig } from "../../app/config.ts";
import { openModels } from "../../app/open-models.ts";
import { converse } from "../support/converse.ts";
import { testDatabase } from "../support/database.ts";
import { serveHttp } from "../support/http-server.ts";
import { eventsIn, runCli } from "../support/run-cli.ts";

const database = await testDatabase();

interface Endpoint {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

const JSON_TYPE = "application/json";

/** Starts an endpoint that gives every request the same answer; null drops the connection. */
async function startEndpoint(answer: Endpoint | null): Promise<string> {
  const port = await serveHttp((_request, response) => {
    if (answer === null) response.destroy();
    else response.writeHead(answer.status, { "content-type": answer.type }).end(answer.body);
  });
  return `http://127.0.0.1:${port}/v1`;
}

async function chat(url: string, args: readonly string[] = [], env = {}) {
  return runCli({
    command: "chat",
    args,
    input: "put eggs on my shopping list\n",
    env: {
      DATABASE_URL: database.url,
      OPENAI_API_KEY: "sk-wrong",
      OPENAI_BASE_URL: url,
      OPENAI_MODEL: "m",
      ...env,
    },
  });
}

function failure(status: number, code?: string): Endpoint {
  return { status, type: JSON_TYPE, body: JSON.stringify({ error: { message: "no", code } }) };
}

function listAdvice(text: string): RegExp[] {
  return [REPAIR, LATER, REWORD].filter((advice) => advice.test(text));
}

const REPAIR = /Whoever runs the program has to .+ will not help\./u;
const LATER = /Please try again (?:later|in a minute)/u;
const REWORD = /Please put it another way/u;

test.each<[string, Endpoint | null, RegExp]>([
  ["401", failure(401), REPAIR],
  ["404", failure(404), REPAIR],
  ["429", failure(429), LATER],
  ["HTML", { status: 200, type: "text/html", body: "<html><body>Sign in</body></html>" }, LATER],
  ["nothing", null, LATER],
])("chat exits 1 when the endpoint answers %s, with fitting advice", async (_, answer, advice) => {
  const url = await startEndpoint(answer);
  const { exitCode, stdout, stderr } = await chat(url);

  expect(exitCode).toBe(1);
  expect(listAdvice(stdout)).toEqual([advice]);
  // The sentence for whoever runs the program names the endpoint, the reply does not.
  expect(stdout).not.toMatch(/127\.0\.0\.1|OPENAI|sk-wrong/u);
  expect(stderr.split(`Cannot get an answer from model "m" at ${new URL(url).host}`)).toHaveLength(
    2,
  );
});

test.each<[string, Endpoint, RegExp]>([
  ["403", failure(403), REPAIR],
  ["429 without credit", failure(429, "insufficient_quota"), REPAIR],
  ["503", failure(503), LATER],
  ["413", failure(413), REWORD],
  ["400", failure(400), REWORD],
  ["a refusal", failure(400, "content_filter"), REWORD],
])("a reply has fitting advice when the endpoint answers %s", async (_, answer, advice) => {
  const { model } = readConfig({
    OPENAI_API_KEY: "sk-wrong",
    OPENAI_BASE_URL: await startEndpoint(answer),
    OPENAI_MODEL: "m",
  });
  const { models } = await openModels(model);
  await converse(
    database,
    async ({ say }) => {
      const { replies } = await say("put eggs on my shopping list");
      expect(listAdvice(replies.join("\n"))).toEqual([advice]);
    },
    { models },
  );
});

test("chat asks an endpoint that is silent once, not once for each node", async () => {
  let requests = 0;
  const port = await serveHttp(() => void (requests += 1));
  const { exitCode, stdout } = await chat(`http://127.0.0.1:${port}/v1`, [], {
    CONCIERGE_LIMITS: "modelSeconds=1",
  });

  expect({ exitCode, requests }).toEqual({ exitCode: 1, requests: 1 });
  expect(stdout).toMatch(LATER);
});

test("chat --json exits 1 when the endpoint rejects the key, and its events tell why", async () => {
  const { exitCode, stdout } = await chat(await startEndpoint(failure(401)), ["--json"]);

  const codes = eventsIn(stdout).flatMap((event) =>
    event.type === "turn-end" ? event.summary.notices.map(({ code }) => code) : [],
  );
  expect(exitCode).toBe(1);
  expect(codes).toContain("model_key_rejected");
});
