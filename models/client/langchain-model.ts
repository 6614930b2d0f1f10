import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { isNarrow, limitsWith, type Limits } from "../../state/limits.ts";
import {
  ModelError,
  type CallFigures,
  type CountTokens,
  type LanguageModel,
  type ModelAnswer,
  type ModelRequest,
  type ModelTraits,
  type NamedSchema,
  type Usage,
} from "../../state/model.ts";
import {
  askEndpoint,
  CallbackFailure,
  CutStreamError,
  SilenceError,
  UnnamedEndError,
  type EndpointAnswer,
} from "./ask-endpoint.ts";
import { AnswerHistory } from "./answer-history.ts";
import { CALL_LIST, chooseSchema, isStreamed } from "./call-options.ts";
import { StreamedAnswerError } from "./not-an-answer.ts";
import { classifyRetry } from "../queue/classify-retry.ts";
import {
  readRefusal,
  readWindow,
  isContextOverflow,
  type SettingNames,
} from "../failures/diagnose.ts";
import { EndpointQueue } from "../queue/endpoint-queue.ts";
import { CallTimeoutError, QueueBusyError, RateLimitedError } from "../queue/queue-errors.ts";
import {
  abortedError,
  answerCutError,
  busyError,
  contextError,
  cutError,
  rateLimitedError,
  timeoutError,
  toModelError,
  type ModelErrorContext,
} from "../failures/errors.ts";
import { findStrictBreaches } from "../schema/find-breaches.ts";
import type { ReasoningLevel } from "../profile/known-models.ts";
import { isLearned, type Observation, type RequestField } from "../profile/learn.ts";
import { normalizeAnswer } from "../answers/normalize-answer.ts";
import type { Price } from "../prices.ts";
import { computeCost } from "../prices.ts";
import { startProfile, type ModelProfile } from "../profile/profile.ts";
import { ProfileKeeper } from "../profile/profile-keeper.ts";
import { readTextCalls } from "../answers/read-text-calls.ts";

/** Options for adapting a LangChain chat model to this project. */
export interface LangChainModelOptions {
  readonly chat: BaseChatModel;
  /** The name it is configured under. */
  readonly name: string;
  /** Origin and path of its endpoint; null for a model inside the process. */
  readonly endpoint: string | null;
  /** Knows what the model can do, and learns. Default: assumed, and forgotten with the process. */
  readonly profile?: ProfileKeeper;
  /** Shared by all models of an endpoint. Default: one of its own. */
  readonly queue?: EndpointQueue;
  /** Default: the program's. */
  readonly limits?: EndpointLimits;
  /** Thinking that was set; null or left out for the role's own level. */
  readonly reasoning?: ReasoningLevel | null;
  /** Counts a prompt against the window; left out, the window is not watched. */
  readonly countTokens?: CountTokens;
  /** Null or left out where it is not known. */
  readonly price?: Price | null;
  /** The settings that decide how it is asked, for advice. Default: those of the roles. */
  readonly settings?: SettingNames;
  /** Texts that errors must not show. Default: none. */
  readonly secrets?: readonly string[];
  /** True when a stream without a finish reason counts as cut off. Default: false. */
  readonly namesFinish?: boolean;
}

/** The limits of calls to an endpoint. */
export type EndpointLimits = Pick<
  Limits,
  "endpointCalls" | "retriesPerCall" | "queueSeconds" | "modelSeconds" | "modelSilenceSeconds"
>;

/** Calls at once that an endpoint can grow to. */
export const MOST_CALLS = 32;

/**
 * Makes a model of any LangChain chat model.
 *
 * Contract: one `complete` is one answer. It may take more calls where the endpoint shows that it
 * has to be asked in another way; what is learned holds for the calls after it. Every failure is a
 * `ModelError`.
 *
 * Source: models.md §1.
 */
export function createLangChainModel(options: LangChainModelOptions): LanguageModel {
  const limits = options.limits ?? limitsWith({});
  const setup: Setup = {
    ...options,
    limits,
    history: new AnswerHistory(),
    learned: [],
    profile: options.profile ?? assumeProfile(options),
    queue:
      options.queue ??
      new EndpointQueue({
        limits: { ...limits, mostCalls: Math.max(MOST_CALLS, limits.endpointCalls) },
      }),
    errors: {
      model: options.name,
      endpoint: options.endpoint === null ? null : new URL(options.endpoint).host,
      secrets: options.secrets ?? [],
      ...(options.settings === undefined ? {} : { settings: options.settings }),
    },
  };
  return {
    name: options.name,
    traits: () => readTraits(setup),
    complete: (request) => new Completion(request, setup).run(),
  };
}

