import { ChatOpenAI, type ChatOpenAIFields } from "@langchain/openai";
import type { Expert } from "../../state/expert.ts";
import { limitsWith, type Limits } from "../../state/limits.ts";
import {
  mapRoles,
  ModelRoleSchema,
  type CountTokens,
  type LanguageModel,
  type ModelProfileStore,
  type ModelRole,
} from "../../state/model.ts";
import {
  endpointAddress,
  isLoopback,
  LOCAL_WINDOW,
  type EndpointDialect,
  type OpenAIConfig,
} from "../config.ts";
import type { ExpertConfig } from "../expert-config.ts";
import { EndpointQueues } from "../queue/endpoint-queues.ts";
import { collectSecrets, expertEndpoint, nameSettings } from "../expert-endpoint.ts";
import type { ReasoningLevel } from "../profile/known-models.ts";
import { createLangChainModel, MOST_CALLS, type LangChainModelOptions } from "./langchain-model.ts";
import { createOllamaChat, findOllamaTraits } from "./ollama.ts";
import { findPrice, type Price } from "../prices.ts";
import {
  setTraits,
  startProfile,
  type ModelProfile,
  type ProfileTraits,
} from "../profile/profile.ts";
import { ProfileKeeper, type ProfileKeeperOptions } from "../profile/profile-keeper.ts";
import type { ServerFacts } from "../servers/read-server.ts";
import { WholeChatCompletions, WholeResponses } from "./whole-answer-clients.ts";

/** Parts that the models of a process share; each has a default that suits a single script. */
export interface ModelServices {
  /** Limits that differ from the defaults; an endpoint on this machine has defaults of its own. */
  readonly limits?: Partial<Limits>;
  /** Remembers what is learned. Default: it is forgotten with the process. */
  readonly store?: ModelProfileStore | null;
  /** One queue for each endpoint and key. Default: not shared with other calls of this function. */
  readonly queues?: EndpointQueues;
  /** The profiles of this process, by endpoint and model. Default: as for `queues`. */
  readonly profiles?: Map<string, ProfileKeeper>;
  /** Counts prompts against the window of a model. Default: the window is not watched. */
  readonly countTokens?: CountTokens;
  /** Prices that win over the known ones. */
  readonly prices?: readonly Price[];
  /** Endpoints on this machine whose dialect or server is known, by origin. Default: none. */
  readonly local?: ReadonlyMap<string, KnownEndpoint>;
  /** Milliseconds since 1970. Default: the clock. */
  readonly now?: () => number;
  /** Takes what cannot be stored. */
  readonly onError?: (error: unknown) => void;
}

/** An endpoint on this machine as it was found at the start. */
export interface KnownEndpoint {
  readonly dialect: EndpointDialect;
  /** Facts that its server tells of its models; null where it did not answer. */
  readonly server: ServerFacts | null;
}

/**
 * Makes the model of each role for an OpenAI-compatible endpoint.
 *
 * Roles that name the same model share it, and with it what is learned of it. Nothing is read from
 * the environment, and the client logs nothing.
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
  services: ModelServices = {},
): Readonly<Record<ModelRole, LanguageModel>> {
  const made = new Map<string, LanguageModel>();
  const secrets = collectSecrets(config);
  const shared = share(services);
  function getModel(role: ModelRole): LanguageModel {
    const name = config.models[role];
    const model = made.get(name) ?? createOpenAIModel(name, { config, secrets, services: shared });
    made.set(name, model);
    return model;
  }
  return mapRoles(getModel);
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
export function createOpenAIExperts(
  config: OpenAIConfig,
  services: ModelServices = {},
): readonly Expert[] {
  const setup = { config, secrets: collectSecrets(config), services: share(services) };
  return (config.experts ?? []).map((expert) => {
    const model = createOpenAIModel(expert.model, setUpExpert(expert, setup));
    return { id: expert.id, lens: expert.lens, model };
  });
}

function setUpExpert(expert: ExpertConfig, setup: EndpointSetup): EndpointSetup {
  const config = { ...setup.config, ...expertEndpoint(expert, setup.config) };
  return { ...setup, config, settings: nameSettings(expert) };
}

/** One model at one endpoint, with everybody who asks it. Holds a key: never to be shown. */
export interface ConfiguredModel {
  readonly name: string;
  readonly baseUrl: string;
  readonly apiKey: string | null;
  readonly roles: readonly ModelRole[];
  /** Ids of the experts that ask it. */
  readonly experts: readonly string[];
  /** Null where it is not known. */
  readonly price: Price | null;
  /** Assumed, and known by the name. */
  readonly start: ModelProfile;
  /** Set by the person. */
  readonly settings: Partial<ProfileTraits>;
  readonly profile: ProfileKeeper;
  /** Makes the model, asked as `profile` says; thinking as configured where none is given. */
  readonly open: (asked: {
    readonly profile: ProfileKeeper;
    readonly reasoning?: ReasoningLevel;
  }) => LanguageModel;
}

/**
 * Lists the models of roles and experts, each once for an endpoint and key, in the order in which
 * they are first named. Their profiles are those of this process until `profile.ready()`.
 */
export function listConfiguredModels(
  config: OpenAIConfig,
  services: ModelServices = {},
): readonly ConfiguredModel[] {
  const setup = { config, secrets: collectSecrets(config), services: share(services) };
  const asked = [
    ...ModelRoleSchema.options.map((role) => ({
      name: config.models[role],
      setup,
      roles: [role],
      experts: [],
    })),
    ...(config.experts ?? []).map((expert) => ({
      name: expert.model,
      setup: setUpExpert(expert, setup),
      roles: [],
      experts: [expert.id],
    })),
  ];
  const models = Map.groupBy(asked, ({ name, setup: { config: one } }) =>
    JSON.stringify([endpointAddress(one.baseUrl), one.apiKey, name]),
  );
  return [...models.values()].flatMap((same) => {
    const [first] = same;
    if (first === undefined) return [];
    const roles = same.flatMap((one): readonly ModelRole[] => one.roles);
    const experts = same.flatMap((one): readonly string[] => one.experts);
    return [{ ...describeModel(first.name, first.setup), roles, experts }];
  });
}

