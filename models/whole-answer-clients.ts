import {
  ChatOpenAICompletions,
  ChatOpenAIResponses,
  type ChatOpenAIFields,
  type OpenAIClient,
} from "@langchain/openai";

type RequestOptions = OpenAIClient.RequestOptions;

/**
 * An endpoint answered with something that is no chat completion.
 *
 * Contract: holds nothing of what came back.
 */
export class NotAnAnswerError extends Error {
  override readonly name = "NotAnAnswerError";
}

/** A model's adjustment, in tokens, to the output that a node allows. */
export interface OutputAllowance {
  /** Upper bound of every answer; null for none. */
  readonly maxOutputTokens: number | null;
  /** Added for thinking, which endpoints count as output. */
  readonly reasoningTokens: number;
}

/**
 * LangChain's Chat Completions, with three things done otherwise: the answer's bound is a call
 * option (`max_completion_tokens`), an answer that is not the JSON it should be comes back as it
 * is instead of being thrown away, and retries are the OpenAI client's own.
 */
export class WholeChatCompletions extends ChatOpenAICompletions {
  private readonly allowance: OutputAllowance;

  constructor(fields: ChatOpenAIFields, allowance: OutputAllowance) {
    super(fields);
    this.allowance = allowance;
  }

  override invocationParams(
    options?: this["ParsedCallOptions"],
    extra?: { streaming?: boolean },
  ): ReturnType<ChatOpenAICompletions["invocationParams"]> {
    const params = super.invocationParams(options, extra);
    const tokens = outputTokens(options, this.allowance);
    if (tokens === null) return params;
    return "max_completion_tokens" in params
      ? { ...params, max_completion_tokens: tokens }
      : { ...params, max_tokens: tokens };
  }

  override completionWithRetry(
    request: OpenAIClient.Chat.ChatCompletionCreateParamsStreaming,
    options?: RequestOptions,
  ): Promise<AsyncIterable<OpenAIClient.Chat.ChatCompletionChunk>>;
  override completionWithRetry(
    request: OpenAIClient.Chat.ChatCompletionCreateParamsNonStreaming,
    options?: RequestOptions,
  ): Promise<OpenAIClient.Chat.ChatCompletion>;
  override async completionWithRetry(
    request: OpenAIClient.Chat.ChatCompletionCreateParams,
    options?: RequestOptions,
  ): Promise<
    AsyncIterable<OpenAIClient.Chat.ChatCompletionChunk> | OpenAIClient.Chat.ChatCompletion
  > {
    // oxlint-disable-next-line no-underscore-dangle -- LangChain's name: it makes the client, too.
    const clientOptions = this._getClientOptions(withoutRetries(options));
    const answer = await this.client.chat.completions.create(request, clientOptions);
    if (request.stream !== true) assertList(answer, "choices");
    return answer;
  }
}

/** The same for the Responses API, which LangChain takes for models that want it. */
export class WholeResponses extends ChatOpenAIResponses {
  private readonly allowance: OutputAllowance;

  constructor(fields: ChatOpenAIFields, allowance: OutputAllowance) {
    super(fields);
    this.allowance = allowance;
  }

  override invocationParams(
    options?: this["ParsedCallOptions"],
  ): ReturnType<ChatOpenAIResponses["invocationParams"]> {
    const params = super.invocationParams(options);
    const tokens = outputTokens(options, this.allowance);
    return tokens === null ? params : { ...params, max_output_tokens: tokens };
  }

  override completionWithRetry(
    request: OpenAIClient.Responses.ResponseCreateParamsStreaming,
    options?: RequestOptions,
  ): Promise<AsyncIterable<OpenAIClient.Responses.ResponseStreamEvent>>;
  override completionWithRetry(
    request: OpenAIClient.Responses.ResponseCreateParamsNonStreaming,
    options?: RequestOptions,
  ): Promise<OpenAIClient.Responses.Response>;
  override async completionWithRetry(
    request: OpenAIClient.Responses.ResponseCreateParams,
    options?: RequestOptions,
  ): Promise<
    AsyncIterable<OpenAIClient.Responses.ResponseStreamEvent> | OpenAIClient.Responses.Response
  > {
    // oxlint-disable-next-line no-underscore-dangle -- LangChain's name: it makes the client, too.
    const clientOptions = this._getClientOptions(withoutRetries(options));
    const answer = await this.client.responses.create(request, clientOptions);
    if (request.stream !== true) assertList(answer, "output");
    return answer;
  }
}

/** LangChain passes its own count of retries, mostly undefined, which would hide the client's. */
function withoutRetries(options: RequestOptions = {}): RequestOptions {
  const { maxRetries: _maxRetries, ...rest } = options;
  return rest;
}

function outputTokens(options: object | undefined, allowance: OutputAllowance): number | null {
  const wanted: unknown =
    options === undefined ? null : Reflect.get(options, "max_completion_tokens");
  const bounds = [wanted, allowance.maxOutputTokens].filter((bound) => typeof bound === "number");
  return bounds.length === 0 ? null : Math.min(...bounds) + allowance.reasoningTokens;
}

function assertList(answer: unknown, key: "choices" | "output"): void {
  const list: unknown =
    typeof answer === "object" && answer !== null ? Reflect.get(answer, key) : null;
  if (Array.isArray(list) && list.length > 0) return;
  throw new NotAnAnswerError(`Cannot read the answer: it has no "${key}"`);
}
