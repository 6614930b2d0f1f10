import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { z } from "zod";
import { countTokens } from "../../models/tokens.ts";
import { JsonObjectSchema, type Json, type JsonObject } from "../../state/json.ts";
import { serveHttp } from "./http-server.ts";
import { thinkAnswer, understandAnswer } from "./turn-state.ts";

/** Differences of an endpoint from one that can do everything. */
export interface EndpointCharacter {
  /** Answers in free words where a JSON schema is sent. */
  readonly ignoresSchema?: boolean;
  /** Answers in words where tools are offered. */
  readonly ignoresTools?: boolean;
  /** Refuses tools with status 400. */
  readonly refusesTools?: boolean;
  /** Thinks between tags unless a template switches it off; refuses `reasoning_effort`. */
  readonly thinks?: boolean;
  /** Tokens of a prompt; of a longer one the beginning is left out without a word. */
  readonly window?: number;
  /** Refuses a longer prompt with these words. */
  readonly refusesAbove?: { readonly tokens: number; readonly words: string };
  /** Has no place for any further call after so many. */
  readonly limitAfter?: number;
  /** The one key that it takes. */
  readonly key?: string;
  /** The models that it lists and knows; every model where left out. */
  readonly models?: readonly string[];
  /** Version of Ollama that it claims to be. */
  readonly ollama?: string;
  /** Number of answers, after which it answers no more. */
  readonly answers?: number;
  /** Understand's answers; a usual one where left out. */
  readonly understand?: Json;
  /** Counts the tokens of a prompt that it was sent before as cached. */
  readonly caches?: boolean;
  /** Refuses requests with these. */
  readonly lacks?: readonly ("stream" | "stream_options" | "system")[];
  /** The form of every answer, whatever was requested. */
  readonly delivers?: "whole" | "streamed";
  /** Breaks every stream off after its first piece. */
  readonly breaksStreams?: boolean;
}

const RequestSchema = z.looseObject({
  model: z.string(),
  messages: z.array(z.looseObject({ role: z.string(), content: z.string().nullable() })),
  stream: z.boolean().optional(),
  tools: z.array(z.looseObject({})).optional(),
  tool_choice: z.unknown().optional(),
  response_format: z
    .looseObject({ type: z.string(), json_schema: z.looseObject({ name: z.string() }).optional() })
    .optional(),
  reasoning_effort: z.string().optional(),
  chat_template_kwargs: z.looseObject({ enable_thinking: z.boolean() }).optional(),
});
type WireRequest = z.infer<typeof RequestSchema>;

/** An endpoint of loopback that plays a character until the test has ended. */
export interface ProbedEndpoint {
  readonly baseUrl: string;
  /** The bodies of all requests for an answer, in order. */
  readonly requests: readonly WireRequest[];
  /** Gives it another character from the next request on. */
  change(character: EndpointCharacter): void;
}

/** Starts an endpoint that can answer what a probe asks. */
export async function startProbedEndpoint(first: EndpointCharacter = {}): Promise<ProbedEndpoint> {
  let character = first;
  const requests: WireRequest[] = [];
  const known = new Set<string>();
  const port = await serveHttp((request, response) => {
    void respond(request, response).catch((error: unknown) => {
      response.writeHead(500).end(String(error));
    });
  });

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refusal = refuseKey(request, character);
    if (request.url === "/api/version" && character.ollama !== undefined) {
      return sendJson(response, 200, { version: character.ollama });
    }
    if (refusal !== null) return sendJson(response, 401, refusal);
    if (request.url === "/v1/models") {
      const data = (character.models ?? ["gpt-test"]).map((id) => ({ id, object: "model" }));
      return sendJson(response, 200, { object: "list", data });
    }
    if (request.url !== "/v1/chat/completions") return sendJson(response, 404, {});
    const body = RequestSchema.parse(JSON.parse(await text(request)));
    requests.push(body);
    // One that answers no more keeps its connection open.
    if (requests.length > (character.answers ?? Number.POSITIVE_INFINITY)) return undefined;
    const bad = refuseRequest(body, character);
    if (bad !== null) return sendJson(response, bad.status, { error: bad.error });
    if (requests.length > (character.limitAfter ?? Number.POSITIVE_INFINITY)) {
      response.setHeader("retry-after", "3600");
      return sendJson(response, 429, { error: { message: "Too many requests" } });
    }
    return sendAnswer(response, { body, character, known });
  }

  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    requests,
    change(next) {
      character = next;
    },
  };
}

function refuseKey(request: IncomingMessage, { key }: EndpointCharacter): JsonObject | null {
  if (key === undefined || request.headers.authorization === `Bearer ${key}`) return null;
  return { error: { message: "Incorrect API key provided.", code: "invalid_api_key" } };
}

function refuseRequest(body: WireRequest, character: EndpointCharacter) {
  const { models, refusesTools, thinks, lacks = [] } = character;
  if (models !== undefined && !models.includes(body.model)) {
    const message = `The model ${body.model} does not exist`;
    return { status: 404, error: { message, code: "model_not_found" } };
  }
  const lacking = lacks.find((part) =>
    part === "system"
      ? body.messages.some(({ role }) => role === "system")
      : Object.hasOwn(body, part),
  );
  if (lacking === "system") return { status: 400, error: { message: "System role not supported" } };
  if (lacking !== undefined) {
    const message = `Unrecognized request argument supplied: ${lacking}`;
    return { status: 400, error: { message, param: lacking } };
  }
  if (refusesTools === true && body.tools !== undefined) {
    return { status: 400, error: { message: "this model does not support tools" } };
  }
  const { tokens = Number.POSITIVE_INFINITY, words = "" } = character.refusesAbove ?? {};
  const sent = body.messages.map(({ content }) => content ?? "").join("\n");
  if (countTokens(sent) > tokens) return { status: 400, error: { message: words } };
  if (body.reasoning_effort !== undefined) {
    const message = "Unrecognized request argument supplied: reasoning_effort";
    return { status: 400, error: { message, thinks: thinks ?? false } };
  }
  return null;
}

