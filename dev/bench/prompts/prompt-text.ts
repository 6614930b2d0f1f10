import { countTokens } from "../../../models/tokens.ts";
import type { ModelRequest, PromptMessage } from "../../../state/model.ts";

/** A prompt as an endpoint reads it: schema and tools stand before the messages. */
export interface PromptText {
  /** Answer schema and tools as JSON; empty where there are none. */
  readonly schemas: string;
  /** One text a message, its role and tool calls included. */
  readonly messages: readonly string[];
}

/** Writes a request down in the order in which endpoints read it. */
export function promptTextOf(
  request: Pick<ModelRequest, "messages" | "schema" | "tools">,
): PromptText {
  const schemas = [...request.tools, ...(request.schema === null ? [] : [request.schema])];
  return {
    schemas: schemas.length === 0 ? "" : JSON.stringify(schemas),
    messages: request.messages.map(messageText),
  };
}

/** All of a prompt as one text. */
export function wholeText({ schemas, messages }: PromptText): string {
  return [schemas, ...messages].join("\n");
}

/** Tokens of a whole prompt, schemas and tools counted. */
export function promptTokens({ schemas, messages }: PromptText): number {
  return [schemas, ...messages].reduce((sum, text) => sum + countOnce(text), 0);
}

/** Tokens of the longest beginning that two prompts share. */
export function sharedTokens(one: PromptText, other: PromptText): number {
  const others = [other.schemas, ...other.messages];
  let tokens = 0;
  for (const [index, text] of [one.schemas, ...one.messages].entries()) {
    const beside = others[index] ?? "";
    if (text !== beside) {
      return tokens + countTokens(text.slice(0, sharedCharacters(text, beside)));
    }
    tokens += countOnce(text);
  }
  return tokens;
}

/** The longest beginning that two texts share, in characters. */
export function sharedCharacters(one: string, other: string): number {
  const most = Math.min(one.length, other.length);
  let length = 0;
  while (length < most && one[length] === other[length]) length += 1;
  return length;
}

/** A transcript of 200 turns is counted anew with every call: without this for minutes. */
const counted = new Map<string, number>();

/** Tokens of a text that is part of many prompts. */
export function countOnce(text: string): number {
  const known = counted.get(text);
  if (known !== undefined) return known;
  const tokens = countTokens(text);
  counted.set(text, tokens);
  return tokens;
}

/** A message as one text, its role and tool calls included. */
export function messageText(message: PromptMessage): string {
  switch (message.role) {
    case "system":
    case "user":
      return `${message.role}: ${message.text}`;
    case "assistant": {
      const calls = message.toolCalls.map(
        ({ id, name, args }) => `${id} ${name}(${JSON.stringify(args)})`,
      );
      return [`assistant: ${message.text}`, ...calls].join("\n");
    }
    case "tool":
      return `tool ${message.callId} ${message.name}: ${message.text}`;
    default:
      return message satisfies never;
  }
}
