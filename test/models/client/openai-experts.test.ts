import { afterEach, expect, test } from "vitest";
import { readModelConfig } from "../../../app/model-config.ts";
import type { OpenAIConfig } from "../../../models/config.ts";
import { createOpenAIExperts, createOpenAIModels } from "../../../models/client/openai.ts";
import { ModelError, type LanguageModel } from "../../../state/model.ts";
import { modelRequest } from "../../support/model-requests.ts";
import { startOpenAIMock, type OpenAIMock } from "../../support/openai-mock.ts";

const KEY = "sk-roles-0123456789";
const OWN_KEY = "own0123456789";

const REQUEST = modelRequest({ role: "expert" });

const started: OpenAIMock[] = [];
afterEach(async () => {
  await Promise.all(started.splice(0).map((mock) => mock.close()));
});

async function start(apiKey?: string): Promise<OpenAIMock> {
  const mock = await startOpenAIMock({
    answer: ({ model }) => ({ text: `as ${model}` }),
    ...(apiKey === undefined ? {} : { apiKey }),
  });
  started.push(mock);
  return mock;
}

function makeConfig(baseUrl: string, entries: readonly object[]): OpenAIConfig {
  const config = readModelConfig({
    OPENAI_API_KEY: KEY,
    OPENAI_BASE_URL: baseUrl,
    OPENAI_MODEL: "usual",
    CONCIERGE_EXPERTS: JSON.stringify(entries),
    OWN_KEY,
  });
  if (config.kind !== "openai") throw new Error("Cannot test: no endpoint is configured");
  return config;
}

async function catchError(model: LanguageModel | undefined): Promise<ModelError> {
  const failure: unknown = await model?.complete(REQUEST).catch((error: unknown) => error);
  if (failure instanceof ModelError) return failure;
  throw new Error("Cannot look at the failure: there was none");
}

const keysSent = (mock: OpenAIMock) => mock.headers.map(({ authorization }) => authorization);

test("createOpenAIExperts() asks each expert where its entry says, with its own key", async () => {
  const main = await start();
  const other = await start();
  const experts = createOpenAIExperts(
    makeConfig(main.baseUrl, [
      { id: "risk", model: "large", lens: "What can go wrong?" },
      { id: "cost", model: "small", apiKeyEnv: "OWN_KEY" },
      { id: "same", model: "small", baseUrl: `${main.baseUrl}/` },
      { id: "local", model: "qwen3", baseUrl: other.baseUrl },
      { id: "hired", model: "qwen3", baseUrl: other.baseUrl, apiKeyEnv: "OWN_KEY" },
    ]),
  );

  const answers: string[] = [];
  for (const { model } of experts) answers.push((await model.complete(REQUEST)).text);

  expect(experts.map(({ id, lens, model }) => [id, lens, model.name])).toEqual([
    ["risk", "What can go wrong?", "large"],
    ["cost", null, "small"],
    ["same", null, "small"],
    ["local", null, "qwen3"],
    ["hired", null, "qwen3"],
  ]);
  expect(answers).toEqual(["as large", "as small", "as small", "as qwen3", "as qwen3"]);
  expect(keysSent(main)).toEqual([`Bearer ${KEY}`, `Bearer ${OWN_KEY}`, `Bearer ${KEY}`]);
  // The client sends some key; this is none.
  expect(keysSent(other)).toEqual(["Bearer none", `Bearer ${OWN_KEY}`]);
});

test("createOpenAIExperts() makes none where none are listed", () => {
  const { experts: _experts, ...config } = makeConfig("http://localhost:1/v1", [
    { id: "a", model: "b" },
  ]);

  expect(createOpenAIExperts(config)).toEqual([]);
});

test("an expert that cannot be asked says what of its entry to look at", async () => {
  const mock = await start("another key");
  const [own, shared, away] = createOpenAIExperts(
    makeConfig(mock.baseUrl, [
      { id: "own", model: "large", apiKeyEnv: "OWN_KEY" },
      { id: "shared", model: "large" },
      { id: "away", model: "large", baseUrl: mock.baseUrl.replace("127.0.0.1", "localhost") },
    ]),
  );
  const readErrorMessage = async (expert: typeof own) => (await catchError(expert?.model)).message;

  expect(await readErrorMessage(own)).toMatch(
    /; check OWN_KEY, and that it belongs to OPENAI_BASE_URL$/,
  );
  expect(await readErrorMessage(shared)).toMatch(
    /; check OPENAI_API_KEY, and that it belongs to OPENAI_BASE_URL$/,
  );
  expect(await readErrorMessage(away)).toMatch(
    /; check "apiKeyEnv" in the entry "away" of CONCIERGE_EXPERTS, and that it belongs to "baseUrl" in the entry "away" of CONCIERGE_EXPERTS$/,
  );
});

test("no error of any model shows a key of another", async () => {
  const mock = await start();
  const config = makeConfig(mock.baseUrl, [{ id: "own", model: "large", apiKeyEnv: "OWN_KEY" }]);
  const models = [createOpenAIModels(config).reply, createOpenAIExperts(config)[0]?.model];

  for (const model of models) {
    const message = `${KEY} and ${OWN_KEY} are no keys of ours`;
    const fault = { kind: "status", status: 400, error: { message } } as const;
    mock.fail(fault, fault);
    const failure = await catchError(model);
    const printed = `${failure.message} ${String(failure.cause)}`;
    expect(printed).toContain("are no keys of ours");
    expect(printed).not.toMatch(/0123456789/);
  }
});
