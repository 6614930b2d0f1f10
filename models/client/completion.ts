import {
  ModelError,
  type CallFigures,
  type ModelAnswer,
  type ModelRequest,
  type NamedSchema,
  type Usage,
} from "../../state/model.ts";
import { normalizeAnswer } from "../answers/normalize-answer.ts";
import { readTextCalls } from "../answers/read-text-calls.ts";
import { isContextOverflow, readWindow } from "../failures/diagnose.ts";
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
import { computeCost } from "../prices.ts";
import { isLearned, type Observation } from "../profile/learn.ts";
import type { ProfileKeeper } from "../profile/profile-keeper.ts";
import type { ModelProfile, StructuredMode } from "../profile/profile.ts";
import { classifyRetry } from "../queue/classify-retry.ts";
import type { EndpointQueue } from "../queue/endpoint-queue.ts";
import { CallTimeoutError, QueueBusyError, RateLimitedError } from "../queue/queue-errors.ts";
import type { AnswerHistory } from "./answer-history.ts";
import {
  countMessages,
  countPrompt,
  findAnswerRoom,
  reserveTokens,
  type AnswerRoom,
} from "./answer-room.ts";
import {
  askEndpoint,
  CallbackFailure,
  CutStreamError,
  SilenceError,
  UnnamedEndError,
  type EndpointAnswer,
} from "./ask-endpoint.ts";
import { CALL_LIST, chooseSchema, isStreamed } from "./call-options.ts";
import { breaksSchema, isComplete, isFiltered, toListedCalls } from "./judge-answer.ts";
import type { EndpointLimits, LangChainModelOptions } from "./langchain-model.ts";
import { observeConduct } from "./observe-conduct.ts";
import { dropImplausible } from "./plausible-usage.ts";
import { readRefusedFeature } from "./refused-feature.ts";
import { findNextMode, isUnexplained } from "./unexplained-refusal.ts";

/** A model with everything that its calls share. */
export interface CompletionSetup extends LangChainModelOptions {
  readonly limits: EndpointLimits;
  readonly profile: ProfileKeeper;
  readonly queue: EndpointQueue;
  readonly errors: ModelErrorContext;
  readonly history: AnswerHistory;
  /** Lessons that no answer has named yet: a call that failed has none to do so. */
  readonly learned: string[];
}

/** A request that two ways of asking, a doubled room and a retry cannot serve is given up. */
const MOST_ASKS = 8;

/** One answer in the making. */
export class Completion {
  private readonly request: ModelRequest;
  private readonly setup: CompletionSetup;
  private usage: Usage = { input: 0, cached: 0, output: 0 };
  private reasoning = 0;
  private isEstimated = false;
  private doubled = false;
  private delivered = false;
  private silences = 0;
  private refusals = 0;
  /** True once a stream ended without a reason at an endpoint that has named none so far. */
  private endsUnnamed = false;
  /** True once a call came back as text, so that the next one asks for a list of calls. */
  private asList = false;
  /** The way of requesting a structured answer that is tried; null while none was refused without a reason. */
  private triedMode: StructuredMode | null = null;
  private readonly started = performance.now();
  /** The profile by which the last call was made. */
  private asked: ModelProfile;