interface Answering {
  readonly body: WireRequest;
  readonly character: EndpointCharacter;
  readonly known: Set<string>;
}

interface WireAnswer {
  readonly content: string;
  readonly calls?: readonly (readonly [name: string, args: Json])[];
}

function sendAnswer(response: ServerResponse, { body, character, known }: Answering): void {
  const prompt = body.messages.map(({ content }) => content ?? "").join("\n");
  const sent = countTokens(prompt);
  const window = character.window ?? Number.POSITIVE_INFINITY;
  const read = sent <= window ? prompt : prompt.slice(-3 * window);
  const answer = chooseAnswer({ ...body, read }, character);
  const thought = isThinking(body, character) ? "<think>\nLet me see.\n</think>\n" : "";
  const content = thought + answer.content;
  const cached = character.caches === true && known.has(prompt) ? sent : 0;
  known.add(prompt);
  const usage = {
    prompt_tokens: Math.min(sent, window),
    completion_tokens: countTokens(content) + 10 * (answer.calls?.length ?? 0),
    total_tokens: 0,
    prompt_tokens_details: { cached_tokens: cached },
  };
  const calls = answer.calls?.map(([name, args], index) => ({
    index,
    id: `call_${index}`,
    type: "function",
    function: { name, arguments: JSON.stringify(args) },
  }));
  if ((character.delivers ?? (body.stream === true ? "streamed" : "whole")) === "whole") {
    const message = { role: "assistant", content, ...(calls ? { tool_calls: calls } : {}) };
    const choices = [{ index: 0, message, finish_reason: calls ? "tool_calls" : "stop" }];
    return sendJson(response, 200, { id: "1", object: "chat.completion", choices, usage });
  }
  response.writeHead(200, { "content-type": "text/event-stream" });
  const send = (part: JsonObject): void => {
    response.write(
      `data: ${JSON.stringify({ id: "1", object: "chat.completion.chunk", ...part })}\n\n`,
    );
  };
  for (const piece of content.match(/.{1,40}/gsu) ?? []) {
    send({ choices: [{ index: 0, delta: { role: "assistant", content: piece } }] });
    if (character.breaksStreams === true) {
      response.end();
      return undefined;
    }
  }
  if (calls !== undefined) send({ choices: [{ index: 0, delta: { tool_calls: calls } }] });
  send({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }], usage });
  response.end("data: [DONE]\n\n");
  return undefined;
}

function isThinking({ chat_template_kwargs: kwargs }: WireRequest, { thinks }: EndpointCharacter) {
  return thinks === true && kwargs?.enable_thinking !== false;
}

const DISH = {
  name: "Tomato soup",
  minutes: 20,
  serving: { temperature: "hot", note: null },
  ingredients: [
    { name: "tomatoes", grams: 400 },
    { name: "salt", grams: null },
  ],
};

function chooseAnswer(
  body: WireRequest & { readonly read: string },
  character: EndpointCharacter,
): WireAnswer {
  const { read, tools, response_format: format } = body;
  const isStructured =
    format?.type === "json_object" ||
    read.includes("## Form of the Answer") ||
    (format?.type === "json_schema" && character.ignoresSchema !== true);
  const [forced] = z
    .array(z.object({ function: z.object({ name: z.string() }) }))
    .parse(tools ?? [])
    .map((tool) => tool.function.name);
  const structured =
    format?.json_schema?.name === "calls" ? CALLS : chooseStructured(read, character);
  if (structured !== null && tools !== undefined && forced !== undefined) {
    // A character that ignores schemas ignores those of tools.
    return character.ignoresSchema === true || character.ignoresTools === true
      ? { content: "Certainly!" }
      : { content: "", calls: [[forced, structured]] };
  }
  if (structured !== null) {
    return { content: isStructured ? JSON.stringify(structured) : "Certainly! Here it is." };
  }
  if (tools !== undefined && character.ignoresTools !== true) {
    const items = read.includes("eggs") ? ["milk", "eggs"] : ["milk"];
    return { content: "", calls: items.map((item) => ["read_stock", { item }]) };
  }
  if (tools !== undefined) return { content: "There is milk, I believe." };
  const word = /word to remember is "(\w+)"/.exec(read)?.[1];
  if (read.includes("Which word")) return { content: word ?? "I cannot remember one." };
  if (read.includes("forty")) {
    return { content: Array.from({ length: 40 }, (_, index) => `number ${index}`).join(", ") };
  }
  return { content: "75" };
}

const CALLS = { calls: [{ tool: "read_stock", arguments: { item: "milk" } }] };

/** The answer to a prompt that asks for a form; null for one that does not. */
function chooseStructured(read: string, { understand }: EndpointCharacter): Json {
  if (read.includes("Describe the dish")) return DISH;
  if (read.includes("You read the newest message")) return understand ?? plain(understandAnswer());
  if (read.includes("You plan the work")) return plain(thinkAnswer());
  if (read.includes("Call the tool") && read.includes("## Form of the Answer")) {
    return CALLS;
  }
  return null;
}

function plain(value: unknown): Json {
  return JsonObjectSchema.parse(JSON.parse(JSON.stringify(value)));
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
