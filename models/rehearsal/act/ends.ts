import type { Json } from "../../../state/json.ts";
import type { AnswerCall } from "../answer.ts";

/** Ends a step with its result. */
export function complete(end: {
  readonly summary: string;
  readonly note?: string;
  readonly refs?: readonly string[];
  /** Drafts, for a step that makes something. */
  readonly artifacts?: readonly Json[];
}): AnswerCall {
  const { summary, note = null, refs = [], artifacts = [] } = end;
  return {
    name: "complete_step",
    args: {
      resultSummary: summary,
      noteForNextStep: note,
      refs,
      artifacts,
    },
  };
}

/** Ends a step that cannot be done. */
export function fail(reason: string): AnswerCall {
  return { name: "fail_step", args: { reason } };
}

/** Ends a step with a question that only the person can answer. */
export function askUser(partialAnalysis: string, question: string): AnswerCall {
  return { name: "ask_user", args: { partialAnalysis, question } };
}
