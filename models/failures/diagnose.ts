import type { ModelErrorCode } from "../../state/model.ts";
import { readRetryAfter } from "../queue/retry-after.ts";

/** Why there is no answer, in the parts of a sentence. */
export interface Diagnosis {
  readonly code: ModelErrorCode;
  /** The response or error that was received. */
  readonly found: string;
  /** The suggested remedy. */
  readonly advice: string;
}

/** The settings that decide how a model is asked, as advice names them. */
export interface SettingNames {
  readonly model: string;
  /** `model`, and where else one may be named. */
  readonly models: string;
  readonly url: string;
  readonly key: string;
}

/** The settings of the roles. */
export const ROLE_SETTINGS: SettingNames = {
  model: "OPENAI_MODEL",
  models: "OPENAI_MODEL and the CONCIERGE_MODEL_ settings",
  url: "OPENAI_BASE_URL",
  key: "OPENAI_API_KEY",
};

/** The properties that clients put on their errors; null when absent. */
export interface ErrorFacts {
  readonly name: string;
  readonly message: string;
  readonly status: number | null;
  /** The endpoint's own code and the parameter it names. */
  readonly code: string | null;
  readonly param: string | null;
  /** Of the connection, from the error or its causes: `ECONNREFUSED`. */
  readonly connection: string | null;
  /** Seconds for which the endpoint wants no further call, from the response's headers. */
  readonly retryAfter: number | null;
}

const CONTEXT_TOO_LONG =
  /context_length_exceeded|context (?:length|window|size)|exceed_context_size|string_above_max_length|(?:prompt|input) is too long|too many (?:input |prompt )?tokens|input tokens exceed|exceeds? (?:the )?(?:token|input) limit/i;
const UNKNOWN_MODEL =
  /model_not_found|model.{0,80}(?:not found|does not exist|not exist|unknown)|unknown model|no such model|invalid model/is;
const CONTENT_REFUSED = /content_?(?:filter|policy)|safety/i;
/** Groq reports what its model wrote wrong as a refused request. */
const DISCARDED = /failed_generation|tool_use_failed|json_validate_failed/i;
/** Gemini refuses a wrong key with status 400. */
const KEY_REFUSED = /api[ _]key[ _](?:not[ _]valid|invalid)/i;
const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS|ERR_SSL|EPROTO/;
const CUT_CODES = new Set(["UND_ERR_SOCKET", "ECONNRESET", "ERR_STREAM_PREMATURE_CLOSE", "EPIPE"]);
const HARMLESS_TOKEN = /^[\w.[\]-]{1,64}$/;
/** Somebody stopped the call. */
export const ABORTED: Diagnosis = {
  code: "model_aborted",
  found: "the call was stopped",
  advice: "ask again to go on",
};
/** The answer took too long. */
export const TIMEOUT: Diagnosis = {
  code: "model_timeout",
  found: "no complete answer in time",
  advice: "try again, raise modelSeconds in CONCIERGE_LIMITS or choose a faster model",
};
/** The stream ended before the answer did. */
export const CUT: Diagnosis = {
  code: "model_failed",
  found: "the connection ended in the middle of the answer",
  advice: "try again",
};

/** Returns true when an endpoint rejected the request because the prompt exceeds its context. */
export function isContextOverflow(error: unknown): boolean {
  return isTooLong(readErrorFacts(error));
}

/** Returns the tokens of the window that an error about a prompt's length names; null where it names none. */
export function readWindow(error: unknown): number | null {
  const { message } = readErrorFacts(error);
  // llama.cpp's server has it beside its words.
  const field = numberOrNull(property(property(error, "error"), "n_ctx"));
  if (field !== null) return field;
  const named = /(?:context (?:length|window|size)|n_ctx|maximum)[^\d]{0,40}(\d[\d,_]{2,})/i.exec(
    message,
  )?.[1];
  const tokens = Number(named?.replaceAll(/[,_]/g, ""));
  return Number.isInteger(tokens) && tokens > 0 ? tokens : null;
}

/** Returns the status and message of an endpoint's refusal, for deciding whether to try another way. */
export function readRefusal(
  error: unknown,
): { readonly status: number; readonly words: string } | null {
  const { status, message, code, param } = readErrorFacts(error);
  if (status === null) return null;
  return { status, words: [message, code, param].filter((part) => part !== null).join(" ") };
}

