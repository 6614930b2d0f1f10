import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import type { BaseMessage, BaseMessageChunk } from "@langchain/core/messages";
import { concat } from "@langchain/core/utils/stream";
import type { JsonObject } from "../state/json.ts";
import type {
  LanguageModel,
  ModelAnswer,
  ModelRequest,
  NamedSchema,
  PromptMessage,
} from "../state/model.ts";
import { toChatMessages } from "./chat-messages.ts";
import type { StructuredOutput } from "./config.ts";
import {
  abortedError,
  cutError,
  isContextOverflow,
  refusalOf,
  timeoutError,
  toModelError,
  type ModelErrorContext,
} from "./errors.ts";
import { parseJsonText, readAnswer, type ReadAnswer } from "./read-answer.ts";

type Mode = Exclude<StructuredOutput, "auto">;

/** What makes a chat model of LangChain a model of this project. */
export interface LangChainModelOptions {
  readonly chat: BaseChatModel;
  /** The name it is configured under. */
  readonly name: string;
  /** Host and port, for errors; null for a model inside the process. */
  readonly endpoint: string | null;
  readonly structuredOutput: StructuredOutput;
  /** For one call, retries included. */
  readonly timeoutMs: number;
  /** What errors must not show. */
  readonly secrets: readonly string[];
  /** Whether a stream that names no finish reason counts as cut. */
  readonly namesFinish: boolean;
}

/** A tool as Chat Completions takes it. */
interface WireTool {
  readonly type: "function";
  readonly function: {
    readonly name: string;
    readonly description: string;
    readonly strict: true;
    readonly parameters: JsonObject;
  };
}

/** The call options of a request: what `_generate` and `_streamResponseChunks` of any chat model see. */
export interface ChatCallOptions {
  readonly tags: string[];
  readonly signal: AbortSignal;
  readonly max_completion_tokens: number;
  readonly response_format?: {
    readonly type: "json_schema";
    readonly json_schema: {
      readonly name: string;
      readonly description: string;
      readonly strict: true;
      readonly schema: JsonObject;
    };
  };
  readonly tools?: WireTool[];
  /** Said twice: the Responses API of LangChain looks here and not at the tools. */
  readonly strict?: true;
  readonly tool_choice?:
    | "required"
    | { readonly type: "function"; readonly function: { readonly name: string } };
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
        throw toModelError(error, contextOf(options));
      }
      // Another call may have found out more in the meantime.
      if (found === mode) found = next;
      return complete(request);
    }
  }

  return { name: options.name, complete };
}

async function ask(
  request: ModelRequest,
  mode: Mode,
  options: LangChainModelOptions,
): Promise<ModelAnswer> {
  const timeout = AbortSignal.timeout(options.timeoutMs);
  const signal = request.signal === null ? timeout : AbortSignal.any([request.signal, timeout]);
  const messages = toChatMessages(promptOf(request, mode));
  const callOptions = callOptionsOf(request, { mode, signal });
  try {
    signal.throwIfAborted();
    const message =
      request.onText === null
        ? await unlessAborted(options.chat.invoke(messages, callOptions), signal)
        : await stream(messages, { request, callOptions, options });
    return toAnswer(readAnswer(message), { request, mode });
  } catch (error) {
    if (request.signal?.aborted === true) throw abortedError(contextOf(options));
    if (timeout.aborted) throw timeoutError(contextOf(options), options.timeoutMs);
    throw error;
  }
}

async function stream(
  messages: BaseMessage[],
  {
    request,
    callOptions,
    options,
  }: {
    readonly request: ModelRequest;
    readonly callOptions: ChatCallOptions;
    readonly options: LangChainModelOptions;
  },
): Promise<BaseMessage> {
  const { signal } = callOptions;
  const chunks = await unlessAborted(options.chat.stream(messages, callOptions), signal);
  let whole: BaseMessageChunk | null = null;
  for await (const chunk of chunks) {
    signal.throwIfAborted();
    whole = whole === null ? chunk : concat(whole, chunk);
    if (chunk.text !== "") deliver(chunk.text, request);
  }
  if (whole === null) throw cutError(contextOf(options));
  if (options.namesFinish && readAnswer(whole).finishReason === null) {
    throw cutError(contextOf(options));
  }
  return whole;
}

