import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { onTestFinished } from "vitest";
import { z } from "zod";
import { JsonObjectSchema, isJsonObject, type Json, type JsonObject } from "../../state/json.ts";
import { countRoughly } from "./arbitraries.ts";

const WireToolSchema = z.looseObject({
  function: z.looseObject({ name: z.string(), parameters: JsonObjectSchema.optional() }),
});
const WireRequestSchema = z.looseObject({
  model: z.string(),
  messages: z.array(
    z.looseObject({
      role: z.string(),
      content: z.string().nullish(),
      tool_calls: z.unknown().optional(),
    }),
  ),
  stream: z.boolean().optional(),
  tools: z.array(WireToolSchema).default([]),
  tool_choice: z.unknown().optional(),
  response_format: z
    .looseObject({ type: z.string(), json_schema: z.looseObject({ name: z.string() }).optional() })
    .optional(),
  max_tokens: z.number().optional(),
  max_completion_tokens: z.number().optional(),
});
/** A Chat Completions request as it came, with what the endpoint reads of it typed. */
export type WireRequest = z.infer<typeof WireRequestSchema>;

/** The answer of a model before its endpoint gives it a form. */
export type ScriptedAnswer =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "json"; readonly name: string; readonly value: JsonObject }
  | { readonly kind: "calls"; readonly calls: readonly ScriptedCall[] };

/** A tool call, before it has an id. */
export interface ScriptedCall {
  readonly name: string;
  readonly args: JsonObject;
}

/** A part of a request that an endpoint may refuse. */
const RefusableSchema = z.enum([
  "response_format",
  "json_schema",
  "json_object",
  "tools",
  "tool_choice",
  "strict",
  "max_tokens",
  "max_completion_tokens",
  "parallel_tool_calls",
  "reasoning",
  "stream",
  "stream_options",
  "system",
]);
type Refusable = z.infer<typeof RefusableSchema>;

/** Behaviours of an endpoint or of one of its answers. Those that are left out are a well-behaved endpoint's. */
export const CharacterSchema = z.strictObject({
  /** Parts of a request that it answers with an error. */
  refuses: z
    .array(
      z.strictObject({
        field: RefusableSchema,
        status: z.number().default(400),
        /** Default: the words of OpenAI. */
        message: z.string().optional(),
        /** The body: OpenAI's, `{ error: "…" }`, FastAPI's `{ detail }`, or `{ object: "error", message }`. */
        body: z.enum(["openai", "string", "detail", "object"]).default("openai"),
      }),
    )
    .optional(),
  /** False where a schema is accepted and not held to. */
  enforces: z.boolean().optional(),
  /** True where a model that is shown no schema makes up a form of its own. */
  guesses: z.boolean().optional(),
  /** The form of tool calls. `prose`: none is made, words come instead. */
  toolCalls: z.enum(["native", "prose", "tags", "fence", "bare", "xml"]).optional(),
  /** The ids of calls are left out. */
  withoutCallIds: z.boolean().optional(),
  /** The arguments of the first call, as text, in place of the right ones. */
  callArguments: z.string().optional(),
  /** The name of the first call, in place of the right one. */
  callName: z.string().optional(),
  thinks: z
    .strictObject({
      place: z.enum(["tags", "reasoning_content", "reasoning", "hidden", "closing-tag"]),
      tokens: z.number(),
    })
    .optional(),
  /** Thinking takes room from the answer: what reaches the bound is cut. */
  bounded: z.boolean().optional(),
  /** A stream brings everything in one piece. */
  wholeStream: z.boolean().optional(),
  /** The form of every answer, whatever was requested. */
  delivery: z.enum(["whole", "streamed"]).optional(),
  /** The content type of whole answers. */
  contentType: z.string().optional(),
  /** The mark at the end of a stream is left out. */
  withoutDone: z.boolean().optional(),
  withoutUsage: z.boolean().optional(),
  /** The usage, in place of the right one. */
  usage: JsonObjectSchema.optional(),
  /** Tokens of the prompt that it says it has read at most. */
  reads: z.number().optional(),
  cachedTokens: z.number().optional(),
  /** In place of the right one; null for none. */
  finishReason: z.string().nullable().optional(),
  /** Put around an answer that is not enforced. */
  wraps: z.array(z.enum(["fence", "name", "arguments", "words", "tags"])).optional(),
  /** Done to the value of an answer that is not enforced. */
  loosens: z
    .array(z.enum(["nulls", "lists", "singles", "numbers", "case", "keys", "defaults"]))
    .optional(),
  /** Prompts of more tokens are refused. */
  window: z.number().optional(),
  /** Text in place of the answer. */
  says: z.string().optional(),
  /** Calls in place of those of the answer. */
  calls: z.array(z.strictObject({ name: z.string(), args: JsonObjectSchema })).optional(),
  /** A value in place of the answer. */
  answers: JsonObjectSchema.optional(),
  /** A value whose keys stand in for those of the answer. */
  changes: JsonObjectSchema.optional(),
  refusal: z.string().optional(),
  /** So many repetitions of the text, for answers that are far too long. */
  repeats: z.number().optional(),
  /** Only characters up to here, then the end. */
  cutText: z.number().optional(),
  fails: z
    .discriminatedUnion("kind", [
      z.strictObject({
        kind: z.literal("status"),
        status: z.number(),
        body: z.union([z.string(), JsonObjectSchema]).default(""),
        headers: z.record(z.string(), z.string()).default({}),
      }),
      z.strictObject({ kind: z.literal("reset") }),
      z.strictObject({ kind: z.literal("hang") }),
      /** The connection breaks after so many pieces of a stream. */
      z.strictObject({ kind: z.literal("cut"), pieces: z.number() }),
      /** Nothing more comes after so many pieces of a stream. */
      z.strictObject({ kind: z.literal("silence"), pieces: z.number() }),
      z.strictObject({ kind: z.literal("body"), type: z.string(), body: z.string() }),
      /** An error stands in a stream after so many pieces. */
      z.strictObject({ kind: z.literal("stream-error"), pieces: z.number() }),
    ])
    .optional(),
});
export type Character = z.infer<typeof CharacterSchema>;
export type CharacterInput = z.input<typeof CharacterSchema>;

