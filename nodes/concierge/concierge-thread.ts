import type { PromptMessage } from "../../state/model.ts";
import type { ThreadMessage } from "../../state/phase.ts";

/** A message of a thread as a model is sent it. */
export function asPromptMessage({ role, text }: ThreadMessage): PromptMessage {
  return role === "assistant" ? { role, text, toolCalls: [] } : { role, text };
}

/** The person's own words in a message to an instance, without the wrapper around them. */
export function extractPersonWords(text: string): string {
  const messages = [...text.matchAll(/<message>\n([\s\S]*?)\n<\/message>/g)].map(
    ([, said]) => said ?? "",
  );
  return messages.length === 0 ? text : messages.join("\n\n");
}
