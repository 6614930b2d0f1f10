import { inspect } from "node:util";
import { afterEach, expect, test, vi } from "vitest";
import type { OpenAIConfig } from "../../../models/config.ts";
import { createOpenAIModels, type ModelServices } from "../../../models/client/openai.ts";
import type { LanguageModel, ModelError, NamedSchema } from "../../../state/model.ts";
import { everyRole } from "../../support/every-role.ts";
import { renderSchemaType } from "../../../models/schema/render-schema-type.ts";
import { DECISION, modelRequest, openAIConfig } from "../../support/model-requests.ts";
import {
  FAULTS,
  startOpenAIMock,
  type OpenAIMock,
  type OpenAIMockOptions,
} from "../../support/openai-mock.ts";

const REQUEST = modelRequest();
const KEY = "sk-proj-0123456789abcdefSECRET";
const TOOL: NamedSchema = {
  name: "find_recipes",
  description: "Finds recipes.",
  schema: {
    type: "object",
    properties: { text: { type: "string" }, limit: { type: ["integer", "null"] } },
    required: ["text", "limit"],
    additionalProperties: false,
  },
};

/** An answer but for its text and usage. */
const NOTHING = { json: undefined, toolCalls: [], truncated: false };

const started: OpenAIMock[] = [];
afterEach(async () => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  await Promise.all(started.splice(0).map((mock) => mock.close()));
});

async function start(options: OpenAIMockOptions): Promise<OpenAIMock> {
  const mock = await startOpenAIMock(options);
  started.push(mock);
  return mock;
}

function openModel(
  baseUrl: string,
  changes: Partial<OpenAIConfig> = {},
  limits: ModelServices["limits"] = {},
): LanguageModel {
  return createOpenAIModels(openAIConfig(baseUrl, { apiKey: KEY, ...changes }), { limits }).think;
}

async function catchError(work: Promise<unknown>): Promise<ModelError> {
  try {
    await work;
  } catch (error) {
    // Typed by hand, because the assertions below are what checks it.
    return error as ModelError;
  }
  throw new Error("Cannot look at the failure: there was none");
}

test("complete() sends a plain prompt and reads text and usage", async () => {
  const mock = await start({
    answer: () => ({ text: "Soup.", usage: { input: 1_500, cached: 1_024, output: 3 } }),
  });

  const answer = await openModel(mock.baseUrl).complete(REQUEST);

  const usage = { input: 1_500, cached: 1_024, output: 3 };
  expect(answer).toMatchObject({ ...NOTHING, text: "Soup.", usage });
  expect(mock.requests).toMatchObject([
    {
      model: "gpt-test",
      stream: false,
      max_tokens: 500,
      tools: [],
      response_format: null,
      messages: [
        { role: "system", content: "You plan meals." },
        { role: "user", content: "Something quick on Tuesday" },
      ],
    },
  ]);
});

test.each([
  ["system", '{"decision":"act"}', undefined],
  ["user", 'Example: {"decision":"act"}', undefined],
  ["system", '{"decision":"act"} {"decision":"ask"}', { decision: "ask" }],
] as const)("complete() takes no answer that its %s prompt shows: %s", async (role, text, json) => {
  const mock = await start({ answer: () => ({ text }) });
  const messages = [{ role, text: 'Example\nAnswer: {"decision":"act"}' }];

  const answer = await openModel(mock.baseUrl, { structuredOutput: "json_object" }).complete({
    ...REQUEST,
    messages,
    schema: DECISION,
  });

  expect(answer.json).toEqual(json);
});

test("complete() streams text in order, and the pieces add up", async () => {
  const text = "Monday: lentil soup. Tuesday: crème brûlée 🍮, and nothing else.";
  const usage = { input: 2_000, cached: 1_920, output: 20 };
  const mock = await start({ answer: () => ({ text, usage }) });
  const pieces: string[] = [];
  const onText = (piece: string) => pieces.push(piece);

  const answer = await openModel(mock.baseUrl).complete({ ...REQUEST, onText });

  expect(answer).toMatchObject({ ...NOTHING, text, usage });
  expect(pieces.length).toBeGreaterThan(3);
  expect(pieces.join("")).toBe(text);
  expect(mock.requests[0]?.stream).toBe(true);
});

