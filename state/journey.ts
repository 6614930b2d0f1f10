import { z } from "zod";
import { JourneyPlanSchema, type JourneyPlan, type PlanChange } from "./journey-plan.ts";
import {
  ConciergePhaseStateSchema,
  ConciergeThreadSchema,
  HelpStepSchema,
  OpeningSchema,
  PhaseSchema,
} from "./phase.ts";
import { viewPlan } from "./view-plan.ts";

/** The status of a journey: in the foreground, waiting to be taken up again, or over. */
export const JourneyStatusSchema = z.enum(["active", "paused", "closed"]);

/** The effect of a message on journeys, as Understand reads it. */
export const JourneyActionSchema = z.enum([
  "continue",
  "new",
  "resume",
  "reopen",
  "pause",
  "close",
  "rename",
  "list",
]);
export type JourneyAction = z.infer<typeof JourneyActionSchema>;

/** The place within a plan that has steps. */
export const JourneyProgressSchema = z.object({
  /** The position of the active step, from 1; null where no step is open. */
  step: z.number().int().positive().nullable(),
  /** The number of steps. */
  of: z.number().int().positive(),
});

/** A journey as the state names it; the rest is in the archive. At most one is active. */
export const JourneyLineSchema = z.object({
  /** `journey_7`, after the turn that opened it. */
  id: z.string(),
  title: z.string(),
  status: JourneyStatusSchema,
  /** Why it left the foreground: `done`, `another question`, or the person's words; null while it is active. */
  reason: z.string().nullable(),
  phase: PhaseSchema,
  /** Null without a plan, and for one without steps. */
  progress: JourneyProgressSchema.nullable(),
  /** The version of the plan that was stored last; null without one. */
  planVersion: z.number().int().nullable(),
  openedTurn: z.number().int(),
  /** The last turn that spoke of it. */
  lastTurn: z.number().int(),
});
export type JourneyLine = z.infer<typeof JourneyLineSchema>;

/**
 * The channels' values of one journey, so that it can be taken up again.
 *
 * Source: living-plan.md §2.
 */
export const JourneyStateSchema = z.object({
  /** Null where no question opened it. */
  opening: OpeningSchema.nullable(),
  concierge: ConciergePhaseStateSchema,
  plan: JourneyPlanSchema.nullable(),
  /** The step that `pendingStepBatchAnalysis` belongs to; null without one. */
  helpStep: HelpStepSchema.nullable(),
  /** The messages of the phase's instance; null while the journey is in the foreground. */
  conciergeTranscript: ConciergeThreadSchema.nullable(),
});
export type JourneyState = z.infer<typeof JourneyStateSchema>;

/** Returns the journey in the foreground; null where there is none. */
export function findActiveJourney(lines: readonly JourneyLine[]): JourneyLine | null {
  return lines.find(({ status }) => status === "active") ?? null;
}

/** The reason why a journey left the foreground whose plan was dropped. */
export const REOPENED = "reopened";

/** Returns the id of the journey that a turn opens: a turn opens one at most. */
export function createJourneyId(turn: number): string {
  return `journey_${turn}`;
}

/** Returns what a journey's line says of its plan. */
export function describePlan(
  plan: JourneyPlan | null,
): Pick<JourneyLine, "progress" | "planVersion"> {
  if (plan === null) return { progress: null, planVersion: null };
  const { version, steps, currentStepIndex } = viewPlan(plan);
  const step = currentStepIndex < steps.length ? currentStepIndex + 1 : null;
  return {
    progress: steps.length === 0 ? null : { step, of: steps.length },
    planVersion: version,
  };
}

/**
 * Returns every change of a journey's last plan, oldest first. `plans`: the plan of each stored row,
 * oldest first; each holds its newest changes. Changes of a plan that was dropped before are left out.
 * Pure, total.
 *
 * Source: living-plan.md §2.
 *
 * @example
 * mergePlanChanges([null, startPlan("rest", { goal: "", steps: [], decisions: [] })]); // []
 */
export function mergePlanChanges(plans: readonly (JourneyPlan | null)[]): readonly PlanChange[] {
  const changes = new Map<number, PlanChange>();
  let version = 0;
  for (const plan of plans) {
    // A plan's version only grows: a lower one is that of a new plan.
    if (plan === null || plan.version < version) changes.clear();
    version = plan?.version ?? 0;
    for (const change of plan?.changes ?? []) changes.set(change.version, change);
  }
  return [...changes.values()].toSorted((a, b) => a.version - b.version);
}
