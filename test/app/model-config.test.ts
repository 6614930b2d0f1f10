import { expect, test } from "vitest";
import { readModelConfig } from "../../app/model-config.ts";
import { UsageError } from "../../app/usage-error.ts";
import type { OpenAIConfig } from "../../models/config.ts";
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
    CONCIERGE_STRUCTURED_OUTPUT: "Text",
    CONCIERGE_REASONING: "low",
    CONCIERGE_REASONING_TOKENS: "2000",
    CONCIERGE_MODEL_TIER: "small",
    CONCIERGE_MODEL_WINDOW: "8192",
    CONCIERGE_BUDGET: "turn=60000t, thread=$1",
    CONCIERGE_PRICES: "/etc/prices.json",
    CONCIERGE_LIMITS: "modelSeconds=300",
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
    structuredOutput: "text",
    reasoning: "low",
    reasoningTokens: 2_000,
    tier: "small",
    window: 8_192,
    budget: { turn: { tokens: 60_000 }, thread: { micros: 1_000_000 } },
    prices: "/etc/prices.json",
  });
});

test("readModelConfig() names what is wrong", () => {
  const env = { OPENAI_BASE_URL: "http://localhost:11434/v1", CONCIERGE_STRUCTURED_OUTPUT: "json" };

  expect(() => readModelConfig(env)).toThrow(
    new UsageError(
      [
        'CONCIERGE_STRUCTURED_OUTPUT "json" (environment) is no longer a form; write text',
        'OPENAI_BASE_URL "http://localhost:11434/v1" (environment) has no model for "understand"; set OPENAI_MODEL to a model that this endpoint serves',
      ].join("\n"),
    ),
  );
});

test("readModelConfig() does not repeat the credentials of a URL", () => {
  expect(() => readModelConfig({ OPENAI_BASE_URL: "ftp://me:hidden@host" })).toThrow(
    'OPENAI_BASE_URL "ftp://host" (environment) must be',
  );
});