test.each([null, () => undefined])(
  "complete() reads several tool calls (onText %s)",
  async (onText) => {
    const calls = [
      { id: "call_a", name: TOOL.name, args: { text: "soup with a very long name", limit: 3 } },
      { id: "call_b", name: TOOL.name, args: { text: "“quoted” \\ text", limit: null } },
    ];
    const exact = {
      id: "call_c",
      name: TOOL.name,
      args: '{"text": "", "limit": 9007199254740993}',
    };
    const toolCalls = [...calls, exact];
    const mock = await start({ answer: () => ({ text: "Looking.", toolCalls }) });
    const request = { ...REQUEST, tools: [TOOL], toolChoice: "required", onText } as const;

    const answer = await openModel(mock.baseUrl).complete(request);

    expect(answer).toMatchObject({ text: "Looking.", json: undefined });
    const read = { ...exact, args: { text: "", limit: "9007199254740993" } };
    expect(answer.toolCalls).toMatchObject([...calls, read]);
    expect(answer.toolCalls.map(({ argsError }) => argsError)).toEqual([null, null, null]);
    const { schema, ...named } = TOOL;
    expect(mock.requests[0]).toMatchObject({
      tool_choice: "required",
      tools: [{ type: "function", function: { ...named, strict: true, parameters: schema } }],
    });
  },
);

test.each([null, () => undefined])(
  "complete() says which arguments are not JSON (onText %s)",
  async (onText) => {
    const toolCalls = [
      { id: "call_a", name: TOOL.name, args: '{"text": "soup", "limit": 3' },
      { id: "call_b", name: TOOL.name, args: "" },
    ];
    const mock = await start({ answer: () => ({ toolCalls }) });

    const answer = await openModel(mock.baseUrl).complete({ ...REQUEST, tools: [TOOL], onText });

    const calls = answer.toolCalls.toSorted((a, b) => a.id.localeCompare(b.id));
    expect(calls).toMatchObject([
      { id: "call_a", name: TOOL.name, args: null, argsError: expect.stringMatching(/JSON/) },
      { id: "call_b", argsError: null },
    ]);
  },
);

test("complete() sends tool calls and their results back as they were", async () => {
  const mock = await start({ answer: () => ({ text: "Two soups." }) });

  await openModel(mock.baseUrl).complete({
    ...REQUEST,
    tools: [TOOL],
    messages: [
      ...REQUEST.messages,
      {
        role: "assistant",
        text: "",
        toolCalls: [
          { id: "call_a", name: "find_recipes", args: { text: "soup", limit: 2 }, argsError: null },
          { id: "call_b", name: "find_recipes", args: null, argsError: "not JSON" },
        ],
      },
      { role: "tool", callId: "call_a", name: "find_recipes", text: "recipe_1, recipe_2" },
      { role: "tool", callId: "call_b", name: "find_recipes", text: "arguments were not JSON" },
    ],
  });

  const [, , assistant, ...results] = mock.requests[0]?.messages ?? [];
  expect(assistant?.tool_calls.map((call) => [call.id, call.function.arguments])).toEqual([
    ["call_a", '{"text":"soup","limit":2}'],
    ["call_b", "{}"],
  ]);
  expect(results.map((result) => [result.role, result.tool_call_id, result.content])).toEqual([
    ["tool", "call_a", "recipe_1, recipe_2"],
    ["tool", "call_b", "arguments were not JSON"],
  ]);
});

test("complete() asks for a strict JSON Schema and parses the answer", async () => {
  const mock = await start({ answer: () => ({ json: { decision: "act" } }) });

  const answer = await openModel(mock.baseUrl).complete({ ...REQUEST, schema: DECISION });

  const json = { decision: "act" };
  expect(answer).toMatchObject({ text: JSON.stringify(json), json, toolCalls: [] });
  expect(mock.requests[0]?.response_format).toEqual({
    type: "json_schema",
    json_schema: { name: "decision", strict: true, schema: DECISION.schema },
  });
});

