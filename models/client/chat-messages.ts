import {
  AIMessage,
  HumanMessage,
  SystemMessage,
  ToolMessage,
  type BaseMessage,
} from "@langchain/core/messages";
import type { PromptMessage, ToolCall } from "../../state/model.ts";

/** Turns a prompt into LangChain's messages, one for one. */
export function toChatMessages(messages: readonly PromptMessage[]): BaseMessage[] {
  return messages.map(toChatMessage);
}

function toChatMessage(message: PromptMessage): BaseMessage {
  switch (message.role) {
    case "system":
      return new SystemMessage(message.text);
    case "user":
      return new HumanMessage(message.text);
    case "assistant":
      return new AIMessage({
        content: message.text,
        tool_calls: message.toolCalls.map((call) => ({
          type: "tool_call",
          id: call.id,
          name: call.name,
          args: readCallArguments(call),
        })),
      });
    case "tool":
      return new ToolMessage({
        tool_call_id: message.callId,
        name: message.name,
        content: message.text,
      });
    default:
      return message satisfies never;
  }
}

/** Arguments that were no object go back as an empty one: endpoints refuse a history with others. */
function readCallArguments(call: ToolCall): Record<string, unknown> {
  const { args } = call;
  return typeof args === "object" && args !== null && !Array.isArray(args) ? { ...args } : {};
}
