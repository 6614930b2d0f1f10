import { z } from "zod";
import type { ModelRole, ModelTier } from "../state/model.ts";
import { redact } from "./errors.ts";
import { REASONING_LEVELS, type ReasoningLevel } from "./known-models.ts";
import { STRUCTURED_MODES } from "./profile.ts";
import { isHttpUrl, readExperts, type ExpertConfig } from "./expert-config.ts";

/** The way to request a structured answer from an endpoint; `auto` tries each, best first. */
export const StructuredOutputSchema = z.enum(["auto", ...STRUCTURED_MODES]);
export type StructuredOutput = z.infer<typeof StructuredOutputSchema>;

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
  /** Null for each role's own level. */
  readonly reasoning: ReasoningLevel | null;
  /** Tokens for thinking on top of an answer; null for what the model is seen to need. */
  readonly reasoningTokens: number | null;
  /** Null where the model's name, window and answers decide. */
  readonly tier: ModelTier | null;
  /** Tokens of the window; null for what the endpoint tells. */
  readonly window: number | null;
}

/** Which models the program works with. */
export type ModelConfig = { readonly kind: "simulated" } | OpenAIConfig;

const text = z
  .string()
  .trim()
  .optional()
  .transform((value) => (value === "" ? undefined : value));

function wholeNumber(min: number, max: number) {
  const wanted = `must be a whole number from ${min} to ${max}`;
  return text.transform((value, context) => {
    if (value === undefined) return undefined;
    const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
    if (number >= min && number <= max) return number;
    context.addIssue({ code: "custom", message: wanted });
    return z.NEVER;
  });
}

const baseUrl = text.refine((value) => value === undefined || isHttpUrl(value), {
  message: 'must be a URL that begins with "http://" or "https://"',
});

const structuredOutput = text.transform((value, context) => {
  const mode = StructuredOutputSchema.safeParse(value ?? "auto");
  if (mode.success) return mode.data;
  context.addIssue({
    code: "custom",
    message: `must be one of ${StructuredOutputSchema.options.join(", ")}`,
  });
  return z.NEVER;
});

const reasoning = text.transform((value, context): ReasoningLevel | undefined => {
  const level = z.enum(REASONING_LEVELS).optional().safeParse(value);
  if (level.success) return level.data;
  context.addIssue({ code: "custom", message: `must be one of ${REASONING_LEVELS.join(", ")}` });
  return z.NEVER;
});

const tier = text.transform((value, context): ModelTier | undefined => {
  if (value === undefined || value === "full" || value === "small") return value;
  context.addIssue({ code: "custom", message: "must be full or small" });
  return z.NEVER;
});

/** The model settings of the environment; empty values count as absent. */
export const ModelEnvironmentSchema = z.object({
  OPENAI_API_KEY: text,
  OPENAI_BASE_URL: baseUrl,
  OPENAI_MODEL: text,
  CONCIERGE_MODEL_UNDERSTAND: text,
  CONCIERGE_MODEL_THINK: text,
  CONCIERGE_MODEL_ACT: text,
  CONCIERGE_MODEL_REPLY: text,
  CONCIERGE_MODEL_SUMMARIZE: text,
  CONCIERGE_MODEL_CONCIERGE: text,
  CONCIERGE_MODEL_EXPERT: text,
  CONCIERGE_MODEL_MAPPER: text,
  CONCIERGE_EXPERTS: text,
  CONCIERGE_STRUCTURED_OUTPUT: structuredOutput,
  CONCIERGE_REASONING: reasoning,
  CONCIERGE_REASONING_TOKENS: wholeNumber(0, 1_000_000),
  CONCIERGE_MODEL_TIER: tier,
  CONCIERGE_MODEL_WINDOW: wholeNumber(1, 100_000_000),
});
/** The model settings as they are after parsing. */
export type ModelEnvironment = z.infer<typeof ModelEnvironmentSchema>;

/** The environment as a program gets it: keys of experts stand under names of the user's own. */
type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the model settings out of environment variables.
 *
 * @throws TypeError, one sentence that names the variable; credentials are never repeated.
 *
 * @example
 * readModelConfig({}).kind; // "simulated"
 * readModelConfig({ OPENAI_API_KEY: "sk-1" }).kind; // "openai"
 */
export function readModelConfig(env: Environment): ModelConfig {
  const parsed = ModelEnvironmentSchema.safeParse(env);
  if (parsed.success) return toModelConfig(parsed.data, env);
  const [issue] = parsed.error.issues;
  const variable = String(issue?.path[0] ?? "");
  const value = redact(env[variable] ?? "", []);
  throw new TypeError(`Cannot use ${variable} "${value}": it ${issue?.message ?? "is not valid"}`);
}

/**
 * Makes the configuration of parsed settings: the simulated model when neither key nor URL is set.
 * `all` is the environment they came from.
 *
 * @throws TypeError when a URL is set without a model, or experts cannot be read.
 */
export function toModelConfig(env: ModelEnvironment, all: Environment): ModelConfig {
  const experts =
    env.CONCIERGE_EXPERTS === undefined ? null : readExperts(env.CONCIERGE_EXPERTS, all);
  if (env.OPENAI_API_KEY === undefined && env.OPENAI_BASE_URL === undefined) {
    return { kind: "simulated" };
  }
  const baseUrlWanted = env.OPENAI_BASE_URL ?? OPENAI_BASE_URL;
  const elsewhere = endpointHost(baseUrlWanted) !== endpointHost(OPENAI_BASE_URL);
  const named = env.OPENAI_MODEL ?? (elsewhere ? undefined : OPENAI_MODEL);
  return {
    kind: "openai",
    apiKey: env.OPENAI_API_KEY ?? null,
    baseUrl: baseUrlWanted,
    models: chooseModels(env, named),
    ...(experts === null ? {} : { experts }),
    structuredOutput: env.CONCIERGE_STRUCTURED_OUTPUT,
    reasoning: env.CONCIERGE_REASONING ?? null,
    reasoningTokens: env.CONCIERGE_REASONING_TOKENS ?? null,
    tier: env.CONCIERGE_MODEL_TIER ?? null,
    window: env.CONCIERGE_MODEL_WINDOW ?? null,
  };
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

function chooseModels(env: ModelEnvironment, named: string | undefined): Record<ModelRole, string> {
  const own = {
    understand: env.CONCIERGE_MODEL_UNDERSTAND,
    think: env.CONCIERGE_MODEL_THINK,
    act: env.CONCIERGE_MODEL_ACT,
    reply: env.CONCIERGE_MODEL_REPLY,
    summarize: env.CONCIERGE_MODEL_SUMMARIZE,
  } satisfies Partial<Record<ModelRole, string | undefined>>;
  function requireModel(role: keyof typeof own): string {
    const model = own[role] ?? named;
    if (model !== undefined) return model;
    throw new TypeError(
      `Cannot use OPENAI_BASE_URL without a model for "${role}": set OPENAI_MODEL to a model that this endpoint serves`,
    );
  }
  const task = {
    understand: requireModel("understand"),
    think: requireModel("think"),
    act: requireModel("act"),
    reply: requireModel("reply"),
    summarize: requireModel("summarize"),
  };
  const concierge = env.CONCIERGE_MODEL_CONCIERGE ?? named ?? task.reply;
  return {
    ...task,
    concierge,
    expert: env.CONCIERGE_MODEL_EXPERT ?? named ?? concierge,
    mapper: env.CONCIERGE_MODEL_MAPPER ?? named ?? concierge,
  };
}
