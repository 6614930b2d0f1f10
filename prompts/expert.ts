import type { EnvelopePart } from "../state/envelope.ts";
import { neutralise, oneLine } from "../text/fence.ts";
import { HEADINGS } from "./headings.ts";
import { instancePart, section, stablePart } from "./part.ts";
import { renderSystemText } from "./system-text.ts";

export interface ExpertPromptInput {
  /** The question to the experts: the person's message or a concierge's batch prompt. */
  readonly prompt: string;
  /** The view to take, in a sentence or two; null for none. */
  readonly lens: string | null;
  /** The persona it advises, such as "a meal-planning assistant for a household". */
  readonly persona?: string;
  /** Id of the batch, for the source. */
  readonly batch?: string;
}

const RULES = [
  "Be concrete: what to do, in which order, with numbers, names and conditions. Decide where you can.",
  "Take your own view and give the reason that carries it. A middle way only where you hold it to be right.",
  "Where it depends, say on what, and what follows in each case. Where you do not know, say so.",
  "If you are given a role, take it and keep your view in it.",
  "Plain text in the language of the request, at most 350 words. No preamble, no questions back.",
  "Speak for yourself alone: no word of other advisers or of how this is used.",
] as const;

/**
 * Asks one expert. The system part is the same bytes in every batch, so an expert's thread goes on
 * with the user part alone. Pinned by `test/golden/expert.*.md`.
 */
export function buildExpertPrompt(input: ExpertPromptInput): EnvelopePart[] {
  const { prompt, lens, persona, batch } = input;
  const whom = persona === undefined || persona === "" ? "" : ` to ${oneLine(persona)}`;
  return [
    stablePart(
      "rules",
      "prompt:expert",
      // The request is what the person or a concierge asks of it, and no data.
      renderSystemText({
        duty: `You are an expert adviser${whom}. You are asked for your own judgement of one matter.`,
        rules: RULES,
        dataRule: null,
      }),
    ),
    stablePart("lens", "config:lens", section(HEADINGS.expertView, oneLine(lens ?? ""))),
    instancePart("request", `batch:${batch ?? "request"}`, neutralise(prompt)),
  ];
}
