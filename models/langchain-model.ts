import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import type { BaseMessage, BaseMessageChunk } from "@langchain/core/messages";
import { concat } from "@langchain/core/utils/stream";
import type { LanguageModel, ModelAnswer, ModelRequest } from "../state/model.ts";
import {
  buildCallOptions,
  buildCallPrompt,
  type ChatCallOptions,
  type Mode,
} from "./call-options.ts";
import { toChatMessages } from "./chat-messages.ts";
import type { StructuredOutput } from "./config.ts";
import { isContextOverflow, readRefusal, type SettingNames } from "./diagnose.ts";
import {
  abortedError,
  cutError,
  timeoutError,
  toModelError,
  type ModelErrorContext,
} from "./errors.ts";
import { parseJsonText, readAnswer, type ReadAnswer } from "./read-answer.ts";

/** Options for adapting a LangChain chat model to this project. */
export interface LangChainModelOptions {
  readonly chat: BaseChatModel;
  /** The name it is configured under. */
  readonly name: string;
  /** Host and port, for errors; null for a model inside the process. */
  readonly endpoint: string | null;
  readonly structuredOutput: StructuredOutput;
  /** True when schemas list the refs that an answer may use. Default false. */
  readonly enumerateIds?: boolean;
  /** For one call, retries included. */
  readonly timeoutMs: number;
  /** The settings that decide how it is asked, for advice. Default: those of the roles. */
  readonly settings?: SettingNames;
  /** Texts that errors must not show. */
  readonly secrets: readonly string[];
  /** True when a stream without a finish reason counts as cut off. */
  readonly namesFinish: boolean;
}

const NEXT_MODE = { json_schema: "tool", tool: "json", json: null } as const satisfies Record<
  Mode,
  Mode | null
>;

/**
 * Makes a model of any LangChain chat model.
 *
 * Contract: one `complete` is one question. With `auto`, an endpoint that refuses a way of asking
 * for a structured answer is asked in the next one, at once and from then on; every other error
 * is passed on as a `ModelError`.
 */
export function createLangChainModel(options: LangChainModelOptions): LanguageModel {
  let found: Mode = options.structuredOutput === "auto" ? "json_schema" : options.structuredOutput;

  async function complete(request: ModelRequest): Promise<ModelAnswer> {
    const mode = found;
    try {
      return await ask(request, mode, options);
    } catch (error) {
      if (error instanceof CallbackFailure) throw error.cause;
      const next = NEXT_MODE[mode];
      const mayFall = options.structuredOutput === "auto" && request.schema !== null;
      if (!mayFall || next === null || !refusesMode(error, mode)) {
        throw toModelError(error, errorContext(options));
      }
      // Another call may have found out more in the meantime.
      if (found === mode) found = next;
      return complete(request);
    }
  }

  return { name: options.name, enumerateIds: options.enumerateIds ?? false, complete };
}

async function ask(
  request: ModelRequest,
  mode: Mode,
  options: LangChainModelOptions,
): Promise<ModelAnswer> {
  const timeout = AbortSignal.timeout(options.timeoutMs);
  const signal = request.signal === null ? timeout : AbortSignal.any([request.signal, timeout]);
  const messages = toChatMessages(buildCallPrompt(request, mode));
  const callOptions = buildCallOptions(request, { mode, signal });
  try {
    signal.throwIfAborted();
    const message =
      request.onText === null
        ? await unlessAborted(options.chat.invoke(messages, callOptions), signal)
        : await stream(messages, { request, callOptions, options });
    return toAnswer(readAnswer(message), { request, mode });
  } catch (error) {
    if (request.signal?.aborted === true) throw abortedError(errorContext(options));
    if (timeout.aborted) throw timeoutError(errorContext(options), options.timeoutMs);
    throw error;
  }
}

interface StreamCall {
  readonly request: ModelRequest;
  readonly callOptions: ChatCallOptions;
  readonly options: LangChainModelOptions;
}

async function stream(
  messages: BaseMessage[],
  { request, callOptions, options }: StreamCall,
): Promise<BaseMessage> {
  const { signal } = callOptions;
  const chunks = await options.chat.stream(messages, callOptions);
  let whole: BaseMessageChunk | null = null;
  for await (const chunk of chunks) {
    signal.throwIfAborted();
    whole = whole === null ? chunk : concat(whole, chunk);
    if (chunk.text !== "") deliver(chunk.text, request);
  }
  if (whole === null) throw cutError(errorContext(options));
  if (options.namesFinish && readAnswer(whole).finishReason === null) {
    throw cutError(errorContext(options));
  }
  return whole;
}

/** An error thrown by the caller's `onText`, not by the model. */
class CallbackFailure extends Error {
  override readonly name = "CallbackFailure";
}

function deliver(text: string, { onText }: ModelRequest): void {
  try {
    onText?.(text);
  } catch (cause) {
    throw new CallbackFailure("Cannot deliver text", { cause });
  }
}

/** Not every chat model watches the signal; of streams LangChain takes care. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}

interface AnsweredCall {
  readonly request: ModelRequest;
  readonly mode: Mode;
}

function toAnswer(read: ReadAnswer, { request, mode }: AnsweredCall): ModelAnswer {
  const { text, truncated, usage } = read;
  const toolCalls = read.toolCalls.map(({ id, name, args, argsError }) => ({
    id,
    name,
    args,
    argsError,
  }));
  if (request.schema === null) return { text, json: undefined, toolCalls, truncated, usage };
  const { name } = request.schema;
  const call = mode === "tool" ? read.toolCalls.find((made) => made.name === name) : undefined;
  const raw = call === undefined ? text : call.rawArgs;
  return { text: raw, json: parseJsonText(raw), toolCalls: [], truncated, usage };
}

/** Returns true when an endpoint does not support this mode, as opposed to rejecting this schema or prompt. */
function refusesMode(error: unknown, mode: Mode): boolean {
  const refusal = readRefusal(error);
  if (refusal === null || (refusal.status !== 400 && refusal.status !== 422)) return false;
  if (isContextOverflow(error) || /invalid schema/i.test(refusal.words)) return false;
  return mode === "json_schema"
    ? /response_format|json_schema|structured output/i.test(refusal.words)
    : /tool|function/i.test(refusal.words);
}

function errorContext(options: LangChainModelOptions): ModelErrorContext {
  const { name, endpoint, secrets, settings } = options;
  return { model: name, endpoint, secrets, ...(settings === undefined ? {} : { settings }) };
}
