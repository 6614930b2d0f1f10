import type { PromptMessage } from "../../state/model.ts";

/** A message of a prompt as golden files hold it: who speaks, then what, tool calls as JSON. */
export function messageText(message: PromptMessage): string {
  switch (message.role) {
    case "system":
    case "user":
      return `# ${message.role}\n\n${message.text}\n`;
    case "assistant": {
      const calls = message.toolCalls.map(({ name, args }) => `${name} ${JSON.stringify(args)}`);
      return `# assistant\n\n${[message.text, ...calls].filter((text) => text !== "").join("\n")}\n`;
    }
    case "tool":
      return `# tool ${message.name}\n\n${message.text}\n`;
    default:
      return message satisfies never;
  }
}