/** Returns true where the endpoint kept an answer back that did not fit its request: another may. */
export function isDiscarded({ message, code }: Pick<ErrorFacts, "message" | "code">): boolean {
  return DISCARDED.test(`${code} ${message}`);
}

/** Returns true where what came back is no answer of a chat endpoint: a page, nothing, broken JSON. */
export function isUnreadable({ name }: Pick<ErrorFacts, "name">): boolean {
  return name === "SyntaxError" || name === "NotAnAnswerError";
}

/** Finds out from what a client threw why there is no answer. */
export function diagnose(facts: ErrorFacts, settings: SettingNames = ROLE_SETTINGS): Diagnosis {
  if (/^(?:AbortError|ModelAbortError|APIUserAbortError)$/.test(facts.name)) return ABORTED;
  if (/^(?:TimeoutError|APIConnectionTimeoutError)$/.test(facts.name)) return TIMEOUT;
  if (isTooLong(facts)) {
    return {
      code: "model_context_too_long",
      found: `the prompt is longer than the model accepts${answered(facts)}`,
      advice: "choose a model with a larger context, or lower the limits of the prompt's sections",
    };
  }
  const status = findStatus(facts);
  if (status !== null) return diagnoseStatus(facts, { status, settings });
  return diagnoseConnection(facts, settings);
}

/** Statuses that usually come with an endpoint's own codes. */
const USUAL_STATUS: Readonly<Record<string, number>> = {
  invalid_api_key: 401,
  insufficient_quota: 402,
  model_not_found: 404,
  rate_limit_exceeded: 429,
};

/**
 * Returns the status of a failure; null where the endpoint has reported none. One that it reports in an
 * answer has the status that usually comes with its code, else that of a failing server.
 */
export function findStatus({ name, status, code }: ErrorFacts): number | null {
  if (status !== null || name !== "APIError") return status;
  return USUAL_STATUS[code ?? ""] ?? 500;
}

interface StatusFacts {
  readonly status: number;
  readonly settings: SettingNames;
}

function diagnoseStatus(facts: ErrorFacts, { status, settings }: StatusFacts): Diagnosis {
  if (status === 401 || (status === 400 && KEY_REFUSED.test(facts.message))) {
    return {
      code: "model_key_rejected",
      found: `the endpoint rejected the key${answered(facts)}`,
      advice: `check ${settings.key}, and that it belongs to ${settings.url}`,
    };
  }
  if (status === 403) {
    return {
      code: "model_key_rejected",
      found: `the key may not use this model${answered(facts)}`,
      advice: "check the key's permissions, or choose another model",
    };
  }
  if (facts.code === "model_not_found" || (status < 500 && UNKNOWN_MODEL.test(facts.message))) {
    return {
      code: "model_unknown",
      found: `the endpoint does not know this model${answered(facts)}`,
      advice: `check ${settings.models}`,
    };
  }
  if (status === 404 || status === 405) {
    return {
      code: "model_unknown",
      found: `there is nothing at this address${answered(facts)}`,
      advice: `check ${settings.model} and the path of ${settings.url}, which often ends in /v1`,
    };
  }
  if (status === 402 || facts.code === "insufficient_quota") {
    return {
      code: "model_no_credit",
      found: `the account has no credit left${answered(facts)}`,
      advice: "check the account's billing, or use another key",
    };
  }
  if (status === 429) {
    return {
      code: "model_rate_limited",
      found: `too many requests${answered(facts)}`,
      advice: "wait a moment and try again, or raise retriesPerCall in CONCIERGE_LIMITS",
    };
  }
  if (status === 408 || status === 504)
    return { ...TIMEOUT, found: `${TIMEOUT.found}${answered(facts)}` };
  if (isDiscarded(facts)) {
    return {
      code: "model_failed",
      found: `the endpoint discarded what the model wrote${answered(facts)}`,
      advice: "try again, or choose another model",
    };
  }
  if (status < 500 && CONTENT_REFUSED.test(facts.code ?? "")) {
    return {
      code: "model_refused",
      found: `the endpoint refused the content of the prompt${answered(facts)}`,
      advice: "put the message another way, or check the endpoint's content filter",
    };
  }
  if (status < 500) {
    return {
      code: "model_request_refused",
      found: `the endpoint refused the request${answered(facts)}`,
      advice:
        "CONCIERGE_LOG=debug logs its words; another CONCIERGE_STRUCTURED_OUTPUT or model may help",
    };
  }
  return {
    code: "model_failed",
    found: `the endpoint failed${answered(facts)}`,
    advice: "try again later",
  };
}

