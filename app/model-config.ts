import { chooseModels, OPENAI_BASE_URL, type ModelConfig } from "../models/config.ts";
import { readExperts } from "../models/expert-config.ts";
import { modelNames } from "./settings/model-names.ts";
import { readSettings } from "./settings/read-settings.ts";
import type { Environment } from "./settings/setting.ts";
import type { SettingValues } from "./settings/settings.ts";

/**
 * Reads the model settings out of variables: the simulated model when neither key nor URL is set.
 *
 * @throws UsageError with one line for each bad value; keys are never repeated.
 *
 * @example
 * readModelConfig({}).kind; // "simulated"
 * readModelConfig({ OPENAI_API_KEY: "sk-1" }).kind; // "openai"
 */
export function readModelConfig(env: Environment): ModelConfig {
  const { values } = readSettings("library", [{ kind: "environment", values: env }]);
  return toModelConfig(values, env);
}

/**
 * Makes the configuration of the models of settings. `environment` has the variables that the
 * entries of experts name.
 */
export function toModelConfig(values: SettingValues, environment: Environment): ModelConfig {
  const { value: apiKey } = values.OPENAI_API_KEY;
  const { value: baseUrl, place } = values.OPENAI_BASE_URL;
  if (apiKey === null && baseUrl === null) return { kind: "simulated" };
  const { value: experts } = values.CONCIERGE_EXPERTS;
  const { value: tier } = values.CONCIERGE_MODEL_TIER;
  return {
    kind: "openai",
    apiKey,
    baseUrl: baseUrl ?? OPENAI_BASE_URL,
    models: chooseModels(modelNames(values)),
    ...(experts === null ? {} : { experts: readExperts(experts, environment) }),
    structuredOutput: values.CONCIERGE_STRUCTURED_OUTPUT.value,
    reasoning: values.CONCIERGE_REASONING.value,
    reasoningTokens: values.CONCIERGE_REASONING_TOKENS.value,
    tier,
    window: values.CONCIERGE_MODEL_WINDOW.value,
    budget: values.CONCIERGE_BUDGET.value,
    prices: values.CONCIERGE_PRICES.value,
    ...(place.kind === "choice" ? { dialect: place.dialect } : {}),
  };
}
