import { listRead } from "../domain/verify/check-entity-type.ts";
import type { RoleModels } from "../graph/create-concierge-graph.ts";
import {
  endpointHost,
  isLoopback,
  isModelMissing,
  nameForEveryRole,
  type ModelConfig,
  type OpenAIConfig,
} from "../models/config.ts";
import type { ConfiguredModel } from "../models/client/openai.ts";
import { isLoopbackHost } from "../server/access/loopback.ts";
import type { Expert } from "../state/expert.ts";
import type { Domain } from "../state/domain.ts";
import { LEAST_WINDOW, limitsWith, type Limits } from "../state/limits.ts";
import {
  mapRoles,
  ModelRoleSchema,
  type LanguageModel,
  type ModelProfileStore,
} from "../state/model.ts";
import { NO_BUDGET, type Budget } from "../state/budget.ts";
import type { Config } from "./config.ts";
import { assertPriced, readPrices } from "./read-prices.ts";
import { findLocalEndpoints } from "./find-local-endpoints.ts";
import type { OptionValues } from "./settings/setting.ts";
import { UnusableModelError } from "./unusable-model-error.ts";
import { UsageError } from "./usage-error.ts";

/** One model for each role; the roles of the concierge lane are optional. */
export type Models = RoleModels;

/** The models of a configuration. */
export interface OpenedModels {
  readonly models: Models;
  /** Absent if none are configured: the graph has a default. */
  readonly experts?: readonly Expert[];
}

/** The value of `--model` for the simulated model; any other is the name of a model. */
export const SIMULATED = "simulated";

/**
 * Returns the configured model, or the one that `--model` asks for: `simulated`, or the name of a
 * model at the configured endpoint, which then has every role.
 *
 * @throws UsageError when a model is asked for and no endpoint is configured.
 */
export function chooseModel(configured: ModelConfig, choice: string | null): ModelConfig {
  if (choice === null) return configured;
  if (choice === SIMULATED) return { kind: "simulated", isChosen: true };
  if (configured.kind === "openai") {
    return { ...configured, models: nameForEveryRole(choice) };
  }
  throw new UsageError(
    `Cannot use --model ${choice}: no endpoint is set that could serve it; set OPENAI_API_KEY or OPENAI_BASE_URL, or write --model simulated`,
  );
}

/** Returns the model that `--model` names as an option that stands for settings; null where it names none. */
export function toModelOption(choice: string | null): OptionValues | null {
  if (choice === null || choice === SIMULATED) return null;
  return { values: { OPENAI_MODEL: choice }, options: { OPENAI_MODEL: "--model" } };
}

/**
 * Requires a model where others may reach the program, or keys say who they are: the simulated
 * model is for whoever looks at the program on this machine.
 *
 * Source: models.md §4, "First run".
 *
 * @throws UsageError where none is set.
 */
export function assertModelSet({ model, service }: Pick<Config, "model" | "service">): void {
  const isForOthers = service.settings.access.kind === "on" || !isLoopbackHost(service.host);
  if (!isForOthers || !isModelMissing(model)) return;
  throw new UsageError(
    "No model is set. Set OPENAI_API_KEY, or OPENAI_BASE_URL and OPENAI_MODEL, or pass --model simulated.",
  );
}

/** Parts that the models of a program share with the rest of it. */
export interface ModelParts {
  readonly domain?: Pick<Domain, "simulated" | "entityTypes">;
  /** Limits that differ from the defaults. */
  readonly limits?: Partial<Limits>;
  /** Remembers what is learned about models. Default: forgotten with the process. */
  readonly store?: ModelProfileStore;
  /** Takes what cannot be remembered. */
  readonly onError?: (error: unknown) => void;
}

/**
 * Makes the models of a configuration. Loads only the client that it uses.
 *
 * @throws UsageError for prices that cannot be read, or a budget of money for a model without a price.
 * @throws UnusableModelError for a model whose window is known and too narrow.
 */
export async function openModels(
  config: ModelConfig,
  parts: ModelParts = {},
): Promise<OpenedModels> {
  if (config.kind !== "openai") return openSimulated(parts.domain);
  const prices = config.prices === null ? [] : await readPrices(config.prices);
  assertPriced(config, prices);
  const [client, { EndpointQueues }, { countTokens }] = await loadClient();
  const { createOpenAIExperts, createOpenAIModels, listConfiguredModels } = client;
  const { limits, store, onError } = parts;
  const services = {
    queues: new EndpointQueues(),
    profiles: new Map(),
    countTokens,
    prices,
    local: await findLocalEndpoints(config, { store: store ?? null }),
    ...(limits === undefined ? {} : { limits }),
    ...(store === undefined ? {} : { store }),
    ...(onError === undefined ? {} : { onError }),
  };
  await assertRoomy(listConfiguredModels(config, services));
  const models = createOpenAIModels(config, services);
  return config.experts === undefined
    ? { models }
    : { models, experts: createOpenAIExperts(config, services) };
}

