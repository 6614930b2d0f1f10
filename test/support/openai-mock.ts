import { once } from "node:events";
import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { createServer, type FixtureResponse, type Mountable } from "@copilotkit/aimock";
import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import {
  AIMessage,
  HumanMessage,
  SystemMessage,
  ToolMessage,
  type BaseMessage,
} from "@langchain/core/messages";
import { z } from "zod";
import { readAnswer } from "../../models/client/read-answer.ts";
import { countTokens } from "../../models/tokens.ts";
import { JsonObjectSchema, type Json, type JsonObject } from "../../state/json.ts";
import type { Usage } from "../../state/model.ts";
import { strictSchemaProblems } from "../../state/strict-schema.ts";

const WireCallSchema = z.object({
  id: z.string(),
  function: z.object({ name: z.string(), arguments: z.string() }),
});
const WireMessageSchema = z.object({
  role: z.enum(["system", "developer", "user", "assistant", "tool"]),
  content: z.string().nullable().default(""),
  tool_calls: z.array(WireCallSchema).default([]),
  tool_call_id: z.string().default(""),
});
const WireToolSchema = z.object({
  type: z.literal("function"),
  function: z.object({
    name: z.string(),
    description: z.string().default(""),
    strict: z.boolean().default(false),
    parameters: JsonObjectSchema.default({}),
  }),
});

/** The part of a Chat Completions request that the mock knows; the rest of the body is kept too. */
const ChatRequestSchema = z.looseObject({
  model: z.string(),
  messages: z.array(WireMessageSchema),
  stream: z.boolean().default(false),
  tools: z.array(WireToolSchema).default([]),
  tool_choice: z
    .union([z.string(), z.object({ function: z.object({ name: z.string() }) })])
    .nullable()
    .default(null),
  response_format: z
    .object({
      type: z.string(),
      json_schema: z
        .object({ name: z.string(), strict: z.boolean().default(false), schema: JsonObjectSchema })
        .optional(),
    })
    .nullable()
    .default(null),
});
/** A request as the mock parsed it. */
export type ChatRequest = z.infer<typeof ChatRequestSchema>;
type WireMessage = z.infer<typeof WireMessageSchema>;

/** A tool call of an answer; arguments given as a string go out as they are, broken or not. */
export interface MockCall {
  readonly id?: string;
  readonly name: string;
  readonly args: JsonObject | string;
}

/** The mock's answer. */
export interface MockAnswer {
  readonly text?: string;
  readonly json?: Json;
  readonly toolCalls?: readonly MockCall[];
  /** Counted from request and answer where it is left out, cached prefixes included. */
  readonly usage?: Usage;
  readonly finishReason?: string;
}

/** Faults of one request. */
export type Fault =
  /** An error of the endpoint, with its status and body. */
  | {
      readonly kind: "status";
      readonly status: number;
      readonly error: { readonly message: string; readonly code?: string; readonly param?: string };
      /** Time that the client must wait before its next attempt; 1 ms where left out. */
      readonly retryAfterMs?: number;
    }
  /** The connection breaks after so many pieces of a streamed answer. */
  | { readonly kind: "cut"; readonly pieces: number }
  /** Nothing more comes after so many pieces; 0 for no answer at all. */
  | { readonly kind: "stall"; readonly pieces: number }
  /** Status 200 with a body that is none of an API. */
  | { readonly kind: "body"; readonly contentType: string; readonly body: string };

/** The faults endpoints are known for, in their own words. */
export const FAULTS = {
  contextTooLong: status(400, {
    message:
      "This model's maximum context length is 8192 tokens. However, your messages resulted in 9001 tokens.",
    code: "context_length_exceeded",
    param: "messages",
  }),
  rateLimited: status(429, {
    message: "Rate limit reached for tokens per minute: Limit 30000, Requested 31000.",
    code: "rate_limit_exceeded",
  }),
  serverError: status(500, { message: "The server had an error while processing your request." }),
  webPage: { kind: "body", contentType: "text/html", body: "<html>Welcome to nginx</html>" },
} as const satisfies Record<string, Fault>;

