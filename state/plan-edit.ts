import type { JourneyPlan, JourneyStep } from "./journey-plan.ts";

/**
 * The parts of a plan that a change makes anew.
 *
 * Contract: steps and decisions that it leaves as they are stay the same objects; a change keeps all
 * others in `before`.
 */
export interface PlanEdit extends Pick<
  JourneyPlan,
  "steps" | "decisions" | "focus" | "nextNumber"
> {
  /** Ids that the change names or makes. */
  readonly targets: string[];
  /** The version that it takes back; null but for an undo. */
  readonly undoes: number | null;
}

/** Returns the edit that changes what is given of a plan. */
export function editPlan(
  { steps, decisions, focus, nextNumber }: JourneyPlan,
  changed: Pick<PlanEdit, "targets"> & Partial<PlanEdit>,
): PlanEdit {
  return { steps, decisions, focus, nextNumber, undoes: null, ...changed };
}

/** Returns the plan's step of an id; null where it has none. */
export function findStep({ steps }: JourneyPlan, id: string | null): JourneyStep | null {
  return steps.find((step) => step.id === id) ?? null;
}

/** Returns the steps with one of them made anew. */
export function replaceStep(plan: JourneyPlan, changed: JourneyStep): JourneyStep[] {
  return plan.steps.map((step) => (step.id === changed.id ? changed : step));
}

/** Returns the ids without those that repeat. */
export function listOnce(ids: readonly string[]): string[] {
  return [...new Set(ids)];
}
