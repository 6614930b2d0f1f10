import { z } from "zod";
import type { IdPlace } from "./ids.ts";
import type { Json, JsonObject } from "./json.ts";

/** The callers of models; each role may have its own model, and so may each expert. */
export const ModelRoleSchema = z.enum([
  "understand",
  "think",
  "act",
  "reply",
  "summarize",
  "concierge",
  "expert",
  "mapper",
]);
export type ModelRole = z.infer<typeof ModelRoleSchema>;

/** Makes something for every role. */
export function mapRoles<T>(make: (role: ModelRole) => T): Record<ModelRole, T> {
  return {
    understand: make("understand"),
    think: make("think"),
    act: make("act"),
    reply: make("reply"),
    summarize: make("summarize"),
    concierge: make("concierge"),
    expert: make("expert"),
    mapper: make("mapper"),
  };
}

/** The roles of the concierge lane: where no model is named for one, another role's stands in. */
export type ConciergeRole = "concierge" | "expert" | "mapper";

/** A call of a tool that a model asked for. `args` is parsed JSON, unchecked; `argsError` says why it could not be parsed. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly args: unknown;
  readonly argsError: string | null;
}

/** One message of a prompt, in the form every endpoint understands. */
export type PromptMessage =
  | { readonly role: "system" | "user"; readonly text: string }
  | { readonly role: "assistant"; readonly text: string; readonly toolCalls: readonly ToolCall[] }
  | {
      readonly role: "tool";
      readonly callId: string;
      readonly name: string;
      readonly text: string;
    };

/**
 * The value of a key that an answer leaves out: a constant, or with `position` the index of the list
 * item that the key stands in, plus one. `pointer` is the JSON pointer of the key's schema, as keys.
 */
export type AbsentValue =
  | { readonly pointer: readonly string[]; readonly value: Json }
  | { readonly pointer: readonly string[]; readonly position: true };

/** A JSON Schema with the name it is sent under. Constant per node, within OpenAI's strict subset. */
export interface NamedSchema {
  readonly name: string;
  readonly description: string;
  readonly schema: JsonObject;
  /** The places that take ids; absent where there are none. Never sent. */
  readonly ids?: readonly IdPlace[];
  /** The values of keys that an answer may leave out; absent where there are none. Never sent. */
  readonly absent?: readonly AbsentValue[];
}

/** Returns what of a schema an endpoint is sent. */
export function pickSentParts({
  name,
  description,
  schema,
}: NamedSchema): Pick<NamedSchema, "name" | "description" | "schema"> {
  return { name, description, schema };
}

/** A node's request to its model. `schema` and `tools` exclude each other; neither means plain text. */
export interface ModelRequest {
  readonly role: ModelRole;
  readonly messages: readonly PromptMessage[];
  /** Structured answer wanted: `ModelAnswer.json` is filled. */
  readonly schema: NamedSchema | null;
  /** Tools that may be called, possibly several at once. */
  readonly tools: readonly NamedSchema[];
  /** Tool use: `required` demands a call, `auto` allows one. */
  readonly toolChoice: "auto" | "required";
  /** Upper bound of the answer, in tokens; what a model thinks comes on top. */
  readonly maxOutputTokens: number;
  /**
   * Returns what is wrong with a structured answer or with tool calls, empty where they can be used.
   * Pure. Left out or null where nothing is checked.
   */
  readonly accept?: ((answer: AcceptedAnswer) => readonly string[]) | null;
  /** Called with each piece of text as it arrives; asking for it streams the request. */
  readonly onText: ((delta: string) => void) | null;
  /**
   * Called before the answer begins anew: the text so far does not stand. Left out or null where text
   * cannot be taken back; a call that breaks off after its first piece is not made again then.
   */
  readonly onRestart?: (() => void) | null;
  /** Called when the call begins to wait, and with null when it is made. */
  readonly onWait?: ((wait: ModelWait | null) => void) | null;
  readonly signal: AbortSignal | null;
}

/** The part of an answer that its node checks. */
export type AcceptedAnswer = Pick<ModelAnswer, "json" | "toolCalls">;

/** The thing that a call waits for. */
export interface ModelWait {
  readonly reason: "queue" | "rate-limit";
  /** Seconds at most; null where no bound is known. */
  readonly most: number | null;
}

/** Tokens of one call. `cached` is the part of `input` the endpoint served from its prompt cache. */
export const UsageSchema = z.object({
  input: z.number().int().nonnegative(),
  cached: z.number().int().nonnegative(),
  output: z.number().int().nonnegative(),
});
export type Usage = z.infer<typeof UsageSchema>;

