import { expect, test } from "vitest";
import { readConfig } from "../../app/config.ts";
import {
  assertModelSet,
  chooseModel,
  describeModels,
  openModels,
  toModelOption,
} from "../../app/open-models.ts";
import type { ModelConfig } from "../../models/config.ts";
import { everyRole } from "../support/every-role.ts";
import { setTraits, startProfile } from "../../models/profile/profile.ts";
import { JsonObjectSchema } from "../../state/json.ts";
import { ModelRoleSchema, type ModelProfileStore } from "../../state/model.ts";
import { UnusableModelError } from "../../app/unusable-model-error.ts";
import { UsageError } from "../../app/usage-error.ts";

const NONE = { kind: "simulated" } as const;
const SIMULATED = { kind: "simulated", isChosen: true } as const;
const { model: CONFIGURED } = readConfig({
  OPENAI_API_KEY: "sk-very-secret",
  OPENAI_BASE_URL: "https://models.example:8080/v1",
  OPENAI_MODEL: "small",
});

test("chooseModel() takes what is configured, unless another is asked for", () => {
  expect(chooseModel(NONE, null)).toEqual(NONE);
  expect(chooseModel(CONFIGURED, null)).toEqual(CONFIGURED);
  expect(chooseModel(CONFIGURED, "qwen3:4b")).toEqual({
    ...CONFIGURED,
    models: everyRole("qwen3:4b"),
  });
  expect(chooseModel(CONFIGURED, "simulated")).toEqual(SIMULATED);
  expect(chooseModel(NONE, "simulated")).toEqual(SIMULATED);
});

test("chooseModel() refuses a model that no endpoint could serve", () => {
  expect(() => chooseModel(NONE, "qwen3:4b")).toThrow(
    new UsageError(
      "Cannot use --model qwen3:4b: no endpoint is set that could serve it; set OPENAI_API_KEY or OPENAI_BASE_URL, or write --model simulated",
    ),
  );
});

test("toModelOption() lets --model stand for OPENAI_MODEL, so that an endpoint needs no other name", () => {
  expect([null, "simulated", "qwen3:4b"].map(toModelOption)).toEqual([
    null,
    null,
    { values: { OPENAI_MODEL: "qwen3:4b" }, options: { OPENAI_MODEL: "--model" } },
  ]);
});

const JWT = {
  CONCIERGE_AUTH: "jwt",
  CONCIERGE_JWKS_URL: "https://issuer.example/keys",
  CONCIERGE_JWT_ISSUER: "issuer",
  CONCIERGE_JWT_AUDIENCE: "us",
};
test.each<[string, Record<string, string>, boolean]>([
  ["on loopback without authentication", {}, false],
  ["on another name of this machine", { CONCIERGE_HOST: "localhost" }, false],
  ["on another address", { CONCIERGE_HOST: "0.0.0.0" }, true],
  ["with API keys", { CONCIERGE_AUTH: "keys" }, true],
  ["with tokens", JWT, true],
])("assertModelSet() %s", (_, env, refuses) => {
  const none = readConfig(env);
  const findRefusal = (model: ModelConfig): unknown => {
    try {
      assertModelSet({ ...none, model });
      return null;
    } catch (error) {
      return error;
    }
  };

  const refusal = new UsageError(
    "No model is set. Set OPENAI_API_KEY, or OPENAI_BASE_URL and OPENAI_MODEL, or pass --model simulated.",
  );
  expect([NONE, SIMULATED, CONFIGURED].map(findRefusal)).toEqual([
    refuses ? refusal : null,
    null,
    null,
  ]);
});

test("describeModels() names models and host, and no key", () => {
  const several = readConfig({ OPENAI_API_KEY: "sk-very-secret", CONCIERGE_MODEL_THINK: "large" });

  const experts = readConfig({
    OPENAI_API_KEY: "sk-very-secret",
    COST_KEY: "cost-very-secret",
    CONCIERGE_EXPERTS: JSON.stringify([
      { id: "risk", model: "large" },
      { id: "user", model: "large" },
      { id: "cost", model: "qwen3", baseUrl: "http://localhost:11434/v1", apiKeyEnv: "COST_KEY" },
    ]),
  });

  const described = [NONE, SIMULATED, CONFIGURED, several.model, experts.model].map(describeModels);

  expect(described).toEqual([
    "none is set; the simulated model follows plain commands (set OPENAI_API_KEY, or OPENAI_BASE_URL and OPENAI_MODEL)",
    "simulated (follows plain commands, needs no key)",
    "small at models.example:8080",
    "gpt-4.1-mini (think: large) at api.openai.com",
    "gpt-4.1-mini at api.openai.com; 3 experts: large, qwen3 at localhost:11434",
  ]);
});