/** What the caller's own `onText` threw: no fault of the model's. */
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

/** The client's own waits between retries do not watch the signal. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}

function callOptionsOf(
  request: ModelRequest,
  { mode, signal }: { readonly mode: Mode; readonly signal: AbortSignal },
): ChatCallOptions {
  const base = {
    // Hides the tokens from LangGraph's `messages` stream: texts go out through the gate.
    tags: ["nostream"],
    signal,
    max_completion_tokens: request.maxOutputTokens,
  };
  if (request.schema !== null) return { ...base, ...schemaOptions(request.schema, mode) };
  if (request.tools.length === 0) return base;
  return {
    ...base,
    tools: request.tools.map(toWireTool),
    strict: true,
    ...(request.toolChoice === "required" ? { tool_choice: "required" } : {}),
  };
}

function schemaOptions(named: NamedSchema, mode: Mode): Partial<ChatCallOptions> {
  const { name, description, schema } = named;
  switch (mode) {
    case "json_schema":
      return {
        response_format: {
          type: "json_schema",
          json_schema: { name, description, strict: true, schema },
        },
      };
    case "tool":
      return {
        tools: [toWireTool(named)],
        strict: true,
        tool_choice: { type: "function", function: { name } },
      };
    case "json":
      return {};
    default:
      return mode satisfies never;
  }
}

function toWireTool({ name, description, schema }: NamedSchema): WireTool {
  return { type: "function", function: { name, description, strict: true, parameters: schema } };
}

/** In plain JSON mode the schema stands in the prompt, after the constant part of it. */
function promptOf(request: ModelRequest, mode: Mode): readonly PromptMessage[] {
  if (request.schema === null || mode !== "json") return request.messages;
  const instruction = [
    "Answer with one JSON object and nothing else: no text before or after it, no Markdown.",
    `It is called "${request.schema.name}" and must match this JSON Schema:`,
    JSON.stringify(request.schema.schema),
  ].join("\n");
  const [first, ...rest] = request.messages;
  if (first?.role !== "system") return [{ role: "system", text: instruction }, ...request.messages];
  return [{ role: "system", text: `${first.text}\n\n${instruction}` }, ...rest];
}

function toAnswer(
  read: ReadAnswer,
  { request, mode }: { readonly request: ModelRequest; readonly mode: Mode },
): ModelAnswer {
  const { text, usage } = read;
  const toolCalls = read.toolCalls.map(({ id, name, args, argsError }) => ({
    id,
    name,
    args,
    argsError,
  }));
  if (request.schema === null) return { text, json: undefined, toolCalls, usage };
  const { name } = request.schema;
  const call = mode === "tool" ? read.toolCalls.find((made) => made.name === name) : undefined;
  const raw = call === undefined ? text : call.rawArgs;
  return { text: raw, json: parseJsonText(raw), toolCalls: [], usage };
}

/** Whether an endpoint said that it cannot be asked this way: not that this schema or prompt is wrong. */
function refusesMode(error: unknown, mode: Mode): boolean {
  const refusal = refusalOf(error);
  if (refusal === null || (refusal.status !== 400 && refusal.status !== 422)) return false;
  if (isContextOverflow(error) || /invalid schema/i.test(refusal.words)) return false;
  return mode === "json_schema"
    ? /response_format|json_schema|structured output/i.test(refusal.words)
    : /tool|function/i.test(refusal.words);
}

function contextOf({ name, endpoint, secrets }: LangChainModelOptions): ModelErrorContext {
  return { model: name, endpoint, secrets };
}
