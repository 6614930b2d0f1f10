import type { CallbackManagerForLLMRun } from "@langchain/core/callbacks/manager";
import {
  BaseChatModel,
  type BaseChatModelCallOptions,
} from "@langchain/core/language_models/chat_models";
import {
  AIMessage,
  AIMessageChunk,
  ToolMessage,
  type AIMessageChunkFields,
  type BaseMessage,
  type UsageMetadata,
} from "@langchain/core/messages";
import { ChatGenerationChunk, type ChatResult } from "@langchain/core/outputs";
import { concat } from "@langchain/core/utils/stream";
import { z } from "zod";
import { JsonObjectSchema, JsonSchema, type Json, type JsonObject } from "../../state/json.ts";
import { parseJson } from "../answers/find-json.ts";
import { LOCAL_WINDOW } from "../config.ts";
import { findKnownTraits } from "../profile/known-models.ts";
import type { ProfileTraits } from "../profile/profile.ts";
import { CutStreamError } from "./ask-endpoint.ts";
import { readBodyLines } from "./read-body-lines.ts";
import { NotAnAnswerError } from "./not-an-answer.ts";

/** Address and form of the calls to a model of Ollama. */
export interface OllamaOptions {
  readonly model: string;
  /** The address for OpenAI's API, or the server's; only its origin counts. */
  readonly baseUrl: string;
  /** Null where it wants none, which is usual. */
  readonly apiKey: string | null;
  /** Tokens of prompt and answer together, which the server is asked to have room for. */
  readonly window: number;
}

/**
 * Ollama refused a request, or failed while it answered.
 *
 * Contract: has the properties by which errors of other clients are told apart (`diagnose`).
 */
class OllamaError extends Error {
  override readonly name = "OllamaError";
  readonly status: number;
  readonly headers: Headers;

  constructor(message: string, { status, headers }: Pick<Response, "status" | "headers">) {
    super(message);
    this.status = status;
    this.headers = headers;
  }
}

/**
 * Makes a chat model that speaks Ollama's own dialect, `POST /api/chat`: OpenAI's route of it can
 * neither set the window nor demand a tool call.
 *
 * Answers are always streamed: a connection without a byte would be given up after five minutes,
 * which a whole answer on a slow processor may take.
 *
 * Source: models.md §4, "Ollama"; Ollama's API reference.
 */
export function createOllamaChat(options: OllamaOptions): BaseChatModel {
  return new OllamaChat(options);
}

/**
 * Returns what is known of a model that is asked in this dialect: by its name, and by what its
 * server tells. Ollama takes thoughts out of the text, and its window is the one that it is asked for.
 */
export function findOllamaTraits(
  model: string,
  told: Partial<ProfileTraits> = {},
): Partial<ProfileTraits> {
  const known = findKnownTraits(model);
  const traits: Partial<ProfileTraits> = {
    tools: "union",
    contextWindow: LOCAL_WINDOW,
    ...(known.reasoningStyle === "tags"
      ? { reasoningStyle: "field", reasoningControl: "think" }
      : {}),
    ...told,
  };
  // A model that takes a level does not obey a switch.
  const takesLevel = known.reasoningControl === "effort" && traits.reasoningControl === "think";
  return takesLevel ? { ...traits, reasoningControl: "effort" } : traits;
}

/** The part of the call options that this dialect has words for. */
interface OllamaCallOptions extends BaseChatModelCallOptions {
  readonly response_format?: unknown;
  readonly tools?: readonly unknown[];
  readonly bodyFields?: unknown;
}

class OllamaChat extends BaseChatModel<OllamaCallOptions> {
  private readonly server: OllamaOptions;

  constructor(server: OllamaOptions) {
    super({});
    this.server = server;
  }

  override _llmType(): string {
    return "ollama";
  }

  override async _generate(
    messages: BaseMessage[],
    options: this["ParsedCallOptions"],
  ): Promise<ChatResult> {
    let whole: AIMessageChunk | null = null;
    for await (const { message } of this.ask(messages, options)) {
      whole = whole === null ? message : concat(whole, message);
    }
    const message = Object.assign(new AIMessage(""), whole);
    return { generations: [{ text: message.text, message }] };
  }

  override async *_streamResponseChunks(
    messages: BaseMessage[],
    options: this["ParsedCallOptions"],
    runManager?: CallbackManagerForLLMRun,
  ): AsyncGenerator<ChatGenerationChunk> {
    for await (const { text, message } of this.ask(messages, options)) {
      yield new ChatGenerationChunk({ text, message });
      await runManager?.handleLLMNewToken(text);
    }
  }

