import { createServer, type FixtureResponse } from "@copilotkit/aimock";
import { afterEach, expect, test } from "vitest";
import { createOpenAIModels } from "../../../models/client/openai.ts";
import type { LanguageModel } from "../../../state/model.ts";
import { DECISION, modelRequest, openAIConfig } from "../../support/model-requests.ts";
import { everyRole } from "../../support/every-role.ts";

const REQUEST = modelRequest();
const USAGE = { input_tokens: 50, output_tokens: 5 };

const servers: { close(): void; closeAllConnections(): void }[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

/** LangChain asks models of this name through the Responses API, whatever was configured. */
async function start(
  response: FixtureResponse,
): Promise<{ model: LanguageModel; paths: string[] }> {
  const { server, url } = await createServer([{ match: {}, response }], {
    port: 0,
    host: "127.0.0.1",
    chunkSize: 7,
  });
  servers.push(server);
  const paths: string[] = [];
  server.prependListener("request", (request: { url?: string }) => paths.push(request.url ?? ""));
  const models = createOpenAIModels(
    openAIConfig(`${url}/v1`, { models: everyRole("gpt-5.6"), reasoningTokens: 0 }),
  );
  return { model: models.think, paths };
}

test("complete() streams over the Responses API", async () => {
  const { model, paths } = await start({ content: "Soup on Monday.", usage: USAGE });
  const pieces: string[] = [];

  const answer = await model.complete({ ...REQUEST, onText: (piece) => pieces.push(piece) });

  const usage = { input: 50, cached: 0, output: 5 };
  expect(answer).toMatchObject({ text: "Soup on Monday.", toolCalls: [], truncated: false, usage });
  expect(pieces).toEqual(["Soup on", " Monday", "."]);
  expect(paths).toEqual(["/v1/responses"]);
});

test.each([
  ["JSON", '{"decision":"act"}', { decision: "act" }],
  ["no JSON", "Certainly!", undefined],
])("complete() gives back %s over the Responses API", async (_, content, json) => {
  const { model } = await start({ content, usage: USAGE });

  const answer = await model.complete({ ...REQUEST, schema: DECISION });

  expect(answer).toMatchObject({ text: content, json });
});

test.each([null, () => undefined])(
  "complete() reads tool calls over the Responses API (onText %s)",
  async (onText) => {
    const { model } = await start({
      toolCalls: [{ id: "call_a", name: "decision", arguments: '{"decision":"act"}' }],
      usage: USAGE,
    });

    const request = { ...REQUEST, tools: [DECISION], toolChoice: "required", onText } as const;
    const [call] = (await model.complete(request)).toolCalls;

    expect(call).toMatchObject({ id: "call_a", name: "decision", args: { decision: "act" } });
  },
);

test.each([
  ["length", null, true],
  ["length", () => undefined, true],
  ["stop", null, false],
  ["stop", () => undefined, false],
])(
  "complete() of an answer that ends by %s says whether it was cut (onText %s)",
  async (finishReason, onText, truncated) => {
    const { model } = await start({ content: "Soup on Mon", finishReason, usage: USAGE });

    const answer = await model.complete({ ...REQUEST, onText });

    expect(answer).toMatchObject({ text: "Soup on Mon", truncated });
  },
);