test.each([null, () => undefined])(
  "complete() forces one tool in tool mode (onText %s)",
  async (onText) => {
    const mock = await start({
      answer: () => ({ toolCalls: [{ name: "decision", args: { decision: "ask" } }] }),
    });

    const model = openModel(mock.baseUrl, { structuredOutput: "tool" });
    const answer = await model.complete({ ...REQUEST, schema: DECISION, onText });

    const json = { decision: "ask" };
    expect(answer).toMatchObject({ text: JSON.stringify(json), json, toolCalls: [] });
    expect(mock.requests[0]).toMatchObject({
      response_format: null,
      tool_choice: { function: { name: "decision" } },
      tools: [{ function: { name: "decision", strict: true, parameters: DECISION.schema } }],
    });
  },
);

test("complete() puts the schema into the prompt in JSON mode and finds the object in the text", async () => {
  const mock = await start({
    answer: () => ({ text: 'Here you are:\n```json\n{"decision": "act"}\n```\nAnything else?' }),
  });

  const model = openModel(mock.baseUrl, { structuredOutput: "text" });
  const answer = await model.complete({ ...REQUEST, schema: DECISION });

  expect(answer.json).toEqual({ decision: "act" });
  expect(mock.requests[0]).toMatchObject({ response_format: null, tools: [] });
  expect(mock.requests[0]?.messages.map((message) => message.content)).toEqual([
    [
      "You plan meals.",
      "",
      "## Form of the Answer",
      "",
      "Answer with one JSON object and nothing else: no text before or after it, no Markdown. Every key is required. Its type:",
      "",
      renderSchemaType(DECISION.schema),
    ].join("\n"),
    "Something quick on Tuesday",
  ]);
});

function answerEveryWay(): OpenAIMockOptions["answer"] {
  return ({ tools }) =>
    tools.length > 0
      ? { toolCalls: [{ name: "decision", args: { decision: "act" } }] }
      : { json: { decision: "act" } };
}

test.each([
  { lacks: [], first: 1, again: 1, last: { tools: 0, format: "json_schema" } },
  { lacks: ["json_schema"], first: 2, again: 1, last: { tools: 1, format: null } },
  {
    lacks: ["json_schema", "tools"],
    first: 3,
    again: 1,
    last: { tools: 0, format: "json_object" },
  },
  {
    lacks: ["json_schema", "json_object", "tools"],
    first: 4,
    again: 1,
    last: { tools: 0, format: null },
  },
] as const)("auto finds a way past an endpoint that lacks $lacks, and keeps it", async (row) => {
  const mock = await start({ answer: answerEveryWay(), lacks: row.lacks });
  const model = openModel(mock.baseUrl);

  const answers = [
    await model.complete({ ...REQUEST, schema: DECISION }),
    await model.complete({ ...REQUEST, schema: DECISION }),
  ];

  expect(answers.map((answer) => answer.json)).toEqual([{ decision: "act" }, { decision: "act" }]);
  expect(mock.attempts()).toBe(row.first + row.again);
  expect(mock.requests.at(-1)?.tools).toHaveLength(row.last.tools);
  expect(mock.requests.at(-1)?.response_format?.type ?? null).toBe(row.last.format);
});

test.each([
  ["a schema outside the strict subset", { ...DECISION, schema: { type: "object" } }, []],
  ["an over-long prompt", DECISION, [FAULTS.contextTooLong]],
])("auto does not take %s for a missing way", async (_, schema, faults) => {
  const mock = await start({ answer: answerEveryWay() });
  mock.fail(...faults);

  const error = await catchError(openModel(mock.baseUrl).complete({ ...REQUEST, schema }));

  expect(error.code).toBe(faults.length === 0 ? "model_request_refused" : "model_context_too_long");
  expect(mock.attempts()).toBe(1);
});