/** Behaviour of the mocked endpoint. */
export interface OpenAIMockOptions {
  readonly answer: (request: ChatRequest) => MockAnswer | Promise<MockAnswer>;
  /** The one key it accepts; every key where left out. */
  readonly apiKey?: string;
  /** The models it knows; every model where left out. */
  readonly models?: readonly string[];
  /** Features that it refuses, as endpoints do that lack them. */
  readonly lacks?: readonly ("json_schema" | "json_object" | "tools")[];
}

/** A running mock on loopback. */
export interface OpenAIMock {
  /** With the `/v1` that clients expect. */
  readonly baseUrl: string;
  /** Every request that was parsed, refused ones included, in order. */
  readonly requests: readonly ChatRequest[];
  /** The headers of every attempt, in order. */
  readonly headers: readonly IncomingHttpHeaders[];
  /** Requests that reached it at all: an attempt that ended in a fault counts too. */
  attempts(): number;
  /** Lets the next requests fail, one fault each. */
  fail(...faults: readonly Fault[]): void;
  close(): Promise<void>;
}

/** State of one request between the layer before aimock and the answer inside it. */
interface Exchange {
  readonly authorization: string;
  usage: Usage | null;
}

/**
 * Starts an HTTP mock of OpenAI's Chat Completions that answers by a function of the request.
 *
 * aimock speaks the protocol; the layer around it adds what aimock lacks: faults at a chosen
 * point, cached tokens in the usage, and OpenAI's own refusals of unknown keys and models, of
 * schemas outside the strict subset and of histories with unanswered tool calls.
 */
export async function startOpenAIMock(options: OpenAIMockOptions): Promise<OpenAIMock> {
  const faults: Fault[] = [];
  const requests: ChatRequest[] = [];
  const headers: IncomingHttpHeaders[] = [];
  const exchanges = new Map<string, Exchange>();
  const prompts: string[] = [];

  const layer: Mountable = {
    handleRequest(incoming, response) {
      // The check at a program's start is no attempt at an answer.
      if (incoming.method === "GET" && incoming.url?.endsWith("/models") === true) {
        response.writeHead(200, { "content-type": "application/json" });
        response.end('{"object":"list","data":[]}');
        return Promise.resolve(true);
      }
      headers.push({ ...incoming.headers });
      const id = `${headers.length}`;
      const exchange = { authorization: incoming.headers.authorization ?? "", usage: null };
      exchanges.set(id, exchange);
      incoming.headers["x-aimock-context"] = id;
      const fault = faults.shift();
      if (fault !== undefined && failAtOnce(fault, response)) {
        return Promise.resolve(true);
      }
      wrapResponse(response, { exchange, fault });
      return Promise.resolve(false);
    },
  };

  async function respond(body: unknown): Promise<FixtureResponse> {
    const request = ChatRequestSchema.parse(body);
    requests.push(request);
    const exchange = exchanges.get(String(request["_context"]));
    if (exchange === undefined) throw new Error("Cannot answer: the request came around the layer");
    const refusal = findRefusal(request, exchange.authorization, options);
    if (refusal !== null) return refusal;
    const answer = await options.answer(request);
    exchange.usage = answer.usage ?? countUsage(request, { answer, prompts });
    return toResponse(answer, exchange.usage);
  }

  const { server, url } = await createServer(
    [{ match: {}, response: respond }],
    { port: 0, host: "127.0.0.1", chunkSize: 7 },
    [{ path: "/v1", handler: layer }],
  );
  return {
    baseUrl: `${url}/v1`,
    requests,
    headers,
    attempts: () => headers.length,
    fail: (...next) => void faults.push(...next),
    async close() {
      const closed = once(server, "close");
      server.close();
      // Clients keep their connections for seconds, and stalled answers hold theirs for good.
      server.closeAllConnections();
      await closed;
    },
  };
}

/**
 * Makes the mock answer with a chat model of LangChain: wire messages become LangChain's, format
 * and tools become call options, and its answer goes out over the wire.
 */
export function chatModelAnswers(chat: BaseChatModel): OpenAIMockOptions["answer"] {
  return async (request) => {
    const { response_format, tools, tool_choice } = request;
    const message = await chat.invoke(request.messages.map(toBaseMessage), {
      ...(response_format === null ? {} : { response_format }),
      ...(tools.length === 0 ? {} : { tools }),
      ...(tool_choice === null ? {} : { tool_choice }),
    });
    const { text, toolCalls, usage } = readAnswer(message);
    return {
      text,
      toolCalls: toolCalls.map(({ id, name, rawArgs }) => ({ id, name, args: rawArgs })),
      ...(usage.input === 0 ? {} : { usage }),
    };
  };
}

