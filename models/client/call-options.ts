import { isJsonObject, JsonObjectSchema, type Json, type JsonObject } from "../../state/json.ts";
import type { ModelRequest, ModelRole, NamedSchema, PromptMessage } from "../../state/model.ts";
import { chooseEffort, type ReasoningLevel } from "../profile/known-models.ts";
import type { ModelProfile } from "../profile/profile.ts";
import { renderSchemaType } from "../schema/render-schema-type.ts";

/** A tool as Chat Completions takes it. */
interface WireTool {
  readonly type: "function";
  readonly function: {
    readonly name: string;
    readonly description: string;
    readonly strict?: true;
    readonly parameters: JsonObject;
  };
}

/** Body fields that LangChain's client does not write, or writes otherwise. */
export interface BodyFields {
  readonly outputTokens: number;
  readonly outputField: ModelProfile["outputField"];
  /** False where a stream must not be asked for its usage. */
  readonly streamUsage: boolean;
  readonly extra: JsonObject;
}

/** The call options of a request: what `_generate` and `_streamResponseChunks` of any chat model see. */
export interface ChatCallOptions {
  readonly tags: string[];
  readonly signal: AbortSignal;
  readonly max_completion_tokens: number;
  readonly bodyFields: BodyFields;
  readonly response_format?:
    | {
        readonly type: "json_schema";
        readonly json_schema: {
          readonly name: string;
          readonly description: string;
          readonly strict?: true;
          readonly schema: JsonObject;
        };
      }
    | { readonly type: "json_object" };
  readonly tools?: WireTool[];
  /** Said twice: the Responses API of LangChain looks here and not at the tools. */
  readonly strict?: boolean;
  readonly parallel_tool_calls?: boolean;
  readonly tool_choice?:
    | "required"
    | { readonly type: "function"; readonly function: { readonly name: string } };
}

/** The form of a call. */
export interface CallForm {
  readonly profile: ModelProfile;
  /** The level that a person set; null for the role's own. */
  readonly reasoning: ReasoningLevel | null;
  /** Output tokens, room for thinking included. */
  readonly outputTokens: number;
  readonly signal: AbortSignal;
}

/** The form of the answer that a request wants: where tools are listed, a structured one. */
export function chooseSchema(request: ModelRequest, profile: ModelProfile): NamedSchema | null {
  if (request.schema !== null || request.tools.length === 0) return request.schema;
  return profile.tools === "union" ? listCalls(request.tools) : null;
}

/** The name of the answer that lists calls. */
export const CALL_LIST = "calls";

/** The schema of an answer that lists calls, for endpoints that know no tools or call none. */
function listCalls(tools: readonly NamedSchema[]): NamedSchema {
  const nested = tools.map(nestTool);
  const definitions = nested.flatMap((each) => each.definitions);
  return {
    name: CALL_LIST,
    description: "The calls to make now, at least one.",
    schema: {
      type: "object",
      properties: { calls: { type: "array", items: { anyOf: nested.map(({ call }) => call) } } },
      required: ["calls"],
      additionalProperties: false,
      ...(definitions.length === 0 ? {} : { $defs: Object.fromEntries(definitions) }),
    },
  };
}

/** The schema of a tool's call, and the definitions that it refers to, which stand at the root. */
function nestTool({ name, description, schema }: NamedSchema) {
  const { $defs: definitions, ...plain } = moveReferences(schema, name);
  const own = Object.entries(isJsonObject(definitions) ? definitions : {});
  const isWhole = JSON.stringify(schema).includes('"$ref":"#"');
  const call: JsonObject = {
    type: "object",
    description,
    properties: {
      tool: { type: "string", enum: [name] },
      arguments: isWhole ? { $ref: `#/$defs/${name}` } : plain,
    },
    required: ["tool", "arguments"],
    additionalProperties: false,
  };
  const named = own.map(([key, definition]) => [`${name}_${key}`, definition] as const);
  return { call, definitions: isWhole ? [...named, [name, plain] as const] : named };
}

/** Points the references of a tool's schema to where its definitions stand in that of a list of calls. */
function moveReferences(schema: JsonObject, tool: string): JsonObject {
  return JsonObjectSchema.parse(
    JSON.parse(JSON.stringify(schema), (key, value: unknown) => {
      if (key !== "$ref" || typeof value !== "string") return value;
      return value === "#" ? `#/$defs/${tool}` : value.replace("#/$defs/", `#/$defs/${tool}_`);
    }),
  );
}

/** The options of a call: bounds always, schema or tools as the profile bears them. */
export function buildCallOptions(request: ModelRequest, form: CallForm): ChatCallOptions {
  const { profile, signal, outputTokens } = form;
  const base = {
    // Hides the tokens from LangGraph's `messages` stream: texts go out through the gate.
    tags: ["nostream"],
    signal,
    max_completion_tokens: outputTokens,
    bodyFields: {
      outputTokens,
      outputField: profile.outputField,
      streamUsage: profile.streamUsage,
      extra: writeReasoning(request.role, form),
    },
  };
  const schema = chooseSchema(request, profile);
  if (schema !== null) return { ...base, ...writeSchema(schema, profile) };
  if (request.tools.length === 0) return base;
  return {
    ...base,
    tools: request.tools.map((tool) => toWireTool(tool, profile)),
    ...(profile.strict ? { strict: true } : {}),
    // A small model loses count of several calls at once.
    ...(profile.tier === "small" && profile.parallelTools ? { parallel_tool_calls: false } : {}),
    ...(request.toolChoice === "required" && profile.tools === "required"
      ? { tool_choice: "required" }
      : {}),
  };
}

