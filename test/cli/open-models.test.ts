import { expect, test } from "vitest";
import { readConfig } from "../../cli/config.ts";
import { chooseModel, describeModels } from "../../cli/open-models.ts";
import { UsageError } from "../../cli/usage-error.ts";

const REHEARSAL = { kind: "rehearsal" } as const;
const { model: CONFIGURED } = readConfig({
  OPENAI_API_KEY: "sk-very-secret",
  OPENAI_BASE_URL: "https://models.example:8080/v1",
  OPENAI_MODEL: "small",
});

test("chooseModel() takes what is configured, unless another is asked for", () => {
  expect(chooseModel(REHEARSAL, null)).toEqual(REHEARSAL);
  expect(chooseModel(CONFIGURED, null)).toEqual(CONFIGURED);
  expect(chooseModel(CONFIGURED, "openai")).toEqual(CONFIGURED);
  expect(chooseModel(CONFIGURED, "rehearsal")).toEqual(REHEARSAL);
});

test("chooseModel() refuses a real model that is not configured", () => {
  expect(() => chooseModel(REHEARSAL, "openai")).toThrow(
    new UsageError(
      "Cannot use --model openai: neither OPENAI_API_KEY nor OPENAI_BASE_URL is set; set one of them, or leave --model out for the rehearsal model",
    ),
  );
});

test("describeModels() names models and host, and no key", () => {
  const several = readConfig({ OPENAI_API_KEY: "sk-very-secret", CONCIERGE_MODEL_THINK: "large" });

  expect([REHEARSAL, CONFIGURED, several.model].map(describeModels)).toEqual([
    "rehearsal (plays by rule, needs no key)",
    "small at models.example:8080",
    "understand gpt-4.1-mini, think large, act gpt-4.1-mini, reply gpt-4.1-mini, summarize gpt-4.1-mini at api.openai.com",
  ]);
});
