import { AIMessage, HumanMessage, SystemMessage } from "@langchain/core/messages";
import { createRehearsalModel } from "../../models/rehearsal/index.ts";
import { countTokens } from "../../models/tokens.ts";
import { buildExpertPrompt } from "../../prompts/expert.ts";
import { DEFAULT_LENSES } from "../../prompts/lenses.ts";
import { buildMapperPrompt } from "../../prompts/mapper.ts";
import { orderParts, renderParts } from "../../prompts/part.ts";
import { type ClaimMap, ClaimMapSchema } from "../../state/claims.ts";
import type { EnvelopePart } from "../../state/envelope.ts";
import type { ThreadMessage } from "../../state/phase.ts";
import type { StructuralAnalysis } from "../../state/analysis.ts";
import { computeStructuralAnalysis } from "../../structure/analysis.ts";

const model = createRehearsalModel();

/** What the rehearsal model says to messages. */
export async function answerTo(messages: readonly ThreadMessage[]): Promise<string> {
  const answer = await model.invoke(
    messages.map(({ role, text }) => {
      if (role === "system") return new SystemMessage(text);
      return role === "user" ? new HumanMessage(text) : new AIMessage(text);
    }),
  );
  return answer.text;
}

/** The messages of one prompt. */
export function messagesOf(parts: readonly EnvelopePart[]): ThreadMessage[] {
  return renderParts(orderParts(parts)).flatMap(({ role, text }) =>
    role === "system" || role === "user" ? [{ role, text }] : [],
  );
}

/** The answers of the four experts that are asked by default. */
export async function opinionsOf(prompt: string): Promise<string[]> {
  const answers: string[] = [];
  for (const { lens } of DEFAULT_LENSES) {
    answers.push(await answerTo(messagesOf(buildExpertPrompt({ prompt, lens }))));
  }
  return answers;
}

/** The map of some answers. */
export async function mapOf(prompt: string, answers: readonly string[]): Promise<ClaimMap> {
  const text = await answerTo(messagesOf(buildMapperPrompt({ prompt, answers })));
  return ClaimMapSchema.parse(JSON.parse(text));
}

/** Asks the experts, maps their answers and analyses the map. */
export async function batchOf(prompt: string): Promise<StructuralAnalysis> {
  const answers = await opinionsOf(prompt);
  const map = await mapOf(prompt, answers);
  return computeStructuralAnalysis({ ...map, experts: answers.length });
}

/** One instance of a concierge with its thread. */
export interface Performance {
  readonly say: (parts: readonly EnvelopePart[]) => Promise<string>;
}

/** Begins an instance: each prompt goes on in the same thread. */
export function perform(): Performance {
  const thread: ThreadMessage[] = [];
  return {
    async say(parts) {
      thread.push(...messagesOf(parts));
      const text = await answerTo(thread);
      thread.push({ role: "assistant", text });
      return text;
    },
  };
}

/** What briefs are built with. */
export const BRIEFING = { countTokens };