interface Setup extends LangChainModelOptions {
  readonly limits: EndpointLimits;
  readonly profile: ProfileKeeper;
  readonly queue: EndpointQueue;
  readonly errors: ModelErrorContext;
  readonly history: AnswerHistory;
  /** Lessons that no answer has named yet: a call that failed has none to do so. */
  readonly learned: string[];
}

/** Makes a profile that ends with the process. */
function assumeProfile({ name, endpoint }: LangChainModelOptions): ProfileKeeper {
  const start = startProfile(
    { endpoint: endpoint ?? "", model: name, dialect: endpoint === null ? "simulated" : "chat" },
    new Date(0).toISOString(),
  );
  return new ProfileKeeper({
    start,
    settings: {},
    store: null,
    now: () => Date.now(),
    onError: () => undefined,
  });
}

function readTraits({ profile, queue, limits, endpoint }: Setup): ModelTraits {
  const { tier, contextWindow, evidence } = profile.current;
  return {
    tier: evidence.tier === undefined && isNarrow(contextWindow) ? "small" : tier,
    endpoint,
    window: contextWindow,
    promptTokens: (answerTokens) =>
      contextWindow === null ? null : contextWindow - reserveTokens(answerTokens, profile.current),
    slots: queue.slots,
    callMs: queue.callMs,
    modelSeconds: limits.modelSeconds,
  };
}

/** The part of a window that answer and thinking may keep from the prompt. */
const MOST_RESERVED = 3 / 8;

/**
 * Returns the tokens of a window that the prompt leaves to the answer. Answer and thinking are bounds
 * that are seldom reached: where the window is narrow they take what is left, and not the prompt's part.
 */
function reserveTokens(answerTokens: number, { allowance, contextWindow }: ModelProfile): number {
  const wanted = answerTokens + allowance;
  return contextWindow === null
    ? wanted
    : Math.min(wanted, Math.floor(contextWindow * MOST_RESERVED));
}

/** A request that two ways of asking, a doubled room and a retry cannot serve is given up. */
const MOST_ASKS = 8;

/** One answer in the making. */
class Completion {
  private readonly request: ModelRequest;
  private readonly setup: Setup;
  private usage: Usage = { input: 0, cached: 0, output: 0 };
  private reasoning = 0;
  private isEstimated = false;
  private doubled = false;
  private delivered = false;
  private silences = 0;
  /** True once a stream ended without a reason at an endpoint that has named none so far. */
  private endsUnnamed = false;
  /** True once a call came back as text, so that the next one asks for a list of calls. */
  private asList = false;
  private readonly started = performance.now();
  /** The profile by which the last call was made. */
  private asked: ModelProfile;

  constructor(request: ModelRequest, setup: Setup) {
    this.request = request;
    this.setup = setup;
    this.asked = setup.profile.current;
  }

  async run(): Promise<ModelAnswer> {
    await this.setup.profile.ready();
    for (let asks = 0; asks < MOST_ASKS; asks += 1) {
      const answer = await this.ask();
      if (answer === null) continue;
      this.count(answer);
      const read = this.read(answer, this.asked);
      if (read !== null) return read;
    }
    throw toModelError(new Error("No way of asking led to an answer"), this.setup.errors);
  }

  private profile(): ModelProfile {
    const { current } = this.setup.profile;
    return this.asList ? { ...current, tools: "union" } : current;
  }

