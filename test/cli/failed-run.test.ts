import { expect, test } from "vitest";
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

async function chat(url: string, args: readonly string[] = []) {
  return runCli({
    command: "chat",
    args,
    input: "put eggs on my shopping list\n",
    env: {
      DATABASE_URL: database.url,
      OPENAI_API_KEY: "sk-wrong",
      OPENAI_BASE_URL: url,
      OPENAI_MODEL: "m",
      CONCIERGE_MODEL_RETRIES: "0",
    },
  });
}

function failure(status: number): Endpoint {
  return { status, type: JSON_TYPE, body: '{"error":{"message":"no"}}' };
}

test.each<[string, Endpoint | null]>([
  ["401", failure(401)],
  ["404", failure(404)],
  ["429", failure(429)],
  ["HTML", { status: 200, type: "text/html", body: "<html><body>Sign in</body></html>" }],
  ["nothing", null],
])("chat exits 1 when the endpoint answers %s", async (_, answer) => {
  const { exitCode, stdout } = await chat(await startEndpoint(answer));

  expect({ exitCode, hasReply: stdout.trim() !== "" }).toEqual({ exitCode: 1, hasReply: true });
});

test("chat --json exits 1 when the endpoint rejects the key, and its events tell why", async () => {
  const { exitCode, stdout } = await chat(await startEndpoint(failure(401)), ["--json"]);

  const codes = eventsIn(stdout).flatMap((event) =>
    event.type === "turn-end" ? event.summary.notices.map(({ code }) => code) : [],
  );
  expect(exitCode).toBe(1);
  expect(codes).toContain("model_key_rejected");
});
