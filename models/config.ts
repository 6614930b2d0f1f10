import { z } from "zod";
import type { Budget } from "../state/budget.ts";
import { mapRoles, type ModelRole, type ModelTier } from "../state/model.ts";
import type { ExpertConfig } from "./expert-config.ts";
import { REASONING_LEVELS, type ReasoningLevel } from "./profile/known-models.ts";
import { STRUCTURED_MODES, type Dialect } from "./profile/profile.ts";

/**
 * The way to request a structured answer from an endpoint; `auto` tries each, best first. With
 * `json_object` and `text` the schema stands in the prompt.
 */
export const StructuredOutputSchema = z.enum(["auto", ...STRUCTURED_MODES]);
export type StructuredOutput = z.infer<typeof StructuredOutputSchema>;

/** The amount of thinking before an answer. */
export const ReasoningSchema = z.enum(REASONING_LEVELS);

/** The endpoint used when only `OPENAI_API_KEY` is set. */
export const OPENAI_BASE_URL = "https://api.openai.com/v1";
/** The default model of that endpoint: it answers quickly and supports strict schemas. */
export const OPENAI_MODEL = "gpt-4.1-mini";

/** An OpenAI-compatible endpoint and what each role asks of it. */
export interface OpenAIConfig {
  readonly kind: "openai";
  /** Null for endpoints that want none. */
  readonly apiKey: string | null;
  readonly baseUrl: string;
  readonly models: Readonly<Record<ModelRole, string>>;
  /** The experts of a batch. Default: the expert role's model under several lenses. */
  readonly experts?: readonly ExpertConfig[];
  readonly structuredOutput: StructuredOutput;
  /** Null for each role's own default. */
  readonly reasoning: ReasoningLevel | null;
  /** Tokens for thinking on top of an answer; null for what the model is seen to need. */
  readonly reasoningTokens: number | null;
  /** Null where the person has not said it. */
  readonly tier: ModelTier | null;
  /** Tokens of prompt and answer together; null where the person has not said it. */
  readonly window: number | null;
  readonly budget: Budget;
  /** The absolute path of a file with prices; null for the program's own. */
  readonly prices: string | null;
  /** The dialect of the endpoint, where it was stored with it. Default: found out at the start. */
  readonly dialect?: EndpointDialect;
}

/** Tokens of a window on this machine that nobody has named: many servers cut longer prompts without a word. */
export const LOCAL_WINDOW = 8_192;

/** The ways to speak to an endpoint: OpenAI's Chat Completions, or Ollama's own. */
export type EndpointDialect = Exclude<Dialect, "simulated">;

/** The simulated model. */
interface SimulatedConfig {
  readonly kind: "simulated";
  /** True where somebody asked for it; it also stands in where no model is set. */
  readonly isChosen?: true;
}

/** Which models the program works with. */
export type ModelConfig = SimulatedConfig | OpenAIConfig;

/** Returns true where no model is set, and nobody has asked for the simulated one. */
export function isModelMissing(config: ModelConfig): boolean {
  return config.kind === "simulated" && config.isChosen !== true;
}

/** Returns true for an address on this machine. */
export function isLoopback(url: string): boolean {
  const { hostname } = new URL(url);
  return /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}

/** Returns origin and path of a URL: the part of an endpoint's address that holds no secret. */
export function endpointAddress(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname.replace(/\/+$/, "")}`;
}

/** Returns host and port of a URL, the only parts of an endpoint that may be shown. */
export function endpointHost(url: string): string {
  return new URL(url).host;
}

/** The roles that need a model before others can take theirs from it. */
const TASK_ROLES = ["understand", "think", "act", "reply", "summarize"] as const;

/** Models as a person names them. */
export interface NamedModels {
  /** Null for OpenAI's own endpoint. */
  readonly baseUrl: string | null;
  /** The model for every role; null where none is named. */
  readonly model: string | null;
  /** The model of one role; null where none is named. */
  readonly roles: Readonly<Record<ModelRole, string | null>>;
}

/** Returns the first role for which an endpoint has no model; null where each has one. */
export function findRoleWithoutModel(named: NamedModels): ModelRole | null {
  const usual = chooseUsualModel(named);
  return TASK_ROLES.find((role) => (named.roles[role] ?? usual) === null) ?? null;
}

/**
 * Chooses the model of each role. Roles of the concierge lane that name none take the usual model,
 * else that of replies.
 *
 * @throws TypeError where a role has none (`findRoleWithoutModel`).
 */
export function chooseModels(named: NamedModels): Record<ModelRole, string> {
  const { roles } = named;
  const usual = chooseUsualModel(named);
  function requireModel(role: (typeof TASK_ROLES)[number]): string {
    const model = roles[role] ?? usual;
    if (model !== null) return model;
    throw new TypeError(`Cannot ask a model: none is named for "${role}"`);
  }
  const task = {
    understand: requireModel("understand"),
    think: requireModel("think"),
    act: requireModel("act"),
    reply: requireModel("reply"),
    summarize: requireModel("summarize"),
  };
  const concierge = roles.concierge ?? usual ?? task.reply;
  return {
    ...task,
    concierge,
    expert: roles.expert ?? usual ?? concierge,
    mapper: roles.mapper ?? usual ?? concierge,
  };
}

/** Gives every role the same model. */
export function nameForEveryRole(model: string): Record<ModelRole, string> {
  return mapRoles(() => model);
}

/** Other endpoints do not serve OpenAI's default model. */
function chooseUsualModel({ baseUrl, model }: NamedModels): string | null {
  const isElsewhere = endpointHost(baseUrl ?? OPENAI_BASE_URL) !== endpointHost(OPENAI_BASE_URL);
  return model ?? (isElsewhere ? null : OPENAI_MODEL);
}