  private async *ask(
    messages: readonly BaseMessage[],
    options: OllamaCallOptions,
  ): AsyncGenerator<{ readonly text: string; readonly message: AIMessageChunk }> {
    const { apiKey, baseUrl } = this.server;
    const response = await fetch(new URL("/api/chat", baseUrl), {
      method: "POST",
      // A prompt goes where it was sent, and nowhere else.
      redirect: "error",
      headers: {
        "content-type": "application/json",
        ...(apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }),
      },
      body: JSON.stringify(buildBody(messages, options, this.server)),
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    });
    if (!response.ok) throw await readRefusal(response);
    let calls = 0;
    let isComplete = false;
    for await (const line of readBodyLines(response)) {
      if (line.trim() === "") continue;
      const piece = readPiece(line, response);
      const { content, thinking, tool_calls: called } = piece.message;
      yield {
        text: content,
        message: createChunk(
          {
            content,
            additional_kwargs: thinking === "" ? {} : { reasoning_content: thinking },
            tool_call_chunks: called.map(({ function: { name, arguments: args } }, index) => ({
              type: "tool_call_chunk" as const,
              index: calls + index,
              id: `call_${calls + index + 1}`,
              name,
              args: JSON.stringify(args),
            })),
            response_metadata: piece.done ? { finish_reason: piece.done_reason } : {},
          },
          piece.done ? readUsage(piece) : undefined,
        ),
      };
      calls += called.length;
      isComplete = piece.done;
    }
    if (!isComplete) throw new CutStreamError("The stream ended before the answer was complete");
  }
}

/** The type of LangChain's chunk leaves no room for usage. */
function createChunk(fields: AIMessageChunkFields, usage: UsageMetadata | undefined) {
  return Object.assign(
    new AIMessageChunk(fields),
    usage === undefined ? {} : { usage_metadata: usage },
  );
}

const FormatSchema = z.union([
  z
    .object({ type: z.literal("json_schema"), json_schema: z.object({ schema: JsonObjectSchema }) })
    .transform((format): Json => format.json_schema.schema),
  z.object({ type: z.literal("json_object") }).transform((): Json => "json"),
]);
const ToolSchema = z.object({
  function: z.object({
    name: z.string(),
    description: z.string(),
    parameters: JsonObjectSchema,
  }),
});
const FieldsSchema = z.object({
  outputTokens: z.number(),
  extra: z.object({
    think: z.boolean().optional(),
    /** Models that take a level take it in the same field here. */
    reasoning_effort: z.string().optional(),
  }),
});

function buildBody(
  messages: readonly BaseMessage[],
  { response_format, tools = [], bodyFields }: OllamaCallOptions,
  { model, window }: OllamaOptions,
): JsonObject {
  const fields = FieldsSchema.parse(bodyFields);
  const format = FormatSchema.safeParse(response_format);
  const offered = tools.flatMap((tool) => ToolSchema.safeParse(tool).data ?? []);
  const think = fields.extra.think ?? fields.extra.reasoning_effort;
  return {
    model,
    messages: messages.map(writeMessage),
    stream: true,
    options: { num_ctx: window, num_predict: fields.outputTokens },
    ...(format.success ? { format: format.data } : {}),
    ...(offered.length === 0
      ? {}
      : { tools: offered.map((tool) => ({ type: "function", function: { ...tool.function } })) }),
    ...(think === undefined ? {} : { think }),
  };
}

function writeMessage(message: BaseMessage): JsonObject {
  const content = message.text;
  if (AIMessage.isInstance(message)) {
    const calls = (message.tool_calls ?? []).map(({ name, args }) => ({
      function: { name, arguments: JsonSchema.parse(args) },
    }));
    return { role: "assistant", content, ...(calls.length === 0 ? {} : { tool_calls: calls }) };
  }
  if (ToolMessage.isInstance(message)) {
    return { role: "tool", content, tool_name: message.name ?? "" };
  }
  return { role: message.getType() === "system" ? "system" : "user", content };
}

const tokens = z.number().int().nonnegative().catch(0).default(0);
const PieceSchema = z.object({
  message: z
    .object({
      content: z.string().catch("").default(""),
      thinking: z.string().catch("").default(""),
      tool_calls: z
        .array(z.object({ function: z.object({ name: z.string(), arguments: JsonObjectSchema }) }))
        .catch([])
        .default([]),
    })
    .default({ content: "", thinking: "", tool_calls: [] }),
  done: z.boolean(),
  done_reason: z.string().catch("stop").default("stop"),
  prompt_eval_count: tokens,
  eval_count: tokens,
});
const FailureSchema = z.object({ error: z.string() });

/** A failure after the first byte comes as a line, with the status of success before it. */
function readPiece(line: string, { headers }: Response): z.infer<typeof PieceSchema> {
  const value = parseJson(line);
  const failure = FailureSchema.safeParse(value);
  if (failure.success) throw new OllamaError(failure.data.error, { status: 500, headers });
  const piece = PieceSchema.safeParse(value);
  if (piece.success) return piece.data;
  throw new NotAnAnswerError("Cannot read the answer: a line of it is no piece of an answer");
}

/** Source: Ollama's API reference; a prompt's tokens include those that were cached. */
function readUsage({ prompt_eval_count: input, eval_count: output }: z.infer<typeof PieceSchema>) {
  return { input_tokens: input, output_tokens: output, total_tokens: input + output };
}

async function readRefusal(response: Response): Promise<OllamaError> {
  let text = "";
  for await (const line of readBodyLines(response)) text += line;
  const failure = FailureSchema.safeParse(parseJson(text));
  return new OllamaError(failure.success ? failure.data.error : "", response);
}