  /** Makes a call; null where its refusal has taught another way to ask. */
  private async ask(): Promise<EndpointAnswer | null> {
    const { setup, request } = this;
    this.assertFits(this.profile());
    let attempts = 0;
    try {
      return await setup.queue.run({
        role: request.role,
        signal: request.signal,
        classify: (error) =>
          this.isFinal() || readRefusedFeature(error, { request, profile: this.asked }) !== null
            ? { kind: "no" }
            : this.classify(error),
        onWait: request.onWait ?? null,
        attempt: (signal) => {
          request.onWait?.(null);
          attempts += 1;
          this.takeBack();
          return this.attempt(signal);
        },
      });
    } catch (error) {
      if (error instanceof CallbackFailure) throw error.cause;
      if (request.signal?.aborted === true) throw abortedError(setup.errors);
      const asked = { request, profile: this.asked };
      const refusal = this.delivered ? null : readRefusedFeature(error, asked);
      if (refusal !== null && this.observe(refusal)) return null;
      if (isContextOverflow(error)) {
        this.observe({ kind: "window-named", tokens: readWindow(error) });
      }
      throw toCallError(error, setup, Math.max(0, attempts - 1));
    }
  }

  private async attempt(signal: AbortSignal): Promise<EndpointAnswer> {
    const { setup, request } = this;
    // Others may have learned while it waited.
    const profile = this.profile();
    this.asked = profile;
    const began = performance.now();
    try {
      const answer = await askEndpoint({
        chat: setup.chat,
        request,
        profile,
        reasoning: setup.reasoning ?? null,
        outputTokens: this.outputTokens(profile),
        signal,
        silenceSeconds: this.silenceSeconds(profile),
        namesFinish: (setup.namesFinish ?? false) && profile.namesFinish && !this.endsUnnamed,
        onDelivered: () => {
          this.delivered = true;
        },
      });
      setup.history.add(answer, { role: request.role, ms: performance.now() - began });
      return answer;
    } catch (error) {
      this.noteFailure(error);
      throw error;
    }
  }

  /** Notes how an attempt failed, for the next one. */
  private noteFailure(error: unknown): void {
    if (error instanceof SilenceError) this.silences += 1;
    this.endsUnnamed ||= error instanceof UnnamedEndError && !this.setup.history.hasStreamEnd;
  }

  /** A call that went silent is made once more. */
  private classify(error: unknown): ReturnType<typeof classifyRetry> {
    if (error instanceof SilenceError) return { kind: this.silences === 1 ? "retry" : "no" };
    return error instanceof CutStreamError ? { kind: "retry" } : classifyRetry(error);
  }

  /** True once text has gone out that nobody can take back. */
  private isFinal(): boolean {
    return this.delivered && this.request.onRestart == null;
  }

  private takeBack(): void {
    if (!this.delivered) return;
    this.delivered = false;
    try {
      this.request.onRestart?.();
    } catch (cause) {
      throw new CallbackFailure("Cannot take text back", { cause });
    }
  }

  /** The bound of the answer: what is wanted, as far as the endpoint and its window have room for it. */
  private outputTokens(profile: ModelProfile): number {
    return Math.min(this.wantedTokens(profile), this.mostTokens(profile));
  }

  private wantedTokens({ allowance }: ModelProfile): number {
    return (this.request.maxOutputTokens + allowance) * (this.doubled ? 2 : 1);
  }

  private mostTokens({ maxOutput, contextWindow }: ModelProfile): number {
    const prompt = contextWindow === null ? null : this.countPrompt();
    const left =
      contextWindow === null || prompt === null ? Infinity : Math.max(1, contextWindow - prompt);
    return Math.min(maxOutput ?? Infinity, left);
  }

  /**
   * A model that thinks unseen is silent until it speaks. One that answers in one piece is so until it
   * has said all: it has hung where that takes far longer than before, and is then given all of the time.
   */
  private silenceSeconds(profile: ModelProfile): number {
    const { modelSeconds, modelSilenceSeconds } = this.setup.limits;
    if (profile.reasoningStyle === "hidden") return modelSeconds;
    if (profile.streams && isStreamed(this.request, profile)) return modelSilenceSeconds;
    const patience = this.silences > 0 ? null : this.setup.history.findPatience(this.request.role);
    return patience === null
      ? modelSeconds
      : Math.min(modelSeconds, Math.max(modelSilenceSeconds, patience));
  }

  /** Tokens of messages, tools and schema, as they are asked for now. */
  private countPrompt(): number | null {
    const { countTokens } = this.setup;
    const messages = this.countMessages();
    if (countTokens === undefined || messages === null) return null;
    const { schema, tools } = this.request;
    const forms = [...tools, ...(schema === null ? [] : [schema])];
    return forms.reduce(
      (sum, form) => sum + countTokens(JSON.stringify(form.schema) + form.description),
      messages,
    );
  }

