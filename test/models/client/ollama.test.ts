import { describe, expect, test } from "vitest";
import type { RequestListener } from "node:http";
import type { Json } from "../../../state/json.ts";
import { findLocalEndpoints } from "../../../app/find-local-endpoints.ts";
import type { OpenAIConfig } from "../../../models/config.ts";
import { findOllamaTraits } from "../../../models/client/ollama.ts";
import { createOpenAIModels, type ModelServices } from "../../../models/client/openai.ts";
import { ModelProfileSchema } from "../../../models/profile/profile.ts";
import { endpointAddress } from "../../../models/config.ts";
import { countTokens } from "../../../models/tokens.ts";
import { ModelError, type ModelProfileStore, type NamedSchema } from "../../../state/model.ts";
import { everyRole } from "../../support/every-role.ts";
import { memoryProfiles } from "../../support/memory-profiles.ts";
import { DECISION, modelRequest, openAIConfig } from "../../support/model-requests.ts";
import {
  chatLines,
  OLLAMA_ROUTES,
  serveRoutes,
  type ModelServer,
} from "../../support/model-servers.ts";

const END = { done: true, done_reason: "stop", prompt_eval_count: 40, eval_count: 7 } as const;
const FIND: NamedSchema = {
  name: "find_recipes",
  description: "Finds recipes.",
  schema: {
    type: "object",
    properties: { text: { type: "string" } },
    required: ["text"],
    additionalProperties: false,
  },
};

/** Serves Ollama with an answer to each chat in turn; the last one is given again. */
async function serveOllama(...answers: readonly RequestListener[]): Promise<ModelServer> {
  const left = [...answers];
  return serveRoutes({
    ...OLLAMA_ROUTES,
    "POST /api/chat": (request, response) => {
      const answer = left.length > 1 ? left.shift() : left[0];
      answer?.(request, response);
    },
  });
}

/** Opens a model at a server as the program does at its start. */
async function openModel(
  server: ModelServer,
  changes: Partial<OpenAIConfig> = {},
  services: ModelServices = {},
) {
  const config = openAIConfig(`${server.origin}/v1`, {
    models: everyRole("qwen3:4b"),
    ...changes,
  });
  const local = await findLocalEndpoints(config, {
    store: services.store ?? null,
    answerMs: 20_000,
  });
  return createOpenAIModels(config, {
    limits: { retriesPerCall: 1 },
    countTokens,
    ...services,
    local,
  }).think;
}

function chats({ requests }: ModelServer): readonly (Json | null)[] {
  return requests.flatMap(({ route, body }) => (route === "POST /api/chat" ? [body] : []));
}

const say = (content: string, more: Record<string, Json> = {}): Json => ({
  message: { role: "assistant", content, ...more },
  done: false,
});

test("complete() asks for a window, a bound and a schema, and reads the answer", async () => {
  const server = await serveOllama(
    chatLines(say("", { thinking: "Two days are free." }), say('{"decision":'), say('"ask"}'), {
      ...END,
      message: { role: "assistant", content: "" },
    }),
  );
  const model = await openModel(server);

  const answer = await model.complete(modelRequest({ schema: DECISION }));

  expect(answer).toMatchObject({
    json: { decision: "ask" },
    truncated: false,
    usage: { input: 40, cached: 0, output: 7 },
  });
  expect(chats(server)).toEqual([
    {
      model: "qwen3:4b",
      messages: [
        { role: "system", content: "You plan meals." },
        { role: "user", content: "Something quick on Tuesday" },
      ],
      stream: true,
      options: { num_ctx: 8_192, num_predict: 4_596 },
      format: DECISION.schema,
      think: true,
    },
  ]);
});

test("complete() streams text as it comes, without the thoughts beside it", async () => {
  const server = await serveOllama(
    chatLines(say("", { thinking: "Hm." }), say("Gladly"), say(": soup."), END),
  );
  const pieces: string[] = [];

  const answer = await (
    await openModel(server)
  ).complete(modelRequest({ role: "reply", onText: (piece) => pieces.push(piece) }));

  expect([pieces, answer.text]).toEqual([["Gladly", ": soup."], "Gladly: soup."]);
  expect(chats(server)).toMatchObject([{ think: false }]);
});

