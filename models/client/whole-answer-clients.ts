import type { BaseMessage, BaseMessageChunk } from "@langchain/core/messages";
import { ChatOpenAICompletions, ChatOpenAIResponses, OpenAIClient } from "@langchain/openai";
import { z } from "zod";
import { JsonObjectSchema } from "../../state/json.ts";
import { parseJson } from "../answers/find-json.ts";
import type { BodyFields } from "./call-options.ts";
import { NotAnAnswerError } from "./not-an-answer.ts";
import { RAW_CALLS, WHOLE_ANSWER } from "./read-answer.ts";
import { readCompletion, readCompletionStream, throwFailure } from "./read-completion.ts";

type RequestOptions = OpenAIClient.RequestOptions;

/**
 * LangChain's Chat Completions, with five things done otherwise: the answer's bound, what turns
 * thinking down and what is not sent are written by the call's `bodyFields`, an answer is read in
 * whatever form it comes, thoughts and refusals are kept whatever field they come in, broken tool
 * calls come back as they are, and nothing is tried again: the queue of the endpoint does that.
 */
export class WholeChatCompletions extends ChatOpenAICompletions {
  override invocationParams(
    options?: this["ParsedCallOptions"],
    extra?: { streaming?: boolean },
  ): ReturnType<ChatOpenAICompletions["invocationParams"]> {
    const params = super.invocationParams(options, extra);
    const fields = readBodyFields(options);
    if (fields === null) return params;
    const { max_tokens: _a, max_completion_tokens: _b, reasoning_effort: _c, ...rest } = params;
    const named = "max_completion_tokens" in params ? "max_completion_tokens" : "max_tokens";
    if (!fields.streamUsage) delete rest.stream_options;
    return { ...rest, [fields.outputField ?? named]: fields.outputTokens, ...fields.extra };
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
    const { completions } = this.client.chat;
    if (request.stream === true) {
      return readCompletionStream(await completions.create(request, clientOptions).asResponse());
    }
    // An endpoint that knows no streams refuses the field whatever its value.
    const { stream: _stream, ...whole } = request;
    return readCompletion(await completions.create(whole, clientOptions).asResponse());
  }

  // oxlint-disable-next-line no-underscore-dangle -- LangChain's name.
  protected override _convertCompletionsMessageToBaseMessage(
    message: OpenAIClient.ChatCompletionMessage,
    rawResponse: OpenAIClient.ChatCompletion,
  ): BaseMessage {
    const calls = message.tool_calls ?? [];
    const broken = calls.some(
      (call) => call.type === "function" && !isJson(call.function.arguments),
    );
    const { tool_calls: _calls, ...withoutCalls } = message;
    // LangChain prints a paragraph on standard error for calls that it cannot parse.
    const shown = { ...(broken ? withoutCalls : message), role: "assistant" as const };
    // oxlint-disable-next-line no-underscore-dangle -- LangChain's name.
    const converted = super._convertCompletionsMessageToBaseMessage(
      { ...shown, content: message.content ?? message.refusal },
      rawResponse,
    );
    Object.assign(converted.additional_kwargs, {
      ...readThoughts(message),
      ...(message.refusal ? { refusal: message.refusal } : {}),
      ...(calls.length > 0 ? { [RAW_CALLS]: calls } : {}),
    });
    return converted;
  }

  // oxlint-disable-next-line no-underscore-dangle -- LangChain's name.
  protected override _convertCompletionsDeltaToBaseMessageChunk(
    ...[delta, rawResponse, role]: Parameters<
      ChatOpenAICompletions["_convertCompletionsDeltaToBaseMessageChunk"]
    >
  ): BaseMessageChunk {
    const refusal: unknown = delta["refusal"];
    const content: unknown = delta["content"];
    // oxlint-disable-next-line no-underscore-dangle -- LangChain's name.
    const chunk = super._convertCompletionsDeltaToBaseMessageChunk(
      { ...delta, content: typeof content === "string" ? content : (refusal ?? "") },
      rawResponse,
      role ?? "assistant",
    );
    Object.assign(chunk.additional_kwargs, {
      ...readThoughts(delta),
      ...(delta[WHOLE_ANSWER] === true ? { [WHOLE_ANSWER]: true } : {}),
      ...(typeof refusal === "string" && refusal !== "" ? { refusal } : {}),
    });
    return chunk;
  }
}

/** Endpoints put thoughts into one of two fields. */
function readThoughts(message: object): { readonly reasoning_content?: string } {
  const found = ["reasoning_content", "reasoning"]
    .map((key): unknown => Reflect.get(message, key))
    .find((text) => typeof text === "string" && text !== "");
  return typeof found === "string" ? { reasoning_content: found } : {};
}

function isJson(text: string): boolean {
  return text.trim() === "" || parseJson(text) !== undefined;
}

/** The same for the Responses API, which LangChain takes for models that want it. */
export class WholeResponses extends ChatOpenAIResponses {
  override invocationParams(
    options?: this["ParsedCallOptions"],
  ): ReturnType<ChatOpenAIResponses["invocationParams"]> {
    const params = super.invocationParams(options);
    const fields = readBodyFields(options);
    if (fields === null) return params;
    const effort = EffortSchema.safeParse(fields.extra);
    return {
      ...params,
      max_output_tokens: fields.outputTokens,
      ...(effort.success ? { reasoning: { effort: effort.data.reasoning_effort } } : {}),
    };
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
    if (request.stream !== true) assertOutput(answer);
    return answer;
  }
}

/** LangChain passes its own count of retries, mostly undefined, which would hide the client's. */
function withoutRetries(options: RequestOptions = {}): RequestOptions {
  const { maxRetries: _maxRetries, ...rest } = options;
  return rest;
}

const EffortSchema = z.object({
  reasoning_effort: z.enum(["none", "minimal", "low", "medium", "high"]),
});

const BodyFieldsSchema = z.object({
  outputTokens: z.number(),
  outputField: z.enum(["max_tokens", "max_completion_tokens"]).nullable(),
  streamUsage: z.boolean(),
  extra: JsonObjectSchema,
});

function readBodyFields(options: object | undefined): BodyFields | null {
  const given: unknown = options === undefined ? null : Reflect.get(options, "bodyFields");
  const fields = BodyFieldsSchema.safeParse(given);
  return fields.success ? fields.data : null;
}

function assertOutput(answer: unknown): void {
  const list: unknown =
    typeof answer === "object" && answer !== null ? Reflect.get(answer, "output") : null;
  if (Array.isArray(list) && list.length > 0) return;
  throwFailure(answer);
  throw new NotAnAnswerError('Cannot read the answer: it has no "output"');
}