  private countMessages(): number | null {
    const { countTokens } = this.setup;
    if (countTokens === undefined) return null;
    return this.request.messages.reduce((sum, { text }) => sum + countTokens(text), 0);
  }

  /** Many local servers cut the beginning of a prompt without a word. */
  private assertFits(profile: ModelProfile): void {
    const { contextWindow } = profile;
    if (contextWindow === null) return;
    const prompt = this.countPrompt();
    if (prompt === null) return;
    const needed = prompt + reserveTokens(this.request.maxOutputTokens, profile);
    if (needed > contextWindow) {
      throw contextError(this.setup.errors, { needed, window: contextWindow });
    }
  }

  private count(answer: EndpointAnswer): void {
    const usage = this.estimate(answer);
    this.usage = {
      input: this.usage.input + usage.input,
      cached: this.usage.cached + usage.cached,
      output: this.usage.output + usage.output,
    };
    this.reasoning += answer.reasoningTokens;
  }

  /** The tokens of an answer; counted here as far as its endpoint counts none. */
  private estimate({ usage, raw, thoughts, toolCalls }: EndpointAnswer): Usage {
    const { countTokens } = this.setup;
    const written = [thoughts, raw, ...toolCalls.flatMap(({ name, rawArgs }) => [name, rawArgs])];
    const isCounted = usage.input > 0 && (usage.output > 0 || written.join("") === "");
    if (countTokens === undefined || isCounted) return usage;
    this.isEstimated = true;
    return {
      ...usage,
      input: usage.input || (this.countPrompt() ?? 0),
      output: usage.output || written.reduce((sum, text) => sum + countTokens(text), 0),
    };
  }

  /** Learns; true where something has changed since the call was made. */
  private observe(observation: Observation): boolean {
    const { current } = this.setup.profile;
    if (isLearned(observation, { asked: this.asked, current })) return true;
    const learned = this.setup.profile.observe(observation);
    if (learned !== null) this.setup.learned.push(learned);
    return learned !== null;
  }

  /** Reads an answer; null where it has to be asked for again in another way. */
  private read(answer: EndpointAnswer, profile: ModelProfile): ModelAnswer | null {
    this.noteConduct(answer);
    const schema = chooseSchema(this.request, profile);
    if (schema !== null) return this.readStructured(answer, profile);
    if (this.request.tools.length > 0) return this.readCalls(answer);
    if (answer.text.trim() === "" && answer.truncated) return this.readCut(answer, profile);
    return this.finish(answer, { text: answer.text });
  }

  /** Learns from what every answer shows, whatever it says. */
  private noteConduct(answer: EndpointAnswer): void {
    // A whole answer is complete: where it names no end, streams need not either.
    if ((answer.pieces === null || this.endsUnnamed) && answer.finishReason === null) {
      this.observe({ kind: "finish-unnamed" });
    }
    if (answer.usage.cached > 0) this.observe({ kind: "cached" });
    if (answer.isWhole) this.observe({ kind: "stream-ignored" });
    else if (answer.pieces === 1 && answer.text.length > 200)
      this.observe({ kind: "whole-stream" });
    const style =
      answer.thoughtCharacters > 0
        ? "tags"
        : answer.thoughts !== ""
          ? "field"
          : answer.reasoningTokens > 0
            ? "hidden"
            : null;
    if (style !== null) this.observe({ kind: "thought", style, tokens: answer.reasoningTokens });
    const sent = this.countMessages();
    if (sent !== null && answer.usage.input > 0 && answer.usage.input < 0.8 * sent) {
      this.observe({ kind: "prompt-cut", read: answer.usage.input });
    }
  }

  private readStructured(answer: EndpointAnswer, profile: ModelProfile): ModelAnswer | null {
    const { request } = this;
    const schema = chooseSchema(request, profile);
    if (schema === null) return this.finish(answer, { text: answer.text });
    const call =
      profile.structured === "tool"
        ? answer.toolCalls.find(({ name }) => name === schema.name)
        : undefined;
    const text = call === undefined ? answer.raw : call.rawArgs;
    const { value, mended } = normalizeAnswer(text, schema);
    const toolCalls =
      schema.name === CALL_LIST && request.schema === null ? toListedCalls(value) : [];
    const json = request.schema === null ? undefined : value;
    const isUsable =
      value !== undefined &&
      (request.schema !== null || toolCalls.length > 0) &&
      (request.accept?.({ json, toolCalls }) ?? []).length === 0;
    if (answer.truncated && !isUsable) return this.readCut(answer, profile);
    const isIgnored =
      profile.structured === "json_schema" && isComplete(answer) && breaksSchema(answer, schema);
    // Only what strictness excludes is proof: an answer of a wrong meaning teaches nothing.
    if (isIgnored && this.observe({ kind: "schema-ignored" }) && !isUsable) return null;
    return this.finish(answer, { text, json, toolCalls, mended });
  }