function describeModel(
  name: string,
  setup: EndpointSetup,
): Omit<ConfiguredModel, "roles" | "experts"> {
  const { config, services } = setup;
  const { baseUrl, apiKey } = config;
  const keeper = chooseKeeperOptions(name, setup);
  return {
    name,
    baseUrl,
    apiKey,
    price: findPrice({ model: name, local: isLoopback(baseUrl) }, services.prices ?? []),
    start: keeper.start,
    settings: keeper.settings,
    profile: getProfile(name, setup),
    open: ({ profile, reasoning = config.reasoning }) =>
      createOpenAIModel(name, { ...setup, config: { ...config, reasoning }, profile }),
  };
}

interface EndpointSetup extends Pick<LangChainModelOptions, "settings" | "profile"> {
  readonly config: OpenAIConfig;
  readonly secrets: readonly string[];
  readonly services: SharedServices;
}

type SharedServices = ModelServices & Required<Pick<ModelServices, "queues" | "profiles">>;

function share(services: ModelServices): SharedServices {
  return { queues: new EndpointQueues(), profiles: new Map(), ...services };
}

function createOpenAIModel(name: string, setup: EndpointSetup): LanguageModel {
  const { config, secrets, services, settings } = setup;
  const local = isLoopback(config.baseUrl);
  const limits = limitsWith(services.limits ?? {}, { local });
  const known = findKnownEndpoint(config, services);
  const profile = setup.profile ?? getProfile(name, setup);
  const most = local ? (profile.current.slots ?? 1) : MOST_CALLS;
  const queueLimits = { ...limits, mostCalls: Math.max(most, limits.endpointCalls) };
  return createLangChainModel({
    chat:
      known.dialect === "ollama"
        ? createOllamaChat({ ...config, model: name, window: config.window ?? LOCAL_WINDOW })
        : createClient(name, config),
    name,
    endpoint: endpointAddress(config.baseUrl),
    profile,
    queue: services.queues.get(endpointAddress(config.baseUrl), config.apiKey, queueLimits),
    limits,
    reasoning: config.reasoning,
    price: findPrice({ model: name, local }, services.prices ?? []),
    secrets,
    namesFinish: true,
    ...(services.countTokens === undefined ? {} : { countTokens: services.countTokens }),
    ...(settings === undefined ? {} : { settings }),
  });
}

function findKnownEndpoint(
  { baseUrl, dialect = "chat" }: OpenAIConfig,
  { local }: ModelServices,
): KnownEndpoint {
  return local?.get(new URL(baseUrl).origin) ?? { dialect, server: null };
}

function createClient(name: string, { apiKey, baseUrl }: OpenAIConfig): ChatOpenAI {
  const fields: ChatOpenAIFields = {
    model: name,
    // Local endpoints want no key, but the client does.
    apiKey: apiKey ?? "none",
    maxRetries: 0,
    configuration: {
      baseURL: baseUrl,
      maxRetries: 0,
      organization: null,
      project: null,
      logLevel: "off",
    },
  };
  return new ChatOpenAI({
    ...fields,
    completions: new WholeChatCompletions(fields),
    responses: new WholeResponses(fields),
  });
}

/** Returns the profile that all models of an endpoint with this name share: a lesson of one holds for all. */
function getProfile(name: string, setup: EndpointSetup): ProfileKeeper {
  const { profiles } = setup.services;
  const key = JSON.stringify([endpointAddress(setup.config.baseUrl), name]);
  const keeper = profiles.get(key) ?? new ProfileKeeper(chooseKeeperOptions(name, setup));
  profiles.set(key, keeper);
  return keeper;
}

function chooseKeeperOptions(
  name: string,
  { config, services }: EndpointSetup,
): ProfileKeeperOptions {
  const known = findKnownEndpoint(config, services);
  const now = services.now ?? Date.now;
  const at = new Date(now()).toISOString();
  const key = { endpoint: endpointAddress(config.baseUrl), model: name, dialect: known.dialect };
  const byName = startProfile(key, at);
  const local = isLoopback(config.baseUrl)
    ? setTraits(
        byName,
        { contextWindow: LOCAL_WINDOW },
        { source: "assumed", at, reason: "no window is known" },
      )
    : byName;
  return {
    start: setTraits(local, findServerTraits(name, known), {
      source: "known",
      // Later than what the name tells: of two sources of the same strength the later one wins.
      at: new Date(now() + 1).toISOString(),
      reason: "by what its server says",
    }),
    settings: readSettings(config),
    store: services.store ?? null,
    now,
    onError: services.onError ?? (() => undefined),
  };
}

function findServerTraits(name: string, { dialect, server }: KnownEndpoint) {
  const stated = server?.models.find((model) => model.name === name)?.traits ?? {};
  return dialect === "ollama" ? findOllamaTraits(name, stated) : stated;
}

function readSettings(config: OpenAIConfig): Partial<ProfileTraits> {
  const { structuredOutput, reasoningTokens, tier, window } = config;
  return {
    ...(structuredOutput === "auto" ? {} : { structured: structuredOutput }),
    ...(reasoningTokens === null ? {} : { allowance: reasoningTokens }),
    ...(tier === null ? {} : { tier }),
    ...(window === null ? {} : { contextWindow: window }),
  };
}