/** True for a request whose answer is to come as a stream. */
export function isStreamed({ onText }: ModelRequest, { delivery }: ModelProfile): boolean {
  return delivery === "streamed" || (delivery === "either" && onText !== null);
}

function writeSchema(named: NamedSchema, profile: ModelProfile): Partial<ChatCallOptions> {
  const { name, description, schema } = named;
  const strict = profile.strict ? { strict: true as const } : {};
  switch (profile.structured) {
    case "json_schema":
      return {
        response_format: {
          type: "json_schema",
          json_schema: { name, description, ...strict, schema },
        },
        ...(profile.strict ? {} : { strict: false }),
      };
    case "tool":
      return {
        tools: [toWireTool(named, profile)],
        ...strict,
        tool_choice: { type: "function", function: { name } },
      };
    case "json_object":
      return { response_format: { type: "json_object" } };
    case "text":
      return {};
    default:
      return profile.structured satisfies never;
  }
}

function toWireTool(
  { name, description, schema }: NamedSchema,
  { strict }: Pick<ModelProfile, "strict">,
): WireTool {
  const given = { name, description, parameters: schema };
  return { type: "function", function: strict ? { ...given, strict: true } : given };
}

/** The level of each role where nothing is set (models.md §1, "Thinking"). */
const ROLE_LEVELS: Readonly<Record<ModelRole, ReasoningLevel>> = {
  understand: "off",
  act: "off",
  reply: "off",
  summarize: "off",
  think: "low",
  mapper: "low",
  concierge: "medium",
  expert: "medium",
};

function writeReasoning(role: ModelRole, { profile, reasoning }: CallForm): JsonObject {
  const level = reasoning ?? ROLE_LEVELS[role];
  switch (profile.reasoningControl) {
    case "none":
      return {};
    case "effort":
      return { reasoning_effort: chooseEffort(level, profile.model) };
    case "think":
      return { think: level !== "off" };
    case "template":
      return { chat_template_kwargs: { enable_thinking: level !== "off" } satisfies Json };
    default:
      return profile.reasoningControl satisfies never;
  }
}

/** The prompt of a call, in the roles that the endpoint knows. */
export function buildCallPrompt(
  request: ModelRequest,
  profile: ModelProfile,
): readonly PromptMessage[] {
  const messages = writeSchemaPrompt(request, profile);
  return profile.systemRole ? messages : writeWithoutSystem(messages);
}

/** Puts the schema into the prompt as a type, after the constant part, where the endpoint is sent none. */
function writeSchemaPrompt(request: ModelRequest, profile: ModelProfile): readonly PromptMessage[] {
  const messages =
    profile.tools === "union" ? request.messages.map(writeWithoutTools) : request.messages;
  const schema = chooseSchema(request, profile);
  const inPrompt = profile.structured === "json_object" || profile.structured === "text";
  if (schema === null || !inPrompt) return messages;
  const instruction = [
    "## Form of the Answer",
    "",
    "Answer with one JSON object and nothing else: no text before or after it, no Markdown. Every key is required. Its type:",
    "",
    renderSchemaType(schema.schema),
  ].join("\n");
  const [first, ...rest] = messages;
  if (first?.role !== "system") return [{ role: "system", text: instruction }, ...messages];
  return [{ role: "system", text: `${first.text}\n\n${instruction}` }, ...rest];
}

/** An endpoint that knows no tools refuses a history with calls: they are told in words. */
function writeWithoutTools(message: PromptMessage): PromptMessage {
  if (message.role === "tool") {
    return {
      role: "user",
      text: `Result of ${message.name} (${message.callId}):\n${message.text}`,
    };
  }
  if (message.role !== "assistant" || message.toolCalls.length === 0) return message;
  const calls = message.toolCalls.map(({ name, args }) => ({ tool: name, arguments: args }));
  const text = [message.text, JSON.stringify({ [CALL_LIST]: calls })];
  return {
    role: "assistant",
    text: text.filter((part) => part !== "").join("\n"),
    toolCalls: [],
  };
}

/** Templates that know no system role want user and assistant to take turns, too. */
function writeWithoutSystem(messages: readonly PromptMessage[]): readonly PromptMessage[] {
  const written: PromptMessage[] = [];
  for (const message of messages) {
    const isUsers = message.role === "system" || message.role === "user";
    const last = written.at(-1);
    if (isUsers && last?.role === "user") {
      written[written.length - 1] = { role: "user", text: `${last.text}\n\n${message.text}` };
    } else {
      written.push(isUsers ? { role: "user", text: message.text } : message);
    }
  }
  return written;
}