test("a way that was set is not left when the endpoint lacks it", async () => {
  const mock = await start({ answer: answerEveryWay(), lacks: ["json_schema"] });
  const model = openModel(mock.baseUrl, { structuredOutput: "json_schema" });

  const error = await catchError(model.complete({ ...REQUEST, schema: DECISION }));

  expect(error.code).toBe("model_request_refused");
  expect(mock.attempts()).toBe(1);
});

test("a failure of the endpoint that passes is retried, and the answer comes", async () => {
  const mock = await start({ answer: () => ({ text: "Soup." }) });
  mock.fail(FAULTS.rateLimited, FAULTS.serverError);

  const answer = await openModel(mock.baseUrl).complete({ ...REQUEST, onText: () => undefined });

  expect(answer.text).toBe("Soup.");
  expect(mock.attempts()).toBe(3);
});

function jsonBody(value: object | string) {
  const body = typeof value === "string" ? value : JSON.stringify(value);
  return { kind: "body", contentType: "application/json", body } as const;
}

test.each([
  ["a web page", FAULTS.webPage],
  ["nothing", jsonBody("")],
  ["half of an answer", jsonBody('{"id":"x","cho')],
  ["an answer without choices", jsonBody({ choices: [] })],
  ["an error without a status", jsonBody({ error: { message: "Provider error", code: 1 } })],
  ["an error in words", jsonBody({ error: "overloaded" })],
])("complete() asks again where %s came back with status 200", async (_, fault) => {
  const mock = await start({ answer: () => ({ text: "Soup." }) });
  mock.fail(fault);

  const answer = await openModel(mock.baseUrl).complete(REQUEST);

  expect([answer.text, mock.attempts()]).toEqual(["Soup.", 2]);
});

test("complete() begins an answer anew that broke off, where its caller can take text back", async () => {
  const mock = await start({ answer: () => ({ text: "Soup on Monday, salad on Tuesday." }) });
  mock.fail({ kind: "cut", pieces: 3 }, { kind: "cut", pieces: 2 });
  const pieces: string[] = [];
  const texts: string[] = [];

  const answer = await openModel(mock.baseUrl).complete({
    ...REQUEST,
    onText: (piece) => pieces.push(piece),
    onRestart: () => texts.push(pieces.splice(0).join("")),
  });

  expect({ texts, shown: pieces.join("") }).toEqual({
    texts: ["Soup on Monday", "Soup on"],
    shown: answer.text,
  });
  expect([answer.text, mock.attempts()]).toEqual(["Soup on Monday, salad on Tuesday.", 3]);
});

test("complete() passes on what onRestart throws as it is", async () => {
  const mock = await start({ answer: () => ({ text: "Soup on Monday." }) });
  mock.fail({ kind: "cut", pieces: 2 });
  const mistake = new RangeError("no such line");

  const failed = openModel(mock.baseUrl).complete({
    ...REQUEST,
    onText: () => undefined,
    onRestart: () => {
      throw mistake;
    },
  });

  await expect(failed).rejects.toBe(mistake);
});

test("complete() asks no endpoint again that has no credit, whatever its status", async () => {
  const mock = await start({ answer: () => ({ text: "Soup." }) });
  mock.fail(jsonBody({ error: { message: "Quota exceeded", code: "insufficient_quota" } }));

  const error = await catchError(openModel(mock.baseUrl).complete(REQUEST));

  expect([error.code, mock.attempts()]).toEqual(["model_no_credit", 1]);
});

const UNSUPPORTED = {
  message: "Unsupported value: 'Something quick on Tuesday'",
  code: "unsupported_value",
  param: "messages[1].content",
};
const WRONG_KEY = { apiKey: "sk-another-key" };

