import { expect, test } from "vitest";
import { readModelConfig, type OpenAIConfig } from "../../models/config.ts";
import { everyRole } from "../support/every-role.ts";
import { openAIConfig } from "../support/model-requests.ts";

const DEFAULTS = openAIConfig("https://api.openai.com/v1", {
  apiKey: "sk-key",
  models: everyRole("gpt-4.1-mini"),
});

test.each([
  ["nothing", {}],
  ["empty values", { OPENAI_API_KEY: "", OPENAI_BASE_URL: "  ", OPENAI_MODEL: "" }],
  ["a model alone", { OPENAI_MODEL: "gpt-5" }],
])("readModelConfig() takes the simulated model when %s is set", (_, env) => {
  expect(readModelConfig(env)).toEqual({ kind: "simulated" });
});

test("readModelConfig() needs no more than a key", () => {
  expect(readModelConfig({ OPENAI_API_KEY: " sk-key " })).toEqual(DEFAULTS);
});

test("readModelConfig() needs no key for an endpoint of one's own", () => {
  const env = { OPENAI_BASE_URL: "http://localhost:11434/v1", OPENAI_MODEL: "qwen3" };

  expect(readModelConfig(env)).toEqual({
    ...DEFAULTS,
    apiKey: null,
    baseUrl: "http://localhost:11434/v1",
    models: everyRole("qwen3"),
  });
});

test("readModelConfig() lets a model stand in for the roles of the concierge that name none", () => {
  const env = {
    OPENAI_BASE_URL: "http://localhost:11434/v1",
    CONCIERGE_MODEL_UNDERSTAND: "small",
    CONCIERGE_MODEL_THINK: "deep",
    CONCIERGE_MODEL_ACT: "able",
    CONCIERGE_MODEL_REPLY: "fluent",
    CONCIERGE_MODEL_SUMMARIZE: "small",
  };
  const readConciergeModels = (more: Record<string, string>) => {
    const { models } = readModelConfig({ ...env, ...more }) as OpenAIConfig;
    return [models.concierge, models.expert, models.mapper];
  };

  expect(readConciergeModels({})).toEqual(["fluent", "fluent", "fluent"]);
  expect(readConciergeModels({ CONCIERGE_MODEL_CONCIERGE: "warm" })).toEqual([
    "warm",
    "warm",
    "warm",
  ]);
  expect(readConciergeModels({ CONCIERGE_MODEL_CONCIERGE: "warm", OPENAI_MODEL: "usual" })).toEqual(
    ["warm", "usual", "usual"],
  );
});

test("readModelConfig() reads every setting", () => {
  const config = readModelConfig({
    OPENAI_API_KEY: "sk-key",
    OPENAI_MODEL: "large",
    CONCIERGE_MODEL_UNDERSTAND: "small",
    CONCIERGE_MODEL_THINK: "deep",
    CONCIERGE_MODEL_ACT: "able",
    CONCIERGE_MODEL_REPLY: "fluent",
    CONCIERGE_MODEL_SUMMARIZE: "",
    CONCIERGE_MODEL_CONCIERGE: "warm",
    CONCIERGE_MODEL_EXPERT: "wise",
    CONCIERGE_MODEL_MAPPER: "exact",
    CONCIERGE_STRUCTURED_OUTPUT: "tool",
    CONCIERGE_REASONING: "high",
    CONCIERGE_REASONING_TOKENS: "2000",
    CONCIERGE_MODEL_TIER: "small",
    CONCIERGE_MODEL_WINDOW: "8192",
  });

  expect(config).toEqual({
    ...DEFAULTS,
    models: {
      understand: "small",
      think: "deep",
      act: "able",
      reply: "fluent",
      summarize: "large",
      concierge: "warm",
      expert: "wise",
      mapper: "exact",
    },
    structuredOutput: "tool",
    reasoning: "high",
    reasoningTokens: 2_000,
    tier: "small",
    window: 8_192,
  });
});

test.each([
  [
    { OPENAI_API_KEY: "sk-key", OPENAI_BASE_URL: "api.openai.com" },
    'Cannot use OPENAI_BASE_URL "api.openai.com": it must be a URL that begins with "http://" or "https://"',
  ],
  [
    { OPENAI_BASE_URL: "http://localhost:11434/v1" },
    'Cannot use OPENAI_BASE_URL without a model for "understand": set OPENAI_MODEL to a model that this endpoint serves',
  ],
  [
    { CONCIERGE_STRUCTURED_OUTPUT: "xml" },
    'Cannot use CONCIERGE_STRUCTURED_OUTPUT "xml": it must be one of auto, json_schema, tool, json_object, text',
  ],
  [
    { CONCIERGE_MODEL_WINDOW: "0" },
    'Cannot use CONCIERGE_MODEL_WINDOW "0": it must be a whole number from 1 to 100000000',
  ],
])("readModelConfig() names what is wrong with %j", (env, message) => {
  expect(() => readModelConfig(env)).toThrow(new TypeError(message));
});

test("readModelConfig() does not repeat the credentials of a URL", () => {
  expect(() => readModelConfig({ OPENAI_BASE_URL: "ftp://me:hidden@host" })).toThrow(
    'Cannot use OPENAI_BASE_URL "ftp://host"',
  );
});