/** One request, and whether it was answered. */
export interface SeenRequest {
  readonly request: WireRequest;
  readonly role: string;
  readonly headers: IncomingMessage["headers"];
}

/** An HTTP server that speaks Chat Completions with a character. */
export interface ScriptedEndpoint {
  /** An address of this machine, as local servers have. */
  readonly localUrl: string;
  /** The same server under an address that does not count as this machine. */
  readonly hostedUrl: string;
  /** Every request, in order, those that failed included. */
  readonly requests: readonly SeenRequest[];
  /** The most requests that were in work at the same time. */
  most(): number;
  /** The role's next requests are answered with these behaviours beside the endpoint's own. */
  disturb(disturbance: Disturbance): void;
  /** Ends all disturbances. */
  calm(): void;
}

/** Behaviours of the next requests of a role. */
export interface Disturbance {
  /** Null for every role. */
  readonly role: string | null;
  readonly times: number;
  readonly character: CharacterInput;
}

interface ScriptedEndpointOptions {
  /** The model: what it would answer. */
  readonly answer: (request: WireRequest, role: string) => ScriptedAnswer;
  /** Names who asks. */
  readonly readRole: (request: WireRequest) => string;
  readonly character?: CharacterInput;
  /** Takes what ends the server. Default: the test does. */
  readonly onEnd?: (end: () => void) => void;
  /** Resolves when a request may be answered. Default: at once. */
  readonly hold?: (seen: SeenRequest) => Promise<void>;
}