test.each([
  {
    fault: "a wrong key",
    mock: WRONG_KEY,
    code: "model_key_rejected",
    found:
      "the endpoint rejected the key (401, invalid_api_key); check OPENAI_API_KEY, and that it belongs to OPENAI_BASE_URL",
    attempts: 1,
  },
  {
    fault: "an unknown model",
    mock: { models: ["gpt-other"] },
    code: "model_unknown",
    found:
      "the endpoint does not know this model (404, model_not_found); check OPENAI_MODEL and the CONCIERGE_MODEL_ settings",
    attempts: 1,
  },
  {
    fault: "an over-long prompt",
    faults: [FAULTS.contextTooLong],
    code: "model_context_too_long",
    found:
      "the prompt is longer than the model accepts (400, context_length_exceeded, parameter messages); choose a model with a larger context, or lower the limits of the prompt's sections",
    attempts: 1,
  },
  {
    fault: "a lasting rate limit",
    faults: [FAULTS.rateLimited, FAULTS.rateLimited, FAULTS.rateLimited],
    code: "model_rate_limited",
    found:
      "too many requests (429, rate_limit_exceeded), also after 2 retries; wait a moment and try again, or raise retriesPerCall in CONCIERGE_LIMITS",
    attempts: 3,
  },
  {
    fault: "a refused request",
    faults: [{ kind: "status", status: 400, error: UNSUPPORTED }],
    code: "model_request_refused",
    found:
      "the endpoint refused the request (400, unsupported_value, parameter messages[1].content); CONCIERGE_LOG=debug logs its words; another CONCIERGE_STRUCTURED_OUTPUT or model may help",
    attempts: 1,
  },
] as const)("complete() explains $fault", async (row) => {
  const mock = await start({
    answer: () => ({ text: "Soup on Monday, salad on Tuesday." }),
    ...("mock" in row ? row.mock : {}),
  });
  mock.fail(...("faults" in row ? row.faults : []));

  const error = await catchError(openModel(mock.baseUrl).complete(REQUEST));

  const host = new URL(mock.baseUrl).host;
  expect({ name: error.name, code: error.code, message: error.message }).toEqual({
    name: "ModelError",
    code: row.code,
    message: `Cannot get an answer from model "gpt-test" at ${host}: ${row.found}`,
  });
  expect(mock.attempts()).toBe(row.attempts);
  expect(inspect(error, { depth: null, showHidden: true })).not.toMatch(/SECRET|0123456789/);
});

test.each([
  ["no chat stream at all", FAULTS.webPage, 3, ", also after 2 retries"],
  ["a stream that breaks once text has gone out", { kind: "cut", pieces: 3 }, 1, ""],
] as const)("complete() explains %s", async (_, fault, attempts, again) => {
  const mock = await start({ answer: () => ({ text: "Soup on Monday, salad on Tuesday." }) });
  mock.fail(fault, fault, fault);

  const request = { ...REQUEST, onText: () => undefined };
  const error = await catchError(openModel(mock.baseUrl).complete(request));

  expect([error.code, mock.attempts()]).toEqual(["model_failed", attempts]);
  expect(error.message).toContain(
    `: the connection ended in the middle of the answer${again}; try again`,
  );
});

test("complete() explains an endpoint that is not there", async () => {
  const mock = await startOpenAIMock({ answer: () => ({ text: "" }) });
  await mock.close();

  const error = await catchError(openModel(mock.baseUrl).complete(REQUEST));

  expect({ code: error.code, message: error.message }).toEqual({
    code: "model_unreachable",
    message: `Cannot get an answer from model "gpt-test" at ${new URL(mock.baseUrl).host}: nothing is listening there (ECONNREFUSED), also after 2 retries; check OPENAI_BASE_URL and the network, and that the endpoint is running`,
  });
});

test("complete() explains a host name that does not exist, without the URL's credentials", async () => {
  const model = openModel(`http://user:${KEY}@nowhere.invalid/v1`);

  const error = await catchError(model.complete(REQUEST));

  expect(error.code).toBe("model_unreachable");
  expect(error.message).toContain('model "gpt-test" at nowhere.invalid: ');
  expect(inspect(error, { depth: null, showHidden: true })).not.toContain("SECRET");
});