function status(
  code: number,
  error: { readonly message: string; readonly code?: string; readonly param?: string },
): Fault & { readonly kind: "status" } {
  return { kind: "status", status: code, error };
}

/** Answers a fault that needs no answer of the model; false for the others. */
function failAtOnce(fault: Fault, response: ServerResponse): boolean {
  switch (fault.kind) {
    case "status":
      response.writeHead(fault.status, {
        "content-type": "application/json",
        "retry-after-ms": `${fault.retryAfterMs ?? 1}`,
      });
      response.end(JSON.stringify({ error: { type: "invalid_request_error", ...fault.error } }));
      return true;
    case "body":
      response.writeHead(200, { "content-type": fault.contentType });
      response.end(fault.body);
      return true;
    case "stall":
      return fault.pieces === 0;
    case "cut":
      return false;
    default:
      return fault satisfies never;
  }
}

/** Puts cached tokens into what goes out, and lets a stream fail after some of its pieces. */
function wrapResponse(
  response: ServerResponse,
  { exchange, fault }: { readonly exchange: Exchange; readonly fault: Fault | undefined },
): void {
  const write = response.write.bind(response);
  const end = response.end.bind(response);
  const limit = fault !== undefined && "pieces" in fault ? fault.pieces : Number.POSITIVE_INFINITY;
  let pieces = 0;
  response.write = (chunk: unknown) => {
    pieces += 1;
    if (pieces > limit) return true;
    const flushed = (): void => {
      if (pieces >= limit && fault?.kind === "cut") response.destroy();
    };
    return write(withCachedTokens(String(chunk), exchange.usage), flushed);
  };
  response.end = (chunk?: unknown) => {
    if (pieces > limit) return response;
    return typeof chunk === "string" ? end(withCachedTokens(chunk, exchange.usage)) : end();
  };
}

function withCachedTokens(piece: string, usage: Usage | null): string {
  const details = `"prompt_tokens_details":{"cached_tokens":${usage?.cached ?? 0}}`;
  return piece.replace('"usage":{"prompt_tokens"', `"usage":{${details},"prompt_tokens"`);
}

function toResponse(answer: MockAnswer, usage: Usage): FixtureResponse {
  const content = answer.text ?? (answer.json === undefined ? "" : JSON.stringify(answer.json));
  const overrides = {
    usage: { prompt_tokens: usage.input, completion_tokens: usage.output },
    ...(answer.finishReason === undefined ? {} : { finishReason: answer.finishReason }),
  };
  const toolCalls = (answer.toolCalls ?? []).map(toWireCall);
  if (toolCalls.length === 0) return { content, ...overrides };
  return content === "" ? { toolCalls, ...overrides } : { content, toolCalls, ...overrides };
}

function toWireCall({ args, ...call }: MockCall) {
  return { ...call, arguments: typeof args === "string" ? args : JSON.stringify(args) };
}

/** Counts like OpenAI: prefixes of earlier prompts are cached from 1,024 tokens, in steps of 128. */
function countUsage(
  request: ChatRequest,
  { answer, prompts }: { readonly answer: MockAnswer; readonly prompts: string[] },
): Usage {
  const { response_format, tools, messages } = request;
  const prompt = JSON.stringify([response_format, tools, messages]);
  const shared = Math.max(0, ...prompts.map((earlier) => sharedPrefix(earlier, prompt)));
  const cachedTokens = countTokens(prompt.slice(0, shared));
  prompts.push(prompt);
  if (prompts.length > 20) prompts.shift();
  return {
    input: countTokens(prompt),
    cached: cachedTokens < 1_024 ? 0 : Math.floor(cachedTokens / 128) * 128,
    output: countTokens(JSON.stringify(answer)),
  };
}

function sharedPrefix(one: string, other: string): number {
  let length = 0;
  while (length < one.length && length < other.length && one[length] === other[length]) length += 1;
  return length;
}