/** Serves Chat Completions and `/models` on a free port of loopback until the test has ended. */
export async function serveEndpoint(options: ScriptedEndpointOptions): Promise<ScriptedEndpoint> {
  const requests: SeenRequest[] = [];
  const disturbances: { role: string | null; left: number; character: Character }[] = [];
  const own = CharacterSchema.parse(options.character ?? {});
  const failures: unknown[] = [];
  let current = 0;
  let most = 0;

  function chooseCharacter(role: string): Character {
    const found = disturbances.find((each) => each.left > 0 && (each.role ?? role) === role);
    if (found === undefined) return own;
    found.left -= 1;
    return { ...own, ...found.character };
  }

  async function handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    if (incoming.url?.endsWith("/models") === true) {
      sendJson(response, 200, { object: "list", data: [{ id: "scripted", object: "model" }] });
      return;
    }
    let text = "";
    for await (const piece of incoming.setEncoding("utf8")) text += String(piece);
    const request = WireRequestSchema.parse(JSON.parse(text));
    const role = options.readRole(request);
    const seen = { request, role, headers: incoming.headers };
    requests.push(seen);
    current += 1;
    most = Math.max(most, current);
    response.once("close", () => (current -= 1));
    const character = chooseCharacter(role);
    await options.hold?.(seen);
    answerRequest(response, { request, character, answer: () => options.answer(request, role) });
  }

  const server = createServer((incoming, response) => {
    handle(incoming, response).catch((error: unknown) => {
      failures.push(error);
      response.destroy();
    });
  });
  const { onEnd = onTestFinished } = options;
  onEnd(() => {
    server.closeAllConnections();
    server.close();
    // A mistake of the script must not pass for a fault of the endpoint.
    if (failures.length > 0) throw new AggregateError(failures, "The scripted endpoint failed");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    localUrl: `http://127.0.0.1:${port}/v1`,
    hostedUrl: `http://0.0.0.0:${port}/v1`,
    requests,
    most: () => most,
    disturb: ({ role, times, character }) => {
      disturbances.push({ role, left: times, character: CharacterSchema.parse(character) });
    },
    calm: () => void disturbances.splice(0),
  };
}

interface Exchange {
  readonly request: WireRequest;
  readonly character: Character;
  readonly answer: () => ScriptedAnswer;
}

function answerRequest(response: ServerResponse, exchange: Exchange): void {
  const { request, character } = exchange;
  const { fails } = character;
  switch (fails?.kind) {
    case "status":
      for (const [name, value] of Object.entries(fails.headers)) response.setHeader(name, value);
      if (typeof fails.body !== "string") sendJson(response, fails.status, fails.body);
      else response.writeHead(fails.status).end(fails.body);
      return;
    case "reset":
      response.destroy();
      return;
    case "hang":
      return;
    case "body":
      response.writeHead(200, { "content-type": fails.type }).end(fails.body);
      return;
    case "cut":
    case "silence":
    case "stream-error":
    case undefined:
      break;
    default:
      fails satisfies never;
  }
  const refusal = findRefusal(request, character);
  if (refusal !== null) sendJson(response, refusal.status, refusal.body);
  else sendAnswer(response, formAnswer(exchange), exchange);
}

function sendJson(response: ServerResponse, status: number, body: JsonObject): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

interface RefusedRequest {
  readonly status: number;
  readonly body: JsonObject;
}

function findRefusal(request: WireRequest, character: Character): RefusedRequest | null {
  const tokens = countPrompt(request);
  if (character.window !== undefined && tokens > character.window) {
    const message = `This model's maximum context length is ${character.window} tokens. However, your messages resulted in ${tokens} tokens.`;
    return { status: 400, body: { error: { message, code: "context_length_exceeded" } } };
  }
  const refused = character.refuses?.find(({ field }) => holdsField(request, field));
  if (refused === undefined) return null;
  const { field, status, body } = refused;
  const message = refused.message ?? `Unsupported parameter: '${field}' is not supported here.`;
  switch (body) {
    case "openai":
      return { status, body: { error: { message, type: "invalid_request_error", param: field } } };
    case "string":
      return { status, body: { error: message } };
    case "detail":
      return {
        status,
        body: { detail: [{ type: "extra_forbidden", loc: ["body", field], msg: message }] },
      };
    case "object":
      return { status, body: { object: "error", message, type: "BadRequestError", code: status } };
    default:
      return body satisfies never;
  }
}

