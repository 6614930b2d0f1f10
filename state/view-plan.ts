import { z } from "zod";
import {
  JourneyStepSchema,
  PlanDecisionSchema,
  type JourneyPlan,
  type JourneyStep,
} from "./journey-plan.ts";
import type { ActiveWorkflow } from "./workflow.ts";

/** A plan as it is shown: everything of it, with the status of each step computed. */
export const PlanViewSchema = z.object({
  goal: z.string(),
  version: z.number().int(),
  /** The position of the active step, from 0; the number of steps where none is open. */
  currentStepIndex: z.number().int().nonnegative(),
  steps: z.array(
    JourneyStepSchema.omit({ mark: true }).extend({
      status: z.enum(["pending", "active", "complete", "skipped"]),
    }),
  ),
  decisions: z.array(PlanDecisionSchema),
});
export type PlanView = z.infer<typeof PlanViewSchema>;
/** A step of a plan that is shown. */
export type PlanViewStep = PlanView["steps"][number];

/**
 * Returns a plan with the status of every step: at most one is active, and it is open.
 *
 * @example
 * viewPlan(startPlan("sleep better", { goal: "", steps: [], decisions: [] })).steps; // []
 */
export function viewPlan(plan: JourneyPlan): PlanView {
  const active = findActiveStep(plan);
  return {
    goal: plan.goal,
    version: plan.version,
    currentStepIndex: active === null ? plan.steps.length : plan.steps.indexOf(active),
    steps: plan.steps.map(({ mark, ...step }) => ({
      ...step,
      status: mark === "open" ? (step.id === active?.id ? "active" : "pending") : STATUSES[mark],
    })),
    decisions: plan.decisions,
  };
}

const STATUSES = { done: "complete", skipped: "skipped" } as const;

/**
 * Returns a plan in the seeds' shape, no key more: a skipped step is pending, and the index passes over it.
 *
 * @example
 * toActiveWorkflow(startPlan("sleep better", { goal: "", steps: [], decisions: [] })); // { goal: "sleep better", steps: [], currentStepIndex: 0 }
 */
export function toActiveWorkflow(plan: JourneyPlan): ActiveWorkflow {
  const { goal, steps, currentStepIndex } = viewPlan(plan);
  return {
    goal,
    steps: steps.map(({ id, title, description, doneWhen, status }) => ({
      id,
      title,
      description,
      doneWhen,
      status: status === "skipped" ? "pending" : status,
    })),
    currentStepIndex,
  };
}

/** Returns true for a plan without an open step. */
export function isPlanOver({ steps }: JourneyPlan): boolean {
  return steps.every(({ mark }) => mark !== "open");
}

/**
 * Returns the step that is worked on: the one in focus where it is open, else the first open one after the
 * furthest that is done, else the first open one; null where none is open.
 */
export function findActiveStep({ steps, focus }: JourneyPlan): JourneyStep | null {
  const open = steps.filter(({ mark }) => mark === "open");
  const furthest = steps.findLastIndex(({ mark }) => mark === "done");
  return (
    open.find(({ id }) => id === focus) ??
    open.find((step) => steps.indexOf(step) > furthest) ??
    open[0] ??
    null
  );
}
