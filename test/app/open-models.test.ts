import { expect, test } from "vitest";
import { readConfig } from "../../app/config.ts";
import { chooseModel, describeModels, openModels } from "../../app/open-models.ts";
import { ModelRoleSchema } from "../../state/model.ts";
import { UsageError } from "../../app/usage-error.ts";

const REHEARSAL = { kind: "simulated" } as const;
const { model: CONFIGURED } = readConfig({
  OPENAI_API_KEY: "sk-very-secret",
  OPENAI_BASE_URL: "https://models.example:8080/v1",
  OPENAI_MODEL: "small",
});

test("chooseModel() takes what is configured, unless another is asked for", () => {
  expect(chooseModel(REHEARSAL, null)).toEqual(REHEARSAL);
  expect(chooseModel(CONFIGURED, null)).toEqual(CONFIGURED);
  expect(chooseModel(CONFIGURED, "openai")).toEqual(CONFIGURED);
  expect(chooseModel(CONFIGURED, "simulated")).toEqual(REHEARSAL);
});

test("chooseModel() refuses a real model that is not configured", () => {
  expect(() => chooseModel(REHEARSAL, "openai")).toThrow(
    new UsageError(
      "Cannot use --model openai: neither OPENAI_API_KEY nor OPENAI_BASE_URL is set; set one of them, or leave --model out for the simulated model",
    ),
  );
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

  const described = [REHEARSAL, CONFIGURED, several.model, experts.model].map(describeModels);

  expect(described).toEqual([
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
    [REHEARSAL, CONFIGURED, listed.model].map((config) => openModels(config)),
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
