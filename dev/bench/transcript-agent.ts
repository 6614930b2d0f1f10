import { Toolbox } from "../../domain/toolbox.ts";
import { toolSchema } from "../../domain/tool-schema.ts";
import { mealsDomain } from "../../meals/index.ts";
import type { PromptMessage } from "../../state/model.ts";
import type { RecordedTurn } from "./long-recording.ts";
import { writeOutput, writePrompt, type PaidCall } from "./token-cost.ts";

/** Sections of this project's prompts that describe the domain and the person. */
const SECTIONS = ["Rules of the house", "Subdomains", "Profile", "Calendar"] as const;

/**
 * Returns the calls that an agent with one growing list of messages would make for the same
 * conversation: the same tool calls with the same results, all of a turn at once, and the same
 * replies. Its prompt describes domain and person word for word as this
 * project's, and it is offered the same tools.
 */
export function replayAsTranscript(
  turns: readonly RecordedTurn[],
): readonly (readonly PaidCall[])[] {
  const schemas = new Toolbox(mealsDomain).tools.map(toolSchema);
  const own = new Set(schemas.map(({ name }) => name));
  const messages: PromptMessage[] = [{ role: "system", text: writeSystemPrompt(turns) }];
  const call = (output: string): PaidCall => ({
    asker: "agent",
    prompt: writePrompt({ messages, schema: null, tools: schemas }),
    output,
  });
  return turns.map(({ message, reply, toolCalls }) => {
    const paid: PaidCall[] = [];
    messages.push({ role: "user", text: message });
    const results = toolCalls.filter(({ tool }) => own.has(tool));
    if (results.length > 0) {
      const asked = results.map(({ callId, tool, args }) => ({
        id: callId,
        name: tool,
        args,
        argsError: null,
      }));
      paid.push(call(writeOutput("", asked)));
      messages.push({ role: "assistant", text: "", toolCalls: asked });
      for (const { callId, tool, text } of results) {
        messages.push({ role: "tool", callId, name: tool, text });
      }
    }
    paid.push(call(reply));
    messages.push({ role: "assistant", text: reply, toolCalls: [] });
    return paid;
  });
}

function writeSystemPrompt(turns: readonly RecordedTurn[]): string {
  const texts = turns
    .flatMap(({ calls }) => calls)
    .flatMap(({ request }) => request.messages)
    .filter(({ role }) => role !== "assistant")
    .map(({ text }) => text);
  const sections = SECTIONS.map((heading) => {
    const found = texts.map((text) => findSection(text, heading)).find((text) => text !== null);
    if (found !== undefined && found !== null) return found;
    throw new Error(`Cannot describe "${heading}" to an agent: no prompt of the conversation does`);
  });
  return [
    `You are ${mealsDomain.persona}. Use the tools; name rows by their refs.`,
    ...sections,
  ].join("\n\n");
}

/** Finds a section with its heading, up to the next heading or delimiter. */
function findSection(text: string, heading: string): string | null {
  const start = `\n${text}`.indexOf(`\n## ${heading}\n\n`);
  if (start === -1) return null;
  const rest = text.slice(start);
  const end = rest.slice(3).search(/\n\n(?=## |<)/u);
  return end === -1 ? rest : rest.slice(0, end + 3);
}
