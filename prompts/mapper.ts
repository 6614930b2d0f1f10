import type { EnvelopePart } from "../state/envelope.ts";
import type { ExpertQuestion } from "../state/expert-question.ts";
import { fence } from "../text/fence.ts";
import { MAPPER_EXAMPLE } from "./examples.ts";
import { HEADINGS } from "./headings.ts";
import { bullets, section, stablePart, volatilePart } from "./part.ts";
import { renderDataRule, renderSystemText } from "./system-text.ts";

export interface MapperPromptInput {
  /** The experts' question, and the rules that hold: a gap is one for this person. */
  readonly question: Pick<ExpertQuestion, "text" | "unanswered" | "constraints">;
  /** Their answers, in the order by which supporters are numbered. */
  readonly answers: readonly string[];
}

const RULES = [
  "Join what is the same in substance; keep apart what differs.",
  "Keep minority views: what one answer alone says counts as much.",
  "At most 25 claims. Add nothing, judge nothing.",
] as const;

/**
 * Asks for the map of claims: a function of prompt and answers alone, never part of a thread.
 * Pinned by `test/golden/mapper.*.md`.
 */
export function buildMapperPrompt({ question, answers }: MapperPromptInput): EnvelopePart[] {
  return [
    stablePart(
      "rules",
      "prompt:mapper",
      renderSystemText({
        duty: "You map what several answers to one request say: claims, their links, what is missing.",
        rules: RULES,
        example: MAPPER_EXAMPLE,
        dataRule: renderDataRule(["request", "answer"], "written by others"),
      }),
    ),
    volatilePart("request", "batch:question", section(HEADINGS.request, renderRequest(question))),
    volatilePart("answers", "batch:answers", section(HEADINGS.answers, renderAnswers(answers))),
  ];
}

function renderRequest({ text, unanswered, constraints }: MapperPromptInput["question"]): string {
  const holds = constraints.length === 0 ? [] : [`${HEADINGS.holds}:\n${bullets(constraints)}`];
  return fence("request", [...unanswered, text, ...holds].join("\n\n"));
}

function renderAnswers(answers: readonly string[]): string {
  return answers
    .map((answer, index) => `Answer ${index + 1}:\n${fence("answer", answer.trim())}`)
    .join("\n\n");
}