function findRefusal(
  request: ChatRequest,
  authorization: string,
  options: OpenAIMockOptions,
): FixtureResponse | null {
  const key = authorization.replace(/^Bearer /, "");
  if (options.apiKey !== undefined && key !== options.apiKey) {
    const message = `Incorrect API key provided: ${key}. You can find your API key at https://platform.example.`;
    return refuse(401, { message, code: "invalid_api_key" });
  }
  if (options.models !== undefined && !options.models.includes(request.model)) {
    const message = `The model \`${request.model}\` does not exist or you do not have access to it.`;
    return refuse(404, { message, code: "model_not_found" });
  }
  const problem = formatProblem(request, options.lacks ?? []) ?? historyProblem(request.messages);
  return problem === null ? null : refuse(400, problem);
}

interface Problem {
  readonly message: string;
  readonly param?: string;
  readonly code?: string;
}

function refuse(code: number, problem: Problem): FixtureResponse {
  return { status: code, error: { type: "invalid_request_error", ...problem } };
}

function formatProblem(request: ChatRequest, lacks: readonly string[]): Problem | null {
  const { response_format, tools, tool_choice } = request;
  if (response_format !== null && lacks.includes(response_format.type)) {
    const message = "This response_format type is unavailable now";
    return { message, code: "invalid_request_error" };
  }
  if (tools.length > 0 && lacks.includes("tools")) {
    return { message: `${request.model} does not support tools` };
  }
  if (tool_choice !== null && tools.length === 0) {
    const message = "'tool_choice' is only allowed when 'tools' are specified.";
    return { message, param: "tool_choice" };
  }
  const format = response_format?.json_schema;
  const schemas: SentSchema[] = tools.map(toSentSchema);
  if (format !== undefined) {
    const what = `response_format '${format.name}'`;
    schemas.push({ what, param: "response_format", ...format });
  }
  for (const { what, param, name, strict, schema } of schemas) {
    const problems = [
      ...(/^[\w-]{1,64}$/.test(name) ? [] : [`name "${name}" has characters that are not allowed`]),
      ...(strict ? [] : ["'strict' must be true here"]),
      ...strictSchemaProblems(schema),
    ];
    if (problems.length > 0) {
      const message = `Invalid schema for ${what}: ${problems.join("; ")}`;
      return { message, param, code: "invalid_function_parameters" };
    }
  }
  return null;
}

interface SentSchema {
  readonly what: string;
  readonly param: string;
  readonly name: string;
  readonly strict: boolean;
  readonly schema: JsonObject;
}

function toSentSchema({ function: tool }: ChatRequest["tools"][number], index: number): SentSchema {
  const { name, strict, parameters } = tool;
  const param = `tools[${index}].function.parameters`;
  return { what: `function '${name}'`, param, name, strict, schema: parameters };
}

/** Every tool call must be answered by the messages right after it, and nothing else may be. */
function historyProblem(messages: readonly WireMessage[]): Problem | null {
  let open: readonly string[] = [];
  for (const [index, message] of messages.entries()) {
    const param = `messages[${index}]`;
    if (message.role === "tool") {
      if (!open.includes(message.tool_call_id)) {
        return { message: "Messages with role 'tool' must follow their 'tool_calls'.", param };
      }
      open = open.filter((id) => id !== message.tool_call_id);
      continue;
    }
    if (open.length > 0) break;
    open = message.tool_calls.map((call) => call.id);
  }
  if (open.length === 0) return null;
  const message = `An assistant message with 'tool_calls' must be followed by tool messages: ${open.join(", ")}`;
  return { message, param: "messages" };
}

function toBaseMessage(message: WireMessage): BaseMessage {
  const content = message.content ?? "";
  switch (message.role) {
    case "system":
    case "developer":
      return new SystemMessage(content);
    case "user":
      return new HumanMessage(content);
    case "assistant":
      return new AIMessage({
        content,
        tool_calls: message.tool_calls.map((call) => ({
          type: "tool_call",
          id: call.id,
          name: call.function.name,
          args: z.record(z.string(), z.unknown()).parse(JSON.parse(call.function.arguments)),
        })),
      });
    case "tool":
      return new ToolMessage({ content, tool_call_id: message.tool_call_id });
    default:
      return message.role satisfies never;
  }
}
