import type { EnvelopePart } from "../state/envelope.ts";
import type { ExpertQuestion } from "../state/expert-question.ts";
import { oneLine } from "../text/fence.ts";
import { buildQuestionParts } from "./expert-question.ts";
import { HEADINGS } from "./headings.ts";
import { section, stablePart } from "./part.ts";
import { renderDataRule, renderSystemText } from "./system-text.ts";

export interface ExpertPromptInput {
  readonly question: ExpertQuestion;
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
  "What holds for the person is never broken, whatever else is asked.",
  "Plain text in the language of the question, at most 350 words. No preamble, no questions back.",
  "Speak for yourself alone: no word of other advisers or of how this is used.",
] as const;

/**
 * Asks one expert. The system part is the same bytes in every batch, so an expert's thread goes on
 * with the user part alone. Pinned by `test/golden/expert.*.md`.
 */
export function buildExpertPrompt(input: ExpertPromptInput): EnvelopePart[] {
  const { question, lens, persona, batch } = input;
  const whom = persona === undefined || persona === "" ? "" : ` to ${oneLine(persona)}`;
  return [
    stablePart(
      "rules",
      "prompt:expert",
      renderSystemText({
        duty: `You are an expert adviser${whom}. You are asked for your own judgement of one matter.`,
        rules: RULES,
        dataRule: renderDataRule(["data"], "typed or imported by people"),
      }),
    ),
    stablePart("lens", "config:lens", section(HEADINGS.expertView, oneLine(lens ?? ""))),
    ...buildQuestionParts(question, batch ?? "request"),
  ];
}