test("complete() gives up a call that takes too long, whether or not it began to answer", async () => {
  const mock = await start({ answer: () => ({ text: "Soup on Monday, salad on Tuesday." }) });
  const model = openModel(mock.baseUrl, {}, { modelSeconds: 1 });
  mock.fail({ kind: "stall", pieces: 0 }, { kind: "stall", pieces: 4 });
  const pieces: string[] = [];

  const silent = await catchError(model.complete(REQUEST));
  const onText = (piece: string) => pieces.push(piece);
  const begun = await catchError(model.complete({ ...REQUEST, onText }));

  const message = `Cannot get an answer from model "gpt-test" at ${new URL(mock.baseUrl).host}: no complete answer within 1 s; try again, raise modelSeconds in CONCIERGE_LIMITS or choose a faster model`;
  expect([silent, begun].map((error) => [error.code, error.message])).toEqual([
    ["model_timeout", message],
    ["model_timeout", message],
  ]);
  expect(pieces.join("")).toBe("Soup on Monday, salad");
});

test("complete() stops in mid-stream when it is told to", async () => {
  const mock = await start({ answer: () => ({ text: "Soup on Monday, salad on Tuesday." }) });
  mock.fail({ kind: "stall", pieces: 4 });
  const stop = new AbortController();
  const pieces: string[] = [];

  const error = await catchError(
    openModel(mock.baseUrl).complete({
      ...REQUEST,
      signal: stop.signal,
      onText(piece) {
        pieces.push(piece);
        if (pieces.join("") === "Soup on Monday") stop.abort(new Error("Ctrl-C"));
      },
    }),
  );

  expect(error).toMatchObject({ name: "ModelError", code: "model_aborted" });
  expect(pieces.join("")).toBe("Soup on Monday");
});

test("complete() stops while the client waits for its next attempt", async () => {
  const mock = await start({ answer: () => ({ text: "Soup." }) });
  const stop = new AbortController();
  mock.fail({ ...FAULTS.rateLimited, retryAfterMs: 60_000 });

  const failure = catchError(openModel(mock.baseUrl).complete({ ...REQUEST, signal: stop.signal }));
  await expect.poll(() => mock.attempts()).toBe(1);
  stop.abort();

  expect((await failure).code).toBe("model_aborted");
});

test("complete() passes on what onText throws as it is", async () => {
  const mock = await start({ answer: () => ({ text: "Soup." }) });
  const mistake = new RangeError("no such line");

  const onText = (): never => {
    throw mistake;
  };
  const error = await catchError(openModel(mock.baseUrl).complete({ ...REQUEST, onText }));

  expect(error).toBe(mistake);
});

test("complete() works without a key, and sends none of its own", async () => {
  const mock = await start({ answer: () => ({ text: "Soup." }), apiKey: "none" });

  const answer = await openModel(mock.baseUrl, { apiKey: null }).complete(REQUEST);

  expect(answer.text).toBe("Soup.");
});

test("complete() heeds nothing of the environment, and logs nothing", async () => {
  const mock = await start({ answer: () => ({ text: "Soup." }), apiKey: KEY });
  const elsewhere = {
    OPENAI_API_KEY: "sk-other",
    OPENAI_BASE_URL: "http://127.0.0.1:1/v1",
    OPENAI_ORG_ID: "org-other",
    OPENAI_ORGANIZATION: "org-other",
    OPENAI_PROJECT_ID: "proj-other",
    OPENAI_LOG: "debug",
    LANGSMITH_GATEWAY: "true",
    LANGSMITH_GATEWAY_API_KEY: "ls-other",
  };
  for (const [name, value] of Object.entries(elsewhere)) vi.stubEnv(name, value);
  const spies = (["debug", "log", "info", "warn", "error"] as const).map((level) =>
    vi.spyOn(console, level).mockImplementation(() => undefined),
  );

  await openModel(mock.baseUrl).complete(REQUEST);

  expect(spies.flatMap((spy) => spy.mock.calls)).toEqual([]);
  expect(JSON.stringify(mock.headers)).not.toContain("other");
  expect(mock.headers).toHaveLength(1);
});