/** Requires windows in which a prompt and its answer have room (models.md §3, "The small tier"). */
async function assertRoomy(configured: readonly ConfiguredModel[]): Promise<void> {
  await Promise.all(configured.map(({ profile }) => profile.ready()));
  for (const model of configured) {
    const { contextWindow, evidence } = model.profile.current;
    if (contextWindow === null || contextWindow >= LEAST_WINDOW) continue;
    const isSet = evidence.contextWindow?.source === "set";
    throw new UnusableModelError(explainNarrowness(model, { window: contextWindow, isSet }));
  }
}

/** Says which window was found and how a wider one is had. */
function explainNarrowness(
  { name, baseUrl, profile }: ConfiguredModel,
  { window, isSet }: { readonly window: number; readonly isSet: boolean },
): string {
  const [found, least] = [window, LEAST_WINDOW].map((tokens) => tokens.toLocaleString("en"));
  const { dialect } = profile.current;
  const advice =
    isSet || dialect === "ollama"
      ? `set CONCIERGE_MODEL_WINDOW=${LEAST_WINDOW} or more, if the model can take as much`
      : isLoopback(baseUrl)
        ? `raise it at its server (OLLAMA_CONTEXT_LENGTH=${LEAST_WINDOW} for Ollama), and set CONCIERGE_MODEL_WINDOW to the new number or measure it with "npm run models -- test"`
        : `choose another model, or where the number is wrong set CONCIERGE_MODEL_WINDOW`;
  return `Cannot use model "${name}" at ${endpointHost(baseUrl)}: its window takes ${found} tokens and at least ${least} are needed; ${advice}`;
}

/** Imports what the models of a configuration need. An early call shortens a later wait. */
export async function loadModels(config: ModelConfig): Promise<void> {
  await (config.kind === "openai" ? loadClient() : loadSimulated());
}

function loadClient() {
  return Promise.all([
    import("../models/client/openai.ts"),
    import("../models/queue/endpoint-queues.ts"),
    import("../models/tokens.ts"),
  ]);
}

function loadSimulated() {
  return Promise.all([
    import("../simulated-model/index.ts"),
    import("../models/client/langchain-model.ts"),
    import("../meals/simulated.ts"),
  ]);
}

/** Returns the limits in force: those of models on this machine differ, and a turn's budget of tokens is one. */
export function chooseLimits({ model, limits }: Pick<Config, "model" | "limits">): Limits {
  const { turn } = chooseBudget({ model });
  const tokens = turn !== null && "tokens" in turn ? { tokensPerTurn: turn.tokens } : {};
  const local = model.kind === "openai" && isLoopback(model.baseUrl);
  return limitsWith({ ...limits, ...tokens }, { local });
}

/** Returns the budget in force; the simulated model costs nothing. */
export function chooseBudget({ model }: Pick<Config, "model">): Budget {
  return model.kind === "openai" ? model.budget : NO_BUDGET;
}

/** Makes the simulated model for all roles, with the words and the labels of its domain. */
async function openSimulated(domain: ModelParts["domain"]): Promise<OpenedModels> {
  const [{ createSimulatedModel }, { createLangChainModel }, kitchen] = await loadSimulated();
  const words = domain === undefined ? kitchen.SIMULATED_WORDS : domain.simulated;
  const labels = Object.fromEntries(
    (domain?.entityTypes ?? []).map(({ type, label }) => [type, listRead(label)]),
  );
  const model = createLangChainModel({
    chat: createSimulatedModel({ words, labels }),
    name: "simulated",
    endpoint: null,
    // It answers within this process: nothing is gained by waiting.
    limits: { ...limitsWith({}), endpointCalls: 64 },
    price: { model: "simulated", input: 0, cached: 0, output: 0 },
  });
  return { models: mapRoles(() => model) };
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

/** Said at each start without a model, after "Model: ". */
const NO_MODEL =
  "none is set; the simulated model follows plain commands (set OPENAI_API_KEY, or OPENAI_BASE_URL and OPENAI_MODEL)";

/**
 * Names the models in a few words: "simulated", or the model of most roles with those of the
 * others, the endpoint's host, and what the experts are. Never a key.
 */
export function describeModels(config: ModelConfig): string {
  if (isModelMissing(config)) return NO_MODEL;
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