function holdsField(request: WireRequest, field: Refusable): boolean {
  switch (field) {
    case "json_schema":
    case "json_object":
      return request.response_format?.type === field;
    case "tools":
      return request.tools.length > 0;
    case "strict":
      return JSON.stringify([request.tools, request.response_format]).includes('"strict":true');
    case "tool_choice":
      return request.tools.length > 0 && request.tool_choice !== undefined;
    case "reasoning":
      return ["reasoning_effort", "chat_template_kwargs", "think", "reasoning"].some((name) =>
        Object.hasOwn(request, name),
      );
    case "system":
      return request.messages.some(({ role }) => role === "system");
    case "response_format":
    case "max_tokens":
    case "max_completion_tokens":
    case "parallel_tool_calls":
    case "stream":
    case "stream_options":
      return Object.hasOwn(request, field);
    default:
      return field satisfies never;
  }
}

function countPrompt({ messages, tools, response_format }: WireRequest): number {
  const texts = messages.map(({ content }) => content ?? "");
  return countRoughly([...texts, JSON.stringify([tools, response_format])].join("\n"));
}

/** The parts of an answer as they go out. */
interface FormedAnswer {
  readonly content: string;
  readonly thought: string;
  readonly calls: readonly { readonly id?: string; readonly name: string; readonly text: string }[];
  readonly finish: string | null;
  readonly usage: JsonObject;
}

function formAnswer({ request, character, answer }: Exchange): FormedAnswer {
  const given = replaceAnswer(answer(), character);
  const isCalled = request.tools.length > 0;
  const formed =
    given.kind === "text"
      ? { content: given.text, calls: [] }
      : given.kind === "json"
        ? formValue(given, { request, character })
        : isCalled
          ? formCalls(given.calls, character)
          : formValue(listCalls(given.calls), { request, character });
  const { thinks } = character;
  const words = thinks === undefined ? "" : "Hmm, ".repeat(Math.min(thinks.tokens, 40)).trim();
  const opening = thinks?.place === "tags" ? "<think>\n" : "";
  const inText = thinks?.place === "tags" || thinks?.place === "closing-tag";
  const whole = inText ? `${opening}${words}\n</think>\n\n${formed.content}` : formed.content;
  const repeated = whole.repeat(character.repeats ?? 1).slice(0, character.cutText);
  const thinking = thinks?.tokens ?? 0;
  const output = countRoughly(repeated + JSON.stringify(formed.calls)) + thinking;
  const bound = request.max_completion_tokens ?? request.max_tokens ?? Infinity;
  const isCut = character.bounded === true && output > bound;
  const finish = isCut ? "length" : formed.calls.length > 0 ? "tool_calls" : "stop";
  const prompt = Math.min(countPrompt(request), character.reads ?? Infinity);
  return {
    content: isCut ? (inText ? `${opening}${words}` : "") : repeated,
    thought: inText || thinks?.place === "hidden" ? "" : words,
    calls: isCut ? [] : formed.calls,
    finish: character.finishReason === undefined ? finish : character.finishReason,
    usage: character.usage ?? {
      prompt_tokens: prompt,
      completion_tokens: isCut ? bound : output,
      total_tokens: prompt + output,
      prompt_tokens_details: { cached_tokens: character.cachedTokens ?? 0 },
      ...(thinks === undefined || thinks.place === "tags" || thinks.place === "closing-tag"
        ? {}
        : { completion_tokens_details: { reasoning_tokens: thinking } }),
    },
  };
}

function replaceAnswer(answer: ScriptedAnswer, character: Character): ScriptedAnswer {
  const { says, answers, changes, calls } = character;
  if (says !== undefined) return { kind: "text", text: says };
  if (calls !== undefined) return { kind: "calls", calls };
  if (answer.kind !== "json") return answer;
  if (answers !== undefined) return { ...answer, value: answers };
  return changes === undefined ? answer : { ...answer, value: { ...answer.value, ...changes } };
}

/** The answer of an endpoint that is asked for a list of calls. */
function listCalls(calls: readonly ScriptedCall[]): ScriptedAnswer & { readonly kind: "json" } {
  const listed = calls.map(({ name, args }) => ({ tool: name, arguments: args }));
  return { kind: "json", name: "calls", value: { calls: listed } };
}

interface Form {
  readonly request: WireRequest;
  readonly character: Character;
}

type FormedContent = Pick<FormedAnswer, "content" | "calls">;