test("complete() asks for tool calls as a list, in answer and history", async () => {
  const listed = { calls: [{ tool: "find_recipes", arguments: { text: "soup" } }] };
  const server = await serveOllama(chatLines(say(JSON.stringify(listed)), END));
  const call = { id: "call_1", name: "find_recipes", args: { text: "rice" }, argsError: null };

  const answer = await (
    await openModel(server)
  ).complete(
    modelRequest({
      role: "act",
      tools: [FIND],
      toolChoice: "required",
      messages: [
        { role: "user", text: "Soup, please" },
        { role: "assistant", text: "", toolCalls: [call] },
        { role: "tool", callId: "call_1", name: "find_recipes", text: "nothing found" },
      ],
    }),
  );

  expect(answer.toolCalls).toEqual([
    { id: "call_1", name: "find_recipes", args: { text: "soup" }, argsError: null },
  ]);
  const [sent] = chats(server);
  expect(sent).toMatchObject({
    messages: [
      { role: "user" },
      {
        role: "assistant",
        content: '{"calls":[{"tool":"find_recipes","arguments":{"text":"rice"}}]}',
      },
      { role: "user", content: "Result of find_recipes (call_1):\nnothing found" },
    ],
  });
  expect(Object.keys(sent ?? {})).not.toContain("tools");
});

test("complete() sends the window that was set", async () => {
  const server = await serveOllama(chatLines(say("Yes."), END));

  await (await openModel(server, { window: 32_000 })).complete(modelRequest());

  expect(chats(server)).toMatchObject([{ options: { num_ctx: 32_000 } }]);
});

test("complete() learns that a prompt was cut from the tokens that were read", async () => {
  const end = { ...END, prompt_eval_count: 2_048 };
  const server = await serveOllama(...Array.from({ length: 2 }, () => chatLines(say("Yes."), end)));
  const store = memoryProfiles();
  const model = await openModel(server, { window: null, reasoningTokens: 0 }, { store });
  const long = modelRequest({ messages: [{ role: "user", text: "soup and rice ".repeat(1_500) }] });

  const learned = [await model.complete(long), await model.complete(long)].map(
    ({ call }) => call?.learned,
  );

  expect(learned).toEqual([[], ["it read 2048 tokens of a longer prompt"]]);
});

test("complete() asks again without the switch for thinking where a model has none", async () => {
  const server = await serveOllama(
    (_request, response) => {
      response.writeHead(400, { "content-type": "application/json" });
      response.end('{"error":"\\"qwen3:4b\\" does not support thinking"}');
    },
    chatLines(say("Yes."), END),
  );

  const answer = await (await openModel(server)).complete(modelRequest());

  expect([answer.text, answer.call?.learned]).toEqual(["Yes.", ["thinking cannot be turned down"]]);
  expect(chats(server).map((sent) => Object.keys(sent ?? {}).includes("think"))).toEqual([
    true,
    false,
  ]);
});

test("complete() doubles the room of an answer that was cut, once", async () => {
  const cut = { ...END, done_reason: "length" };
  const server = await serveOllama(
    chatLines(say('{"deci'), cut),
    chatLines(say('{"decision":"act"}'), END),
  );

  const answer = await (
    await openModel(server, { reasoningTokens: 0 })
  ).complete(modelRequest({ schema: DECISION }));

  expect(answer.json).toEqual({ decision: "act" });
  expect(chats(server)).toMatchObject([
    { options: { num_predict: 500 } },
    { options: { num_predict: 1_000 } },
  ]);
});

test("complete() asks again where an answer ends before its last piece", async () => {
  const server = await serveOllama(
    chatLines(say('{"decision":"act"}')),
    chatLines(say('{"decision":"wait"}'), END),
  );

  const answer = await (await openModel(server)).complete(modelRequest({ schema: DECISION }));

  expect(answer.json).toEqual({ decision: "wait" });
});

