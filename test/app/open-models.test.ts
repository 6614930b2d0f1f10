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
import { ModelRoleSchema } from "../../state/model.ts";
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