function formValue(
  { name, value }: ScriptedAnswer & { readonly kind: "json" },
  { request, character }: Form,
): FormedContent {
  if (request.tools.length > 0) {
    return formCalls([{ name, args: value }], character);
  }
  const isEnforced =
    request.response_format?.type === "json_schema" && character.enforces !== false;
  if (isEnforced) return { content: JSON.stringify(value), calls: [] };
  const known = character.guesses !== true || knowsForm(request) ? value : guess(value);
  const loose = loosen(known, character.loosens ?? []);
  return { content: wrap(loose, { name, wraps: character.wraps ?? [] }), calls: [] };
}

function formCalls(calls: readonly ScriptedCall[], character: Character): FormedContent {
  const named = calls.map(({ name, args }, at) => ({
    name: at === 0 ? (character.callName ?? name) : name,
    text: at === 0 ? (character.callArguments ?? JSON.stringify(args)) : JSON.stringify(args),
    id: `call_${at}_${name}`,
  }));
  const written = calls.map(({ name, args }) => JSON.stringify({ name, arguments: args }));
  const { toolCalls = "native" } = character;
  switch (toolCalls) {
    case "native":
      return {
        content: "",
        calls:
          character.withoutCallIds === true ? named.map(({ id: _id, ...call }) => call) : named,
      };
    case "prose":
      return { content: "I would add that to the list now.", calls: [] };
    case "tags":
      return {
        content: written.map((one) => `<tool_call>\n${one}\n</tool_call>`).join("\n"),
        calls: [],
      };
    case "fence":
      return { content: `I will call:\n\`\`\`json\n[${written.join(",\n")}]\n\`\`\``, calls: [] };
    case "bare":
      return { content: `[${written.join(", ")}]`, calls: [] };
    case "xml":
      return { content: calls.map(writeXmlCall).join("\n"), calls: [] };
    default:
      return toolCalls satisfies never;
  }
}

/** The form in which some local models write calls. */
function writeXmlCall({ name, args }: ScriptedCall): string {
  const parameters = Object.entries(args).map(
    ([key, value]) =>
      `<parameter=${key}>\n${typeof value === "string" ? value : JSON.stringify(value)}\n</parameter>`,
  );
  return `<tool_call>\n<function=${name}>\n${parameters.join("\n")}\n</function>\n</tool_call>`;
}

/** True where the prompt says what the answer has to look like. */
function knowsForm({ messages }: WireRequest): boolean {
  return messages.some(({ content }) => content?.includes("## Form of the Answer") === true);
}

/** Sensible keys, and not those that were asked for. */
function guess(value: JsonObject): JsonObject {
  const entries = Object.entries(value).map(([key, inner]): [string, Json] => [`my_${key}`, inner]);
  return Object.fromEntries(entries.slice(0, 3));
}

type Loosening = NonNullable<Character["loosens"]>[number];

function loosen(value: Json, how: readonly Loosening[]): Json {
  if (Array.isArray(value)) {
    const items = value.map((item: Json) => loosen(item, how));
    return how.includes("singles") && items.length === 1 ? (items[0] ?? null) : items;
  }
  if (typeof value === "number" && how.includes("numbers")) return String(value);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).flatMap(([key, inner]): [string, Json][] => {
    if (inner === null && how.includes("nulls")) return [];
    if (Array.isArray(inner) && inner.length === 0 && how.includes("lists")) return [];
    if (how.includes("defaults") && ["reasoning", "group", "clearAll"].includes(key)) return [];
    const text = typeof inner === "string" && ENUM_KEYS.has(key) && how.includes("case");
    return [[key, text ? inner.toUpperCase() : loosen(inner, how)]];
  });
  const extra: [string, Json][] = how.includes("keys") ? [["confidence", 0.9]] : [];
  return Object.fromEntries([...entries, ...extra]);
}

const ENUM_KEYS = new Set(["lane", "needs", "decision", "stepType", "action"]);

interface Wrapping {
  readonly name: string;
  readonly wraps: NonNullable<Character["wraps"]>;
}