test.each([
  ["fails", [say("Gla"), { error: "out of memory" }]],
  ["ends", [say("Gla")]],
])("complete() begins an answer anew that %s in the middle", async (_, lines) => {
  const server = await serveOllama(chatLines(...lines), chatLines(say("Gladly."), END));
  const pieces: string[] = [];

  const answer = await (
    await openModel(server)
  ).complete(
    modelRequest({ onText: (piece) => pieces.push(piece), onRestart: () => pieces.splice(0) }),
  );

  expect([answer.text, pieces]).toEqual(["Gladly.", ["Gladly."]]);
});

const refuse =
  (status: number, body: string, headers: Record<string, string> = {}): RequestListener =>
  (_request, response) =>
    void response.writeHead(status, headers).end(body);

test.each<[string, RequestListener, Partial<ModelError>]>([
  [
    "an unknown model",
    refuse(404, '{"error":"model \\"qwen3:4b\\" not found"}'),
    { code: "model_unknown" },
  ],
  ["a rejected key", refuse(401, '{"error":"unauthorized"}'), { code: "model_key_rejected" }],
  [
    "a full server",
    refuse(503, '{"error":"busy"}', { "retry-after": "200" }),
    { code: "model_rate_limited", seconds: 200 },
  ],
  ["a web page", refuse(200, "<html>Welcome</html>"), { code: "model_failed" }],
  [
    "a failure in the middle",
    chatLines(say("Gla"), { error: "out of memory" }),
    { code: "model_failed" },
  ],
  ["an answer without an end", chatLines(say("Gla")), { code: "model_failed" }],
  [
    "a redirect",
    refuse(307, "", { location: "http://127.0.0.1:9/api/chat" }),
    { code: "model_unreachable" },
  ],
])("complete() rejects %s with its code", async (_, answer, expected) => {
  const server = await serveOllama(answer);
  const model = await openModel(server);

  const failed = model.complete(modelRequest({ onText: () => undefined }));

  await expect(failed).rejects.toBeInstanceOf(ModelError);
  await expect(failed).rejects.toMatchObject(expected);
});

test("complete() stops with its caller", async () => {
  const stop = new AbortController();
  const server = await serveOllama((_request, response) => {
    response.write(`${JSON.stringify(say("Gla"))}\n`);
    stop.abort();
  });

  const failed = (await openModel(server)).complete(modelRequest({ signal: stop.signal }));

  await expect(failed).rejects.toMatchObject({ code: "model_aborted" });
});

describe("findLocalEndpoints()", () => {
  test("remembers Ollama for a start at which it does not answer in time", async () => {
    const server = await serveOllama(chatLines(say("Yes."), END));
    const store: ModelProfileStore = memoryProfiles();
    await (await openModel(server, {}, { store })).complete(modelRequest());
    const config = openAIConfig("http://127.0.0.1:9/v1", { models: everyRole("qwen3:4b") });
    const key = { endpoint: endpointAddress(`${server.origin}/v1`), model: "qwen3:4b" };
    const stored = ModelProfileSchema.parse(await store.load(key));
    await store.update({ ...key, endpoint: config.baseUrl }, () => ({ ...stored, evidence: {} }));

    const found = await findLocalEndpoints(config, { store });

    expect([stored.dialect, [...found]]).toEqual([
      "ollama",
      [["http://127.0.0.1:9", { dialect: "ollama", server: null }]],
    ]);
  });

  test("takes OpenAI's route where nothing is known, or another server answers", async () => {
    const other = await serveRoutes({ "GET /v1/models": { data: [] } });

    const found = await Promise.all(
      ["http://127.0.0.1:9/v1", `${other.origin}/v1`, "https://models.example/v1"].map((url) =>
        findLocalEndpoints(openAIConfig(url), { store: memoryProfiles(), answerMs: 20_000 }),
      ),
    );

    expect(found.map(({ size }) => size)).toEqual([0, 0, 0]);
  });
});

test.each([
  ["gpt-oss:20b", { reasoningControl: "think", reasoningStyle: "field" } as const, "effort"],
  ["qwen3:4b", {}, "think"],
  ["some-model", { reasoningControl: "think", reasoningStyle: "field" } as const, "think"],
  ["llama3.3", {}, undefined],
])("findOllamaTraits() knows how %s is told to think less", (name, told, control) => {
  expect(findOllamaTraits(name, told).reasoningControl).toBe(control);
});