  constructor(request: ModelRequest, setup: CompletionSetup) {
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
      if (this.triedMode !== null) this.keep({ kind: "mode-found", mode: this.triedMode });
      const read = this.read(answer, this.asked);
      if (read !== null) return read;
    }
    throw toModelError(new Error("No way of asking led to an answer"), this.setup.errors);
  }

  private profile(): ModelProfile {
    const { current } = this.setup.profile;
    return {
      ...current,
      ...(this.asList ? { tools: "union" as const } : {}),
      ...(this.triedMode === null ? {} : { structured: this.triedMode }),
    };
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
      // A way that is only tried is left without a lesson.
      const isTrial = this.triedMode !== null && refusal?.kind === "mode-refused";
      if (refusal !== null && !isTrial && this.observe(refusal)) return null;
      const next = this.delivered
        ? null
        : findNextMode(error, { ...asked, history: setup.history, isTrial });
      if (next !== null) {
        this.triedMode = next;
        return null;
      }
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
      const asked = await askEndpoint({
        chat: setup.chat,
        request,
        profile,
        reasoning: setup.reasoning ?? null,
        outputTokens: this.findRoom(profile).tokens,
        signal,
        silenceSeconds: this.silenceSeconds(profile),
        namesFinish: (setup.namesFinish ?? false) && profile.namesFinish && !this.endsUnnamed,
        onDelivered: () => {
          this.delivered = true;
        },
      });
      const answer = dropImplausible(asked, request);
      const ms = performance.now() - began;
      const isStructured = chooseSchema(request, profile) !== null;
      setup.history.add(answer, { role: request.role, ms, isStructured });
      return answer;
    } catch (error) {
      this.noteFailure(error);
      throw error;
    }
  }

  /** Notes how an attempt failed, for the next one. */
  private noteFailure(error: unknown): void {
    if (error instanceof SilenceError) this.silences += 1;
    if (isUnexplained(error)) this.refusals += 1;
    this.endsUnnamed ||= error instanceof UnnamedEndError && !this.setup.history.hasStreamEnd;
  }

  /** A call that went silent, or was refused for no reason that is known, is made once more. */
  private classify(error: unknown): ReturnType<typeof classifyRetry> {
    if (error instanceof SilenceError) return { kind: this.silences === 1 ? "retry" : "no" };
    if (isUnexplained(error)) return { kind: this.refusals === 1 ? "retry" : "no" };
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

  private findRoom(profile: ModelProfile): AnswerRoom {
    const { request, doubled } = this;
    const promptTokens = profile.contextWindow === null ? null : this.countPrompt();
    return findAnswerRoom(request, { profile, promptTokens, doubled });
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

  private countPrompt(): number | null {
    const { countTokens } = this.setup;
    return countTokens === undefined ? null : countPrompt(this.request, countTokens);
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
    return this.keep(observation);
  }

  private keep(observation: Observation): boolean {
    const learned = this.setup.profile.observe(observation);
    if (learned !== null) this.setup.learned.push(learned);
    return learned !== null;
  }

  /** Reads an answer; null where it has to be asked for again in another way. */
  private read(answer: EndpointAnswer, profile: ModelProfile): ModelAnswer | null {
    const { countTokens } = this.setup;
    const sent = countTokens === undefined ? null : countMessages(this.request, countTokens);
    const { endsUnnamed } = this;
    for (const seen of observeConduct(answer, { sent, endsUnnamed })) this.observe(seen);
    const schema = chooseSchema(this.request, profile);
    if (schema !== null) return this.readStructured(answer, profile, schema);
    if (this.request.tools.length > 0) return this.readCalls(answer);
    if (answer.text.trim() === "" && answer.truncated) return this.readCut(answer, profile);
    const truncated = answer.truncated || isFiltered(answer);
    return this.finish({ ...answer, truncated }, { text: answer.text });
  }

  private readStructured(
    answer: EndpointAnswer,
    profile: ModelProfile,
    schema: NamedSchema,
  ): ModelAnswer | null {
    const { request } = this;
    const call =
      profile.structured === "tool"
        ? answer.toolCalls.find(({ name }) => name === schema.name)
        : undefined;
    const text = call === undefined ? answer.raw : call.rawArgs;
    const shown = request.messages.filter(({ role }) => role === "system" || role === "user");
    const { value, mended } = normalizeAnswer(
      text,
      schema,
      shown.map((message) => message.text),
    );
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
    const written = readTextCalls(answer.raw, request.tools);
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
    const { tokens, isLargest } = this.findRoom(profile);
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

function toCallError(error: unknown, setup: CompletionSetup, retries: number): ModelError {
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