function wrap(value: Json, { name, wraps }: Wrapping): string {
  const named = wraps.includes("name")
    ? { [name]: value }
    : wraps.includes("arguments")
      ? { name, arguments: value }
      : value;
  const text = JSON.stringify(named, null, 2);
  const fenced = wraps.includes("fence") ? `\`\`\`json\n${text}\n\`\`\`` : text;
  const spoken = wraps.includes("words")
    ? `Here is the answer:\n\n${fenced}\n\nI hope it helps.`
    : fenced;
  return wraps.includes("tags") ? `<think>One {thing}.</think>${spoken}` : spoken;
}

function sendAnswer(response: ServerResponse, formed: FormedAnswer, exchange: Exchange): void {
  const { request, character } = exchange;
  const delivery = character.delivery ?? (request.stream === true ? "streamed" : "whole");
  if (delivery === "streamed") {
    stream(response, formed, exchange);
    return;
  }
  response.writeHead(200, { "content-type": character.contentType ?? "application/json" });
  response.end(JSON.stringify(writeWhole(formed, exchange)));
}

function writeWhole(formed: FormedAnswer, { request, character }: Exchange): JsonObject {
  const tool_calls = formed.calls.map(({ id, name, text }) => ({
    ...(id === undefined ? {} : { id }),
    type: "function",
    function: { name, arguments: text },
  }));
  const { refusal } = character;
  const message: JsonObject = {
    role: "assistant",
    content: refusal === undefined ? formed.content : null,
    ...(refusal === undefined ? {} : { refusal }),
    ...(tool_calls.length === 0 ? {} : { tool_calls }),
    ...writeThought(formed, character),
  };
  return {
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 0,
    model: request.model,
    choices: [
      {
        index: 0,
        message,
        ...(formed.finish === null ? {} : { finish_reason: formed.finish }),
      },
    ],
    ...(character.withoutUsage === true ? {} : { usage: formed.usage }),
  };
}

function writeThought({ thought }: FormedAnswer, { thinks }: Character): JsonObject {
  if (thinks === undefined || thought === "") return {};
  return { [thinks.place]: thought };
}

function stream(response: ServerResponse, formed: FormedAnswer, exchange: Exchange): void {
  const { request, character } = exchange;
  response.writeHead(200, { "content-type": "text/event-stream" });
  const { fails } = character;
  const pieces = listDeltas(formed, character);
  const sent = fails !== undefined && "pieces" in fails ? pieces.slice(0, fails.pieces) : pieces;
  const head = {
    id: "chatcmpl-1",
    object: "chat.completion.chunk",
    created: 0,
    model: request.model,
  };
  const write = (choices: readonly JsonObject[], more: JsonObject = {}): void => {
    response.write(`data: ${JSON.stringify({ ...head, choices, ...more })}\n\n`);
  };
  // Routers send comments, so that the connection is not taken for dead.
  response.write(": PROCESSING\n\n");
  for (const delta of sent) write([{ index: 0, delta, finish_reason: null }]);
  if (fails?.kind === "silence") return;
  if (fails?.kind === "cut") {
    response.write(": end\n\n", () => response.destroy());
    return;
  }
  if (fails?.kind === "stream-error") {
    const error = { code: 502, message: "Provider disconnected unexpectedly" };
    write([{ index: 0, delta: { content: "" }, finish_reason: "error" }], { error });
    response.end("data: [DONE]\n\n");
    return;
  }
  if (formed.finish !== null) write([{ index: 0, delta: {}, finish_reason: formed.finish }]);
  if (character.withoutUsage !== true) write([], { usage: formed.usage });
  response.end(character.withoutDone === true ? "" : "data: [DONE]\n\n");
}

function listDeltas(formed: FormedAnswer, character: Character): readonly JsonObject[] {
  const { content, calls } = formed;
  if (character.refusal !== undefined) return [{ role: "assistant", refusal: character.refusal }];
  const texts =
    character.wholeStream === true ? [content] : (content.match(/.{1,12}/gsu) ?? [content]);
  const thought = writeThought(formed, character);
  return [
    { role: "assistant", content: "" },
    ...(Object.keys(thought).length === 0 ? [] : [thought]),
    ...texts.map((text) => ({ content: text })),
    ...calls.map(({ id, name, text }, index) => ({
      tool_calls: [
        {
          index,
          ...(id === undefined ? {} : { id }),
          type: "function",
          function: { name, arguments: text },
        },
      ],
    })),
  ];
}
