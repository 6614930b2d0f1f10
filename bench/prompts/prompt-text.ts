import { countTokens } from "../../models/tokens.ts";
import type { ModelRequest, PromptMessage } from "../../state/model.ts";

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
export function promptTokens(prompt: PromptText): number {
  return [prompt.schemas, ...prompt.messages].reduce((sum, text) => sum + countTokens(text), 0);
}

/** The longest beginning that two texts share, in characters. */
export function sharedCharacters(one: string, other: string): number {
  const most = Math.min(one.length, other.length);
  let length = 0;
  while (length < most && one[length] === other[length]) length += 1;
  return length;
}

function messageText(message: PromptMessage): string {
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
