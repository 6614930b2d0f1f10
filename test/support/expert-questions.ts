import type { ExpertQuestion } from "../../state/expert-question.ts";

/** A question to experts on a Monday in Berlin, with nothing known besides. */
export function expertQuestion(
  text: string,
  changes: Partial<ExpertQuestion> = {},
): ExpertQuestion {
  return {
    text,
    unanswered: [],
    constraints: [],
    person: "",
    earlier: [],
    date: "Monday, 2026-01-12, Europe/Berlin",
    ...changes,
  };
}