test("openModels() opens a model for every role, and the experts that are listed", async () => {
  const CONCIERGE_EXPERTS = '[{"id": "risk", "model": "large", "lens": "Risks."}]';
  const listed = readConfig({ OPENAI_API_KEY: "sk-very-secret", CONCIERGE_EXPERTS });

  const opened = await Promise.all(
    [NONE, CONFIGURED, listed.model].map((config) => openModels(config)),
  );

  const named = opened.map(({ models, experts }) => ({
    roles: Object.keys(models).toSorted(),
    names: [...new Set(Object.values(models).map(({ name }) => name))],
    experts: experts?.map(({ id, lens, model }) => [id, lens, model.name]),
  }));
  const roles = ModelRoleSchema.options.toSorted();
  expect(named).toEqual([
    { roles, names: ["simulated"], experts: undefined },
    { roles, names: ["small"], experts: undefined },
    { roles, names: ["gpt-4.1-mini"], experts: [["risk", "Risks.", "large"]] },
  ]);
});

test("openModels() refuses a window that is set too narrow", async () => {
  const { model } = readConfig({
    OPENAI_API_KEY: "sk-1",
    OPENAI_BASE_URL: "https://models.example/v1",
    OPENAI_MODEL: "tiny",
    CONCIERGE_MODEL_WINDOW: "4096",
  });

  await expect(openModels(model)).rejects.toEqual(
    new UnusableModelError(
      'Cannot use model "tiny" at models.example: its window takes 4,096 tokens and at least 8,192 are needed; set CONCIERGE_MODEL_WINDOW=8192 or more, if the model can take as much',
    ),
  );
});

test.each([
  [
    "http://127.0.0.1:9/v1",
    'Cannot use model "tiny" at 127.0.0.1:9: its window takes 4,096 tokens and at least 8,192 are needed; raise it at its server (OLLAMA_CONTEXT_LENGTH=8192 for Ollama), and set CONCIERGE_MODEL_WINDOW to the new number or measure it with "npm run models -- test"',
  ],
  [
    "https://models.example/v1",
    'Cannot use model "tiny" at models.example: its window takes 4,096 tokens and at least 8,192 are needed; choose another model, or where the number is wrong set CONCIERGE_MODEL_WINDOW',
  ],
])(
  "openModels() refuses a model at %s whose window was found to be too narrow",
  async (url, reason) => {
    const { model } = readConfig({
      OPENAI_API_KEY: "sk-1",
      OPENAI_BASE_URL: url,
      OPENAI_MODEL: "tiny",
    });

    const opening = openModels(model, { store: rememberWindow(url, 4_096) });

    await expect(opening).rejects.toEqual(new UnusableModelError(reason));
  },
);

test("openModels() takes a model whose window was found to be just wide enough", async () => {
  const url = "https://models.example/v1";
  const { model } = readConfig({
    OPENAI_API_KEY: "sk-1",
    OPENAI_BASE_URL: url,
    OPENAI_MODEL: "tiny",
  });

  const { models } = await openModels(model, { store: rememberWindow(url, 8_192) });

  expect(models.reply.name).toBe("tiny");
});

/** Makes a store that has the probed window of one model, and keeps nothing else. */
function rememberWindow(endpoint: string, contextWindow: number): ModelProfileStore {
  const at = new Date().toISOString();
  const start = startProfile({ endpoint, model: "tiny", dialect: "chat" }, at);
  const profile = setTraits(start, { contextWindow }, { source: "probed", at, reason: "tried" });
  return {
    load: async () => JsonObjectSchema.parse(profile),
    update: async () => undefined,
  };
}