/** A model's answer, unchecked: the caller validates `json` and the tool calls. */
export interface ModelAnswer {
  readonly text: string;
  /** The parsed structured answer; undefined where the text was not JSON (or none was asked for). */
  readonly json: unknown;
  readonly toolCalls: readonly ToolCall[];
  /** True when the length limit cut the answer off, or a filter of the endpoint a text. */
  readonly truncated: boolean;
  /** True where the model declined to answer: `text` is its reason. */
  readonly refused?: boolean;
  /** Tokens of every call that the answer took. */
  readonly usage: Usage;
  /** Figures of the calls that it took; left out by models that do not measure it. */
  readonly call?: CallFigures;
}

/** Figures of the calls that one answer took. */
export const CallFiguresSchema = z.object({
  model: z.string(),
  /** Origin and path; null for a model inside the process. */
  endpoint: z.string().nullable(),
  ms: z.number().nonnegative(),
  /** The part of the output tokens that was spent on thinking. */
  reasoning: z.number().int().nonnegative(),
  /** True where tokens were counted here, since the endpoint counts none; left out elsewhere. */
  estimated: z.boolean().optional(),
  /** Millionths of the price list's currency; null where the price is not known. */
  costMicros: z.number().int().nonnegative().nullable(),
  /** Mendings of a loose answer, by path and kind. */
  mended: z.array(z.string()),
  /** Lessons about the endpoint, in sentences for its operator. */
  learned: z.array(z.string()),
});
export type CallFigures = z.infer<typeof CallFiguresSchema>;

/** `small` for models of few parameters or a narrow window: shorter plans, fewer tools, one decision a call (models.md §3). */
export const ModelTierSchema = z.enum(["full", "small"]);
export type ModelTier = z.infer<typeof ModelTierSchema>;

/** Facts that nodes need of a model before they ask it. */
export interface ModelTraits {
  readonly tier: ModelTier;
  /** Origin and path of its endpoint, whose places are shared; null for a model inside the process. */
  readonly endpoint: string | null;
  /** Tokens of prompt and answer together; null where unknown. */
  readonly window: number | null;
  /** Tokens of a prompt at most, the room for the answer taken off; null where unknown. */
  readonly promptTokens: (answerTokens: number) => number | null;
  /** Calls that its endpoint takes at once. */
  readonly slots: number;
  /** Milliseconds that its last calls took on average; null where there were none. */
  readonly callMs: number | null;
  /** Seconds that a call may take, waiting and retries included; null for the program's limit. */
  readonly modelSeconds: number | null;
}

/** A model as nodes use it; `models/` implements it. */
export interface LanguageModel {
  /** The name it is configured under, for events and messages. Never holds a secret. */
  readonly name: string;
  /** Left out for a model of the full tier about which nothing else is known. */
  readonly traits?: () => ModelTraits;
  /**
   * Asks once (retries on 429, 5xx, dropped connections and unreadable answers included).
   *
   * @throws ModelError when there is no answer; its `code` says why.
   */
  complete(request: ModelRequest): Promise<ModelAnswer>;
}

/** Remembers what was learned about models; shared by all processes. It holds no personal data. */
export interface ModelProfileStore {
  /** Returns the stored profile, null where there is none. */
  load(key: ModelProfileKey): Promise<JsonObject | null>;
  /** Replaces a profile by what `change` makes of the stored one; nobody else changes it in between. */
  update(key: ModelProfileKey, change: (stored: JsonObject | null) => JsonObject): Promise<void>;
}

/** The endpoint (origin and path) and model that a profile is of. */
export interface ModelProfileKey {
  readonly endpoint: string;
  readonly model: string;
}

/** Counts tokens of a text the way the configured models do. Pure; the same text, the same number. */
export type CountTokens = (text: string) => number;

/** Why a model gave no answer. */
export type ModelErrorCode =
  | "model_key_rejected"
  | "model_unknown"
  | "model_unreachable"
  | "model_context_too_long"
  | "model_no_credit"
  | "model_rate_limited"
  | "model_busy"
  | "model_timeout"
  | "model_answer_cut"
  | "model_aborted"
  | "model_refused"
  | "model_request_refused"
  | "model_failed";

/**
 * A model gave no answer.
 *
 * Contract: the message says what was asked of which endpoint, what came back and what to do;
 * it never holds a key or a message text. `code` is stable.
 */
export class ModelError extends Error {
  override readonly name = "ModelError";
  readonly code: ModelErrorCode;
  /** Seconds after which it may be tried again; null where nobody said. */
  readonly seconds: number | null;

  constructor(
    code: ModelErrorCode,
    message: string,
    { seconds = null, ...options }: { cause?: unknown; seconds?: number | null } = {},
  ) {
    super(message, options);
    this.code = code;
    this.seconds = seconds;
  }
}