test.each([
  { model: "gpt-test", limits: {}, sent: { max_tokens: 500 } },
  { model: "gpt-test", limits: { reasoningTokens: 1_000 }, sent: { max_tokens: 1_500 } },
  { model: "gpt-5-mini", limits: {}, sent: { max_completion_tokens: 8_692 } },
  { model: "gpt-5-mini", limits: { reasoningTokens: 0 }, sent: { max_completion_tokens: 500 } },
])("complete() bounds the answer of $model with $limits", async ({ model, limits, sent }) => {
  const mock = await start({ answer: () => ({ text: "Soup." }) });
  const models = everyRole(model);

  await openModel(mock.baseUrl, { models, ...limits }).complete(REQUEST);

  const entries = Object.entries(mock.requests[0] ?? {});
  expect(Object.fromEntries(entries.filter(([key]) => /^max_.*tokens$/.test(key)))).toEqual(sent);
});

test("createOpenAIModels() asks each role's own model", async () => {
  const mock = await start({ answer: () => ({ text: "Soup." }) });
  const names = { ...everyRole("large"), understand: "small", reply: "fluent", mapper: "small" };
  const models = createOpenAIModels(openAIConfig(mock.baseUrl, { models: names }));

  for (const model of Object.values(models)) await model.complete(REQUEST);

  expect(Object.values(models).map((model) => model.name)).toEqual(Object.values(names));
  expect(mock.requests.map((request) => request.model)).toEqual(Object.values(names));
  expect(models.think).toBe(models.act);
});

test.each([
  ["length", null, true],
  ["length", () => undefined, true],
  ["stop", null, false],
  ["stop", () => undefined, false],
])(
  "complete() of an answer that ends by %s says whether it was cut (onText %s)",
  async (finishReason, onText, truncated) => {
    const mock = await start({ answer: () => ({ text: "Soup on Mon", finishReason }) });

    const answer = await openModel(mock.baseUrl).complete({ ...REQUEST, onText });

    expect(answer).toMatchObject({ text: "Soup on Mon", truncated });
  },
);

test("complete() streams where an endpoint refuses to answer otherwise, and goes on so", async () => {
  const mock = await start({ answer: () => ({ text: "Soup on Monday." }) });
  const message =
    "This model only support stream mode, please enable the stream parameter to access the model.";
  mock.fail({ kind: "status", status: 400, error: { message } });
  const model = openModel(mock.baseUrl);

  const answers = [await model.complete(REQUEST), await model.complete(REQUEST)];

  expect(answers.map(({ text }) => text)).toEqual(["Soup on Monday.", "Soup on Monday."]);
  expect([mock.attempts(), mock.requests.map(({ stream }) => stream)]).toEqual([3, [true, true]]);
});

test("complete() gives up an endpoint that refuses streams and whole answers", async () => {
  const mock = await start({ answer: () => ({ text: "Soup on Monday." }) });
  const status = { kind: "status", status: 400 } as const;
  mock.fail(
    { ...status, error: { message: "Streaming is required" } },
    { ...status, error: { message: "Streaming is not supported" } },
  );

  const error = await catchError(openModel(mock.baseUrl).complete(REQUEST));

  expect([error.code, mock.attempts()]).toEqual(["model_request_refused", 2]);
});

test("complete() sends the system text before the user's where that role is refused", async () => {
  const mock = await start({ answer: () => ({ text: "Soup on Monday." }) });
  const message = "Conversation roles must alternate user/assistant/user/assistant/...";
  mock.fail({ kind: "status", status: 500, error: { message } });
  const messages = [
    { role: "system", text: "You plan meals." },
    { role: "user", text: "Monday?" },
    { role: "assistant", text: "Soup.", toolCalls: [] },
    { role: "user", text: "Tuesday?" },
    { role: "user", text: "And Friday?" },
  ] as const;

  await openModel(mock.baseUrl).complete({ ...REQUEST, messages });

  expect(mock.requests[0]?.messages.map(({ role, content }) => [role, content])).toEqual([
    ["user", "You plan meals.\n\nMonday?"],
    ["assistant", "Soup."],
    ["user", "Tuesday?\n\nAnd Friday?"],
  ]);
});
