import { ModelError } from "../../state/model.ts";
import {
  ABORTED,
  CUT,
  diagnose,
  readErrorFacts,
  property,
  TIMEOUT,
  type Diagnosis,
  type SettingNames,
} from "./diagnose.ts";

/** The model that was called, as an error may describe it. */
export interface ModelErrorContext {
  /** The model's configured name. */
  readonly model: string;
  /** Host and port that were asked; null for a model inside the process. */
  readonly endpoint: string | null;
  /** The configured keys, which must never appear in an error. */
  readonly secrets: readonly string[];
  /** Default: the settings of the roles. */
  readonly settings?: SettingNames;
  /** Times that the call was made again. Default: 0. */
  readonly retries?: number;
}

const LONGEST_CAUSE = 500;

/**
 * Turns whatever a client threw into the error a node understands.
 *
 * Contract: neither the message nor the printed error (its causes included) holds a key; the
 * message holds no words of the endpoint, which may quote the prompt.
 */
export function toModelError(
  error: unknown,
  context: ModelErrorContext,
  seconds: number | null = null,
): ModelError {
  if (error instanceof ModelError) return error;
  return modelError(diagnose(readErrorFacts(error), context.settings), context, error, seconds);
}

/** The error of a call that took longer than `timeoutMs`. */
export function timeoutError(context: ModelErrorContext, timeoutMs: number): ModelError {
  const found = `no complete answer within ${timeoutMs / 1_000} s`;
  return modelError({ ...TIMEOUT, found }, context, undefined);
}

/** The error of a call that was stopped from outside. */
export function abortedError(context: ModelErrorContext): ModelError {
  return modelError(ABORTED, context, undefined);
}

/** The error of an answer whose stream ended before it was complete. */
export function cutError(context: ModelErrorContext): ModelError {
  return modelError(CUT, context, undefined);
}

/** The error of a call that found no free place; `seconds` until there may be one, null where unknown. */
export function busyError(context: ModelErrorContext, seconds: number | null): ModelError {
  const diagnosis: Diagnosis = {
    code: "model_busy",
    found: "no free place for the call in time",
    advice: "raise endpointCalls or queueSeconds in CONCIERGE_LIMITS, if the endpoint bears it",
  };
  return modelError(diagnosis, context, undefined, seconds);
}

/** The error of an endpoint that wants no more calls for `seconds`. */
export function rateLimitedError(context: ModelErrorContext, seconds: number): ModelError {
  const diagnosis: Diagnosis = {
    code: "model_rate_limited",
    found: `too many requests; the next one may be made in ${seconds} s`,
    advice: "wait, or choose a plan of the endpoint that allows more",
  };
  return modelError(diagnosis, context, undefined, seconds);
}

/** Tokens of an answer that was cut twice. */
export interface CutAnswer {
  /** The bound at which it was cut. */
  readonly tokens: number;
  /** Spent on thinking, all attempts together; 0 where it was not counted. */
  readonly thinking: number;
}

/** The error of an answer that twice the room did not hold. */
export function answerCutError(context: ModelErrorContext, cut: CutAnswer): ModelError {
  const thinking = cut.thinking === 0 ? "" : `, ${cut.thinking} of the tokens for thinking`;
  const diagnosis: Diagnosis = {
    code: "model_answer_cut",
    found: `the answer was cut at ${cut.tokens} tokens${thinking}`,
    advice: "raise CONCIERGE_REASONING_TOKENS, or choose a model that thinks less",
  };
  return modelError(diagnosis, context, undefined);
}

/** Tokens of a prompt with its answer, and of the window. */
export interface NarrowWindow {
  readonly needed: number;
  readonly window: number;
}

/** The error of a prompt that does not fit the model's window; no call was made. */
export function contextError(
  context: ModelErrorContext,
  { needed, window }: NarrowWindow,
): ModelError {
  const diagnosis: Diagnosis = {
    code: "model_context_too_long",
    found: `prompt and answer need ${needed} tokens, and the model's window has ${window}`,
    advice:
      "choose a model with a larger window; if it has one, set it on its server and as CONCIERGE_MODEL_WINDOW",
  };
  return modelError(diagnosis, context, undefined);
}

/** Takes keys and what endpoints quote of them out of a text. */
export function redact(text: string, secrets: readonly string[]): string {
  const known = secrets
    .filter((secret) => secret.length >= 4)
    .reduce((rest, secret) => rest.replaceAll(secret, "[redacted]"), text);
  return known
    .replaceAll(/(API key provided: )\S+/gi, "$1[redacted]")
    .replaceAll(/\bBearer\s+[^\s"',]+/gi, "Bearer [redacted]")
    .replaceAll(/\b(?:sk|pk|rk|gsk|xai)-[\w.*-]{4,}/g, "[redacted]")
    .replaceAll(/\bgsk_\w{4,}/g, "[redacted]")
    .replaceAll(/[\w-]*\*{3,}[\w*-]*/g, "[redacted]")
    .replaceAll(/(\w+:\/\/)[^\s/@]+@/g, "$1");
}

function modelError(
  diagnosis: Diagnosis,
  context: ModelErrorContext,
  cause: unknown,
  seconds: number | null = null,
): ModelError {
  const where = context.endpoint === null ? "" : ` at ${context.endpoint}`;
  const found = `${diagnosis.found}${sayRetries(context)}`;
  const message = `Cannot get an answer from model "${context.model}"${where}: ${found}; ${diagnosis.advice}`;
  const options = cause === undefined ? {} : { cause: sanitize(cause, context.secrets) };
  return new ModelError(diagnosis.code, redact(message, context.secrets), { ...options, seconds });
}

function sayRetries({ retries = 0 }: ModelErrorContext): string {
  if (retries === 0) return "";
  return `, also after ${retries} ${retries === 1 ? "retry" : "retries"}`;
}

/** A copy of an error with its words redacted and its headers and bodies left behind. */
function sanitize(error: unknown, secrets: readonly string[], depth = 0): Error {
  const facts = readErrorFacts(error);
  const copy = new Error(redact(facts.message, secrets).slice(0, LONGEST_CAUSE));
  copy.name = redact(facts.name, secrets);
  copy.stack = `${copy.name}: ${copy.message}`;
  const kept = { status: facts.status, code: facts.code ?? facts.connection, param: facts.param };
  for (const [key, value] of Object.entries(kept)) {
    const safe = typeof value === "string" ? redact(value, secrets) : value;
    if (safe !== null) Object.assign(copy, { [key]: safe });
  }
  const cause = property(error, "cause");
  if (cause instanceof Error && depth < 4) copy.cause = sanitize(cause, secrets, depth + 1);
  return copy;
}