  private readCalls(answer: EndpointAnswer): ModelAnswer | null {
    const { request } = this;
    if (answer.toolCalls.length > 0) {
      const isBroken = answer.toolCalls.some(({ argsError }) => argsError !== null);
      if (answer.truncated && isBroken) return this.readCut(answer, this.profile());
      const toolCalls = answer.toolCalls.map(({ rawArgs: _raw, ...call }) => call);
      return this.finish(answer, { text: answer.text, toolCalls });
    }
    const written = readTextCalls(answer.text, request.tools);
    if (written.length > 0) return this.finish(answer, { text: "", toolCalls: written });
    if (answer.truncated) return this.readCut(answer, this.profile());
    if (request.toolChoice !== "required" || this.asList || answer.refused) {
      return this.finish(answer, { text: answer.text });
    }
    this.asList = true;
    this.observe({ kind: "tool-choice-ignored" });
    return null;
  }

  /** An answer that reached its bound is asked for once more with twice the room. */
  private readCut(answer: EndpointAnswer, profile: ModelProfile): null {
    const tokens = this.outputTokens(profile);
    const isLargest = tokens >= this.mostTokens(profile);
    if (this.doubled || isLargest || this.delivered) {
      throw answerCutError(this.setup.errors, {
        tokens,
        thinking: this.reasoning,
      });
    }
    this.observe({ kind: "cut", tokens: answer.usage.output });
    this.doubled = true;
    return null;
  }

  private finish(
    { truncated, refused }: EndpointAnswer,
    given: Partial<Pick<ModelAnswer, "text" | "json" | "toolCalls">> & {
      readonly mended?: readonly string[];
    },
  ): ModelAnswer {
    return {
      text: given.text ?? "",
      json: given.json,
      toolCalls: given.toolCalls ?? [],
      truncated,
      ...(refused ? { refused } : {}),
      usage: this.usage,
      call: this.describe(given.mended ?? []),
    };
  }

  private describe(mended: readonly string[]): CallFigures {
    const { name, endpoint, price } = this.setup;
    return {
      model: name,
      endpoint,
      ms: Math.round(performance.now() - this.started),
      reasoning: this.reasoning,
      ...(this.isEstimated ? { estimated: true } : {}),
      costMicros: price == null ? null : computeCost(this.usage, price),
      mended: [...mended],
      learned: this.setup.learned.splice(0),
    };
  }
}

/** Returns the calls that an answer lists. */
function toListedCalls(value: unknown): ModelAnswer["toolCalls"] {
  const calls: unknown =
    typeof value === "object" && value !== null ? Reflect.get(value, "calls") : [];
  if (!Array.isArray(calls)) return [];
  return calls.flatMap((call: unknown, index) => {
    if (typeof call !== "object" || call === null) return [];
    const name: unknown = Reflect.get(call, "tool");
    if (typeof name !== "string") return [];
    return [
      { id: `call_${index + 1}`, name, args: Reflect.get(call, "arguments"), argsError: null },
    ];
  });
}

/** True for an answer that nothing but its model has ended: a filter leaves none, or half of one. */
function isComplete({ text, truncated, refused, finishReason }: EndpointAnswer): boolean {
  const isFiltered = finishReason !== null && /filter/i.test(finishReason);
  return !truncated && !refused && !isFiltered && text.trim() !== "";
}

/** True for an answer that no endpoint would give which holds to a schema. */
function breaksSchema({ text }: EndpointAnswer, { schema }: NamedSchema): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return findStrictBreaches(value, schema).length > 0;
  } catch {
    return true;
  }
}

interface AskedCall {
  readonly request: ModelRequest;
  readonly profile: ModelProfile;
}

const STREAMING = /\bstream(?:ing|ed)?\b/i;

