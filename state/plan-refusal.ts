import type { JourneyPlan, JourneyStep } from "./journey-plan.ts";
import type { PlanRefusal, PlanRefused } from "./plan-action.ts";

/** Every reason for which a change is refused, named as the sentence that says it, with its code. */
const CODES = {
  planStepUnclear: "unknown-step",
  planStepUnknown: "unknown-step",
  planDecisionUnknown: "unknown-decision",
  planStepDone: "done-step",
  planStepSkipped: "not-open",
  planLikeThat: "no-change",
  planWouldBeEmpty: "last-step",
  planCycle: "cycle",
  planTooManySteps: "too-many",
  planTooManyDecisions: "too-many",
  planTooManyChanges: "too-many-actions",
  planOneInstead: "too-many",
  planSplitTooFew: "too-few",
  planNoTitle: "no-words",
  planNoNewWords: "no-words",
  planNoChoice: "no-words",
  planStepThere: "duplicate",
  planTitleTwice: "duplicate",
  planNotOutright: "not-asked-for",
  planOtherSteps: "not-asked-for",
  planNothingToUndo: "nothing-to-undo",
} as const satisfies Readonly<Record<string, PlanRefusal>>;
export type PlanReason = keyof typeof CODES;

/** Makes the outcome of a change that is refused. */
export function refuseChange(reason: PlanReason, values: PlanRefused["values"] = {}): PlanRefused {
  return { kind: "refused", code: CODES[reason], reason, values };
}

/** Refuses an id, or the want of one, that names no step of the plan. */
export function refuseUnknownStep(id: string | null): PlanRefused {
  return refuseChange(id === null ? "planStepUnclear" : "planStepUnknown");
}

/** Refuses a change to a step that has to be opened first. */
export function refuseClosedStep(plan: JourneyPlan, step: JourneyStep): PlanRefused {
  const reason = step.mark === "done" ? "planStepDone" : "planStepSkipped";
  return refuseChange(reason, nameStep(plan, step));
}

/** Returns the number and the title of a step. */
export function nameStep({ steps }: JourneyPlan, { id, title }: JourneyStep) {
  return { number: steps.findIndex((step) => step.id === id) + 1, title };
}
