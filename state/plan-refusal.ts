import type { JourneyPlan, JourneyStep } from "./journey-plan.ts";
import type { PlanRefusal, PlanRefused } from "./plan-action.ts";

/** Makes the outcome of a change that is refused. `reason`: an English sentence without a final period. */
export function refuseChange(code: PlanRefusal, reason: string): PlanRefused {
  return { kind: "refused", code, reason };
}

/** Refuses an id, or the want of one, that names no step of the plan. */
export function refuseUnknownStep(id: string | null): PlanRefused {
  return refuseChange(
    "unknown-step",
    id === null ? "It is not clear which step is meant" : "The plan has no such step",
  );
}

/** Refuses a change to a step that has to be opened first. */
export function refuseClosedStep(plan: JourneyPlan, step: JourneyStep): PlanRefused {
  return refuseChange(
    step.mark === "done" ? "done-step" : "not-open",
    `${nameStep(plan, step)} is ${step.mark}: it has to be opened first`,
  );
}

/** Refuses a change after which the plan would be as it is. */
export function refuseNoChange(): PlanRefused {
  return refuseChange("no-change", "The plan is like that already");
}

/** Refuses what would leave a plan without a step. */
export function refuseEmptyPlan(): PlanRefused {
  return refuseChange("last-step", "No step would be left of the plan");
}

/** Refuses relations in which a step would have to come before itself. */
export function refuseCycle(): PlanRefused {
  return refuseChange("cycle", "A step cannot rest on itself, nor on one that rests on it");
}

/** Refuses more steps than the plan may have. */
export function refuseTooManySteps(most: number): PlanRefused {
  return refuseChange(
    "too-many",
    `A plan has at most ${most} steps: some have to be joined or left out`,
  );
}

/** Refuses more decisions than the plan may have. */
export function refuseTooManyDecisions(most: number): PlanRefused {
  return refuseChange("too-many", `A plan has at most ${most} decisions`);
}

/** Returns the number and the title of a step: `Step 2, "Dark room",`. */
export function nameStep({ steps }: JourneyPlan, { id, title }: JourneyStep): string {
  return `Step ${steps.findIndex((step) => step.id === id) + 1}, "${title}",`;
}
