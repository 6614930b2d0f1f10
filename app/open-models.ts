import type { RoleModels } from "../graph/create-concierge-graph.ts";
import { endpointHost, type ModelConfig, type OpenAIConfig } from "../models/config.ts";
import type { Expert } from "../state/expert.ts";
import type { Domain } from "../state/domain.ts";
import { ModelRoleSchema, type LanguageModel } from "../state/model.ts";
import { UsageError } from "./usage-error.ts";

/** One model for each role; the roles of the concierge lane are optional. */
export type Models = RoleModels;

/** The models of a configuration. */
export interface OpenedModels {
  readonly models: Models;
  /** Absent if none are configured: the graph has a default. */
  readonly experts?: readonly Expert[];
}

/** The values of `--model`. */
export const MODEL_CHOICES = ["simulated", "openai"] as const;
export type ModelChoice = (typeof MODEL_CHOICES)[number];

/**
 * Returns the configured model, or the one that `--model` asks for.
 *
 * @throws UsageError when a real model is asked for and none is configured.
 */
export function chooseModel(configured: ModelConfig, choice: ModelChoice | null): ModelConfig {
  if (choice === "simulated") return { kind: "simulated" };
  if (choice === "openai" && configured.kind !== "openai") {
    throw new UsageError(
      "Cannot use --model openai: neither OPENAI_API_KEY nor OPENAI_BASE_URL is set; set one of them, or leave --model out for the simulated model",
    );
  }
  return configured;
}

/** Makes the models of a configuration. Loads only the client that it uses. */
export async function openModels(
  config: ModelConfig,
  domain?: Pick<Domain, "simulated">,
): Promise<OpenedModels> {
  if (config.kind === "openai") {
    const { createOpenAIExperts, createOpenAIModels } = await import("../models/openai.ts");
    const models = createOpenAIModels(config);
    return config.experts === undefined
      ? { models }
      : { models, experts: createOpenAIExperts(config) };
  }
  return openSimulated(domain);
}

/** Makes the simulated model for all roles, with the words of its domain. */
async function openSimulated(domain: Pick<Domain, "simulated"> | undefined): Promise<OpenedModels> {
  const { createSimulatedModel } = await import("../simulated-model/index.ts");
  const { createLangChainModel } = await import("../models/langchain-model.ts");
  const kitchen = await import("../meals/simulated.ts");
  const words = domain === undefined ? kitchen.SIMULATED_WORDS : domain.simulated;
  const model = createLangChainModel({
    chat: createSimulatedModel({ words }),
    name: "simulated",
    endpoint: null,
    structuredOutput: "json_schema",
    timeoutMs: 60_000,
    secrets: [],
    namesFinish: false,
  });
  const task = { understand: model, think: model, act: model, reply: model, summarize: model };
  return { models: { ...task, concierge: model, expert: model, mapper: model } };
}

/** Returns the models, each wrapped by `wrap`; wraps a model that has several roles once. */
export function wrapModels(
  { models, experts }: OpenedModels,
  wrap: ((model: LanguageModel) => LanguageModel) | undefined,
): OpenedModels {
  if (wrap === undefined) return { models, ...(experts === undefined ? {} : { experts }) };
  const known = new Map<LanguageModel, LanguageModel>();
  const wrapped = (model: LanguageModel): LanguageModel => {
    const made = known.get(model) ?? wrap(model);
    known.set(model, made);
    return made;
  };
  const { understand, think, act, reply, summarize, concierge, expert, mapper } = models;
  return {
    models: {
      understand: wrapped(understand),
      think: wrapped(think),
      act: wrapped(act),
      reply: wrapped(reply),
      summarize: wrapped(summarize),
      ...(concierge === undefined ? {} : { concierge: wrapped(concierge) }),
      ...(expert === undefined ? {} : { expert: wrapped(expert) }),
      ...(mapper === undefined ? {} : { mapper: wrapped(mapper) }),
    },
    ...(experts === undefined
      ? {}
      : { experts: experts.map((one) => ({ ...one, model: wrapped(one.model) })) }),
  };
}

/**
 * Names the models in a few words: "simulated", or the model of most roles with those of the
 * others, the endpoint's host, and what the experts are. Never a key.
 */
export function describeModels(config: ModelConfig): string {
  if (config.kind === "simulated") return "simulated (follows plain commands, needs no key)";
  return `${describeRoles(config)} at ${endpointHost(config.baseUrl)}${describeExperts(config)}`;
}

function describeRoles({ models }: OpenAIConfig): string {
  const roles = ModelRoleSchema.options;
  const most = roles
    .map((role) => models[role])
    .toSorted((a, b) => countRoles(b, models) - countRoles(a, models))[0];
  const others = roles
    .filter((role) => models[role] !== most)
    .map((role) => `${role}: ${models[role]}`);
  return others.length === 0 ? `${most}` : `${most} (${others.join(", ")})`;
}

function countRoles(name: string, models: OpenAIConfig["models"]): number {
  return Object.values(models).filter((model) => model === name).length;
}

function describeExperts({ experts = [], baseUrl }: OpenAIConfig): string {
  if (experts.length === 0) return "";
  const asked = experts.map((expert) => {
    const here = expert.baseUrl === null || endpointHost(expert.baseUrl) === endpointHost(baseUrl);
    return here ? expert.model : `${expert.model} at ${endpointHost(expert.baseUrl)}`;
  });
  const count = experts.length === 1 ? "1 expert" : `${experts.length} experts`;
  return `; ${count}: ${[...new Set(asked)].join(", ")}`;
}
