import type { EnvelopePart } from "../state/envelope.ts";
import type { ExpertQuestion } from "../state/expert-question.ts";
import { neutralise } from "../text/fence.ts";
import { HEADINGS } from "./headings.ts";
import { bullets, dataSection, instancePart, renderParts, section } from "./part.ts";

/**
 * Builds the parts of a question to experts, in their order. The question is what they are to answer, so
 * it alone is not marked as data.
 *
 * Source: living-plan.md §4.
 */
export function buildQuestionParts(question: ExpertQuestion, batch: string): EnvelopePart[] {
  const { text, unanswered, constraints, person, earlier, date } = question;
  const asked = [...unanswered, text].map(neutralise).join("\n\n");
  const source = `batch:${batch}`;
  return [
    instancePart("request", source, section(HEADINGS.question, asked)),
    instancePart("holds", source, dataSection(HEADINGS.holds, bullets(constraints))),
    instancePart("profile", source, dataSection(HEADINGS.aboutPerson, person)),
    instancePart("recent-turns", source, dataSection(HEADINGS.earlier, bullets(earlier))),
    instancePart("date", source, section(HEADINGS.date, date)),
  ];
}

/** Renders a question as experts read it: for its size. */
export function renderExpertQuestion(question: ExpertQuestion): string {
  const parts = buildQuestionParts(question, "size").filter(({ text }) => text !== "");
  return renderParts(parts)
    .map(({ text }) => text)
    .join("");
}
