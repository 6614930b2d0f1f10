import type { RecordedTurn } from "../conversation/record-conversation.ts";

/** Sections of this project's prompts that tell of the domain and the person. */
const SECTIONS = ["Rules of the house", "Subdomains", "Tables", "Profile", "Calendar"] as const;

/**
 * What one agent has to be told to do the same work: who it is, the rules of the house, how the
 * parts of the domain are worked on, the tables, the person's profile, the days. Word for word what
 * this project's own nodes are told of these, each section once, and none of how its nodes work
 * together.
 */
export function agentSystemPrompt(persona: string, turns: readonly RecordedTurn[]): string {
  const texts = turns.flatMap(({ calls }) =>
    calls.flatMap(({ request }) =>
      request.messages.flatMap((message) => (message.role === "assistant" ? [] : [message.text])),
    ),
  );
  const sections = SECTIONS.map((heading) => {
    const found = texts.map((text) => sectionOf(text, heading)).find((text) => text !== null);
    if (found === undefined || found === null) {
      throw new Error(`Cannot tell an agent "${heading}": no prompt of the conversation has it`);
    }
    return found;
  });
  return [
    `You are ${persona}. Use the tools to see and change the data; rows are named by their refs. Answer in the language of the message, short and concrete.`,
    ...sections,
  ].join("\n\n");
}

/** A section with its heading, up to the next heading or fence; null where a prompt has none. */
function sectionOf(text: string, heading: string): string | null {
  const start = text.indexOf(`## ${heading}\n\n`);
  if (start === -1 || (start > 0 && text[start - 1] !== "\n")) return null;
  const rest = text.slice(start);
  const end = rest.slice(3).search(/\n\n(?=## |<)/u);
  return end === -1 ? rest : rest.slice(0, end + 3);
}
