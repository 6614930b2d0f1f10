import type { JsonObject } from "../state/json.ts";
import type { ModelRequest, NamedSchema, PromptMessage } from "../state/model.ts";
import type { StructuredOutput } from "./config.ts";

/** A way of asking for a structured answer. */
export type Mode = Exclude<StructuredOutput, "auto">;

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

interface CallSettings {
  readonly mode: Mode;
  readonly signal: AbortSignal;
}

/** The options of a call: bounds always, schema or tools as the mode has them. */
export function buildCallOptions(
  request: ModelRequest,
  { mode, signal }: CallSettings,
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

/** The prompt of a call: in plain JSON mode the schema stands in it, after its constant part. */
export function buildCallPrompt(request: ModelRequest, mode: Mode): readonly PromptMessage[] {
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
