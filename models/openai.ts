import { ChatOpenAI, type ChatOpenAIFields } from "@langchain/openai";
import type { Expert } from "../state/expert.ts";
import type { LanguageModel, ModelRole } from "../state/model.ts";
import { endpointHost, type OpenAIConfig } from "./config.ts";
import type { SettingNames } from "./diagnose.ts";
import type { ExpertConfig } from "./expert-config.ts";
import { createLangChainModel, type LangChainModelOptions } from "./langchain-model.ts";
import { WholeChatCompletions, WholeResponses } from "./whole-answer-clients.ts";

/** Tokens that models known to think may spend on it, where nothing else is configured. */
const REASONING_TOKENS = 8_192;
const KNOWN_TO_THINK = /^(?:openai\/)?(?:o\d|gpt-[5-9](?!.*chat))/;

/**
 * Makes the model of each role for an OpenAI-compatible endpoint.
 *
 * Roles that name the same model share it, and with it what `auto` found out. Nothing is read
 * from the environment, and the client logs nothing.
 *
 * @example
 * const config = readModelConfig({
 *   OPENAI_BASE_URL: "http://127.0.0.1:11434/v1",
 *   OPENAI_MODEL: "llama3.3",
 * });
 * createOpenAIModels(config).think.name; // "llama3.3"
 */
export function createOpenAIModels(
  config: OpenAIConfig,
): Readonly<Record<ModelRole, LanguageModel>> {
  const made = new Map<string, LanguageModel>();
  const secrets = collectSecrets(config);
  function getModel(role: ModelRole): LanguageModel {
    const name = config.models[role];
    const model = made.get(name) ?? createOpenAIModel(name, { ...config, secrets });
    made.set(name, model);
    return model;
  }
  return {
    understand: getModel("understand"),
    think: getModel("think"),
    act: getModel("act"),
    reply: getModel("reply"),
    summarize: getModel("summarize"),
    concierge: getModel("concierge"),
    expert: getModel("expert"),
    mapper: getModel("mapper"),
  };
}

/**
 * Makes the experts that a configuration lists, in its order; none where it lists none.
 *
 * Contract: the key of the roles' endpoint goes to no other host.
 *
 * @example
 * const config = readModelConfig({ OPENAI_API_KEY: "sk-1" });
 * createOpenAIExperts(config); // []
 */
export function createOpenAIExperts(config: OpenAIConfig): readonly Expert[] {
  return (config.experts ?? []).map((expert) => {
    const endpoint = expertEndpoint(expert, config);
    const model = createOpenAIModel(expert.model, {
      ...config,
      ...endpoint,
      secrets: collectSecrets(config),
      settings: nameSettings(expert),
    });
    return { id: expert.id, lens: expert.lens, model };
  });
}

/** Names the settings to check when an expert cannot be called: its own entry where that overrides the shared ones. */
function nameSettings({ id, baseUrl, apiKeyEnv }: ExpertConfig): SettingNames {
  const entry = `the entry "${id}" of CONCIERGE_EXPERTS`;
  const url = baseUrl === null ? "OPENAI_BASE_URL" : `"baseUrl" in ${entry}`;
  const shared = baseUrl === null ? "OPENAI_API_KEY" : `"apiKeyEnv" in ${entry}`;
  const model = `"model" in ${entry}`;
  return { model, models: model, url, key: apiKeyEnv ?? shared };
}

/** Returns the endpoint and key of an expert. */
function expertEndpoint(
  expert: ExpertConfig,
  config: OpenAIConfig,
): Pick<OpenAIConfig, "baseUrl" | "apiKey"> {
  const baseUrl = expert.baseUrl ?? config.baseUrl;
  const shared = new URL(baseUrl).origin === new URL(config.baseUrl).origin;
  return { baseUrl, apiKey: expert.apiKey ?? (shared ? config.apiKey : null) };
}

/** Collects every key of a configuration: an endpoint may quote the one it was sent, and a proxy any of them. */
function collectSecrets({ apiKey, experts = [] }: OpenAIConfig): readonly string[] {
  return [apiKey, ...experts.map((expert) => expert.apiKey)].filter((key) => key !== null);
}

function createOpenAIModel(
  name: string,
  config: OpenAIConfig & Pick<LangChainModelOptions, "secrets" | "settings">,
): LanguageModel {
  const fields: ChatOpenAIFields = {
    model: name,
    // Local endpoints want no key, but the client does.
    apiKey: config.apiKey ?? "none",
    maxRetries: 0,
    configuration: {
      baseURL: config.baseUrl,
      maxRetries: config.maxRetries,
      organization: null,
      project: null,
      logLevel: "off",
    },
  };
  const allowance = {
    maxOutputTokens: config.maxOutputTokens,
    reasoningTokens: config.reasoningTokens ?? (KNOWN_TO_THINK.test(name) ? REASONING_TOKENS : 0),
  };
  const chat = new ChatOpenAI({
    ...fields,
    completions: new WholeChatCompletions(fields, allowance),
    responses: new WholeResponses(fields, allowance),
  });
  return createLangChainModel({
    chat,
    name,
    endpoint: endpointHost(config.baseUrl),
    structuredOutput: config.structuredOutput,
    enumerateIds: config.enumerateIds ?? false,
    timeoutMs: config.timeoutMs,
    secrets: config.secrets,
    ...(config.settings === undefined ? {} : { settings: config.settings }),
    namesFinish: true,
  });
}
