import type { Plan } from "../../state/plan.ts";
import type { StepResult } from "../../state/step.ts";
import type { TurnState } from "../../state/turn.ts";
import type { Understanding } from "../../state/understanding.ts";
import { renderSentence } from "../../text/sentences.ts";

interface CleanOptions {
  /** Returns a text as it may be shown. */
  readonly clean: (text: string) => string;
  /** The label of every known ref. */
  readonly labels: ReadonlyMap<string, string>;
}

/**
 * Returns the turn with the words of models as they may reach the person: the question of Understand and
 * its options, proposal, questions and refusal of Think, outcomes and questions of steps. What a "yes" runs keeps
 * its refs. Pure.
 */
export function cleanModelWords(state: TurnState, options: CleanOptions): TurnState {
  const { understanding, plan, stepResults } = state;
  return {
    ...state,
    understanding: understanding === null ? null : cleanClarification(understanding, options),
    plan: plan === null ? null : cleanPlan(plan, options),
    stepResults: stepResults.map((result) => cleanResult(result, options)),
  };
}

function cleanClarification(
  understanding: Understanding,
  { clean, labels }: CleanOptions,
): Understanding {
  const { clarification } = understanding;
  if (clarification === null) return understanding;
  const options = clarification.options.map(({ ref, label }) => ({
    ref,
    label: clean(label) || (labels.get(ref) ?? ""),
  }));
  return {
    ...understanding,
    clarification: { question: clean(clarification.question), options },
  };
}

function cleanPlan(plan: Plan, { clean }: CleanOptions): Plan {
  const { proposal, questions, failure } = plan;
  return {
    ...plan,
    failure: failure === null ? null : clean(failure) || renderSentence("modelRefused"),
    proposal: proposal === null ? null : clean(proposal),
    questions: questions.map(clean).filter((question) => question !== ""),
  };
}

function cleanResult(result: StepResult, { clean }: CleanOptions): StepResult {
  const { outcome, question } = result;
  return {
    ...result,
    outcome: clean(outcome),
    question: question === null ? null : clean(question),
  };
}