function diagnoseConnection(facts: ErrorFacts, settings: SettingNames): Diagnosis {
  const { connection } = facts;
  const opening =
    facts.name === "APIConnectionError" ||
    /^(?:connection error|fetch failed)/i.test(facts.message);
  if (
    !opening &&
    (facts.message === "terminated" || (connection !== null && CUT_CODES.has(connection)))
  ) {
    return CUT;
  }
  if (opening || connection !== null) {
    return {
      code: "model_unreachable",
      found: connectionFailure(connection),
      advice: `check ${settings.url} and the network, and that the endpoint is running`,
    };
  }
  if (isUnreadable(facts)) {
    return {
      code: "model_failed",
      found: "what came back is not an answer of a chat endpoint",
      advice: `check ${settings.url}, which often ends in /v1`,
    };
  }
  const what = HARMLESS_TOKEN.test(facts.name) ? ` (${facts.name})` : "";
  return {
    code: "model_failed",
    found: `the call failed${what}`,
    advice: "the cause says more; try again",
  };
}

/** Returns true where a certificate was not accepted, which trying again does not change. */
export function isCertificateFailure({ connection }: ErrorFacts): boolean {
  return connection !== null && CERTIFICATE.test(connection);
}

function connectionFailure(connection: string | null): string {
  if (connection === null) return "it cannot be reached";
  if (connection === "ECONNREFUSED") return "nothing is listening there (ECONNREFUSED)";
  if (connection === "ENOTFOUND" || connection === "EAI_AGAIN") {
    return `the host name cannot be found (${connection})`;
  }
  if (CERTIFICATE.test(connection)) return `its certificate was not accepted (${connection})`;
  if (CUT_CODES.has(connection))
    return `it closed the connection without an answer (${connection})`;
  return `it cannot be reached (${connection})`;
}

function isTooLong(facts: ErrorFacts): boolean {
  if (facts.name === "ContextOverflowError" || facts.code === "context_length_exceeded")
    return true;
  if (facts.status === 413) return true;
  // A 429 may name tokens as well: those of a minute, not of the context.
  const fitting = facts.status === null || [400, 422, 500].includes(facts.status);
  return fitting && CONTEXT_TOO_LONG.test(facts.message);
}

/** Status, code and parameter in brackets: words the endpoint chose freely are left out. */
function answered({ status, code, param }: ErrorFacts): string {
  const parts = [
    status === null ? null : `${status}`,
    code !== null && HARMLESS_TOKEN.test(code) ? code : null,
    param !== null && HARMLESS_TOKEN.test(param) ? `parameter ${param}` : null,
  ].filter((part) => part !== null);
  return parts.length === 0 ? "" : ` (${parts.join(", ")})`;
}

/** Reads the known properties of whatever a client threw. */
export function readErrorFacts(error: unknown): ErrorFacts {
  const body = property(error, "error");
  return {
    name: errorName(error),
    message: error instanceof Error ? error.message : "",
    status: numberOrNull(property(error, "status")) ?? failureStatus(property(body, "code")),
    code: textOrNull(property(error, "code")) ?? textOrNull(property(body, "code")),
    param: textOrNull(property(error, "param")),
    connection: findConnectionCode(error),
    retryAfter: readRetryAfter(property(error, "headers"), Date.now()),
  };
}

/** Clients often leave `name` at "Error": the class then says more. */
function errorName(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  return error.name === "Error" ? error.constructor.name : error.name;
}

function findConnectionCode(error: unknown, depth = 0): string | null {
  if (!(error instanceof Error) || depth > 4) return null;
  const code = textOrNull(property(error, "code"));
  if (
    code !== null &&
    /^(?:E[A-Z_]{3,}|UND_ERR_\w+|ERR_\w+|(?:[A-Z]+_)*CERT(?:_\w+)?|UNABLE_TO_\w+)$/.test(code)
  ) {
    return code;
  }
  return findConnectionCode(property(error, "cause"), depth + 1);
}

/** Reads a property of anything; undefined where there is none. */
export function property(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;
}

function numberOrNull(value: unknown): number | null {
  return typeof value === "number" ? value : null;
}

/** Numbers of routers' errors are statuses, those of some others are not. */
function failureStatus(code: unknown): number | null {
  return typeof code === "number" && code >= 400 && code <= 599 ? code : null;
}

function textOrNull(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}
