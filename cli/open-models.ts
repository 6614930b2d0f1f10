import { hostOf, type ModelConfig } from "../models/config.ts";
import { ModelRoleSchema, type LanguageModel, type ModelRole } from "../state/model.ts";
import { UsageError } from "./usage-error.ts";

/** One model for each role. */
export type Models = Readonly<Record<ModelRole, LanguageModel>>;

/** What `--model` may say. */
export const MODEL_CHOICES = ["rehearsal", "openai"] as const;
export type ModelChoice = (typeof MODEL_CHOICES)[number];

/**
 * The configured model, or the one that `--model` asks for.
 *
 * @throws UsageError when a real model is asked for and none is configured.
 */
export function chooseModel(configured: ModelConfig, choice: ModelChoice | null): ModelConfig {
  if (choice === "rehearsal") return { kind: "rehearsal" };
  if (choice === "openai" && configured.kind !== "openai") {
    throw new UsageError(
      "Cannot use --model openai: neither OPENAI_API_KEY nor OPENAI_BASE_URL is set; set one of them, or leave --model out for the rehearsal model",
    );
  }
  return configured;
}

/** Makes the models of a configuration. Loads only the client that is used. */
export async function openModels(config: ModelConfig): Promise<Models> {
  if (config.kind === "openai") {
    const { createOpenAIModels } = await import("../models/openai.ts");
    return createOpenAIModels(config);
  }
  const { createRehearsalModel } = await import("../models/rehearsal/index.ts");
  const { createLangChainModel } = await import("../models/langchain-model.ts");
  const model = createLangChainModel({
    chat: createRehearsalModel(),
    name: "rehearsal",
    endpoint: null,
    structuredOutput: "json_schema",
    timeoutMs: 60_000,
    secrets: [],
    namesFinish: false,
  });
  return { understand: model, think: model, act: model, reply: model, summarize: model };
}

/** Names the models in a few words: "the rehearsal model", or names and the endpoint's host. Never a key. */
export function describeModels(config: ModelConfig): string {
  if (config.kind === "rehearsal") return "rehearsal (plays by rule, needs no key)";
  const { models, baseUrl } = config;
  const names = [...new Set(Object.values(models))];
  const [only] = names;
  const listed =
    names.length === 1
      ? (only ?? "")
      : ModelRoleSchema.options.map((role) => `${role} ${models[role]}`).join(", ");
  return `${listed} at ${hostOf(baseUrl)}`;
}
