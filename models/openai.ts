import { ChatOpenAI, type ChatOpenAIFields } from "@langchain/openai";
import type { LanguageModel, ModelRole } from "../state/model.ts";
import { hostOf, type OpenAIConfig } from "./config.ts";
import { createLangChainModel } from "./langchain-model.ts";
import { WholeChatCompletions, WholeResponses } from "./openai-clients.ts";

/** Tokens that models known to think may spend on it, where nothing else is configured. */
const REASONING_TOKENS = 8_192;
const KNOWN_TO_THINK = /^(?:openai\/)?(?:o\d|gpt-[5-9](?!.*chat))/;

/**
 * Makes the model of each role for an OpenAI-compatible endpoint.
 *
 * Roles that name the same model share it, and with it what `auto` found out. Nothing is read
 * from the environment, and the client logs nothing.
 */
export function createOpenAIModels(
  config: OpenAIConfig,
): Readonly<Record<ModelRole, LanguageModel>> {
  const made = new Map<string, LanguageModel>();
  function modelOf(role: ModelRole): LanguageModel {
    const name = config.models[role];
    const model = made.get(name) ?? createOpenAIModel(name, config);
    made.set(name, model);
    return model;
  }
  return {
    understand: modelOf("understand"),
    think: modelOf("think"),
    act: modelOf("act"),
    reply: modelOf("reply"),
    summarize: modelOf("summarize"),
  };
}

function createOpenAIModel(name: string, config: OpenAIConfig): LanguageModel {
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
    endpoint: hostOf(config.baseUrl),
    structuredOutput: config.structuredOutput,
    enumerateIds: config.enumerateIds ?? false,
    timeoutMs: config.timeoutMs,
    secrets: config.apiKey === null ? [] : [config.apiKey],
    namesFinish: true,
  });
}