/** Fields that an endpoint may refuse, by the words it does so in. */
const REFUSED_FIELDS: readonly (readonly [RegExp, RequestField])[] = [
  [
    /max_completion_tokens['"`]? (?:is )?(?:not|un)|(?:unknown|unsupported|unrecognized|unexpected)[^.]{0,60}max_completion_tokens/i,
    "max_completion_tokens",
  ],
  [
    /max_tokens['"`]? (?:is )?(?:not|un)|use ['"`]?max_completion_tokens|(?:unknown|unsupported|unrecognized|unexpected)[^.]{0,60}max_tokens/i,
    "max_tokens",
  ],
  [/parallel_tool_calls/i, "parallel_tool_calls"],
  [/stream_options/i, "stream_options"],
  [STREAMING, "stream"],
  [/reasoning_effort|chat_template_kwargs|\bthink(?:ing)?\b/i, "reasoning"],
  [/\bstrict\b/i, "strict"],
  [
    /\b(?:system|developer)\b.{0,20}\b(?:role|message|prompt|instruction)|\brole\b.{0,80}\bsystem\b|roles must alternate/i,
    "system",
  ],
];

/** Reads from a refusal which feature the endpoint lacks; null where it refuses this schema or prompt. */
function readRefusedFeature(error: unknown, call: AskedCall): Observation | null {
  if (error instanceof StreamedAnswerError) return { kind: "stream-demanded" };
  const refusal = readRefusal(error);
  if (refusal === null || !REFUSING.has(refusal.status)) return null;
  const { words } = refusal;
  // A server that fails may name anything; only that it cannot do something is a refusal.
  if (refusal.status >= 500 && !CANNOT.test(words)) return null;
  if (isContextOverflow(error) || /invalid schema/i.test(words)) return null;
  const field = REFUSED_FIELDS.find(
    ([pattern, name]) => pattern.test(words) && sendsField(name, call),
  )?.[1];
  if (field !== undefined) return { kind: "field-refused", field };
  const { request, profile } = call;
  if (profile.delivery === "either" && !isStreamed(request, profile) && STREAMING.test(words)) {
    return { kind: "stream-demanded" };
  }
  const structured = chooseSchema(request, profile) !== null;
  const named =
    profile.structured === "tool"
      ? /tool|function/i
      : /response_format|json_schema|json_object|structured output|schema|grammar/i;
  if (structured) return named.test(words) ? { kind: "mode-refused" } : null;
  return request.tools.length > 0 && /tool|function/i.test(words)
    ? { kind: "tools-refused" }
    : null;
}

/** Statuses of a refused request. llama.cpp's server refuses tools with 500, others with 501. */
const REFUSING = new Set([400, 422, 500, 501]);
const CANNOT =
  /\bnot (?:supported|implemented|available|enabled)|unsupported|\brequires\b|roles must alternate/i;

/** A field that is not sent cannot have been refused. */
function sendsField(field: RequestField, { request, profile }: AskedCall): boolean {
  switch (field) {
    case "max_tokens":
      return profile.outputField !== "max_completion_tokens";
    case "max_completion_tokens":
      return profile.outputField !== "max_tokens";
    case "strict":
      return profile.strict;
    case "parallel_tool_calls":
      return profile.parallelTools && profile.tier === "small";
    case "reasoning":
      return profile.reasoningControl !== "none";
    case "stream":
      return profile.delivery === "either" && isStreamed(request, profile);
    case "stream_options":
      return profile.streamUsage && isStreamed(request, profile);
    case "system":
      return profile.systemRole;
    default:
      return field satisfies never;
  }
}

function toCallError(error: unknown, setup: Setup, retries: number): ModelError {
  const { limits, errors } = setup;
  const again = { ...errors, retries };
  const retry = classifyRetry(error);
  if (retry.kind === "rate-limit") return toModelError(error, again, retry.seconds);
  if (error instanceof QueueBusyError) return busyError(errors, error.seconds);
  if (error instanceof RateLimitedError) return rateLimitedError(errors, error.seconds);
  if (error instanceof CallTimeoutError) return timeoutError(errors, limits.modelSeconds * 1_000);
  if (error instanceof SilenceError) return timeoutError(again, error.seconds * 1_000);
  if (error instanceof CutStreamError) return cutError(again);
  return toModelError(error, again);
}
