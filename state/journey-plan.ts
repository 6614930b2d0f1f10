import { z } from "zod";

/** The words of a step, as they are read from a plan's text or given by a rework. */
export const PlannedStepSchema = z.object({
  title: z.string().describe("its title, without the number"),
  description: z.string().describe("one sentence, amounts and limits as they stand"),
  doneWhen: z.string().describe('how they know that it is done; "" for none'),
  /** The heading that it stands under; empty where it has none. */
  phase: z.string().describe('its heading; "" for none'),
  /** The estimate as written; never computed with, empty where there is none. */
  time: z.string().describe('as written; "" for none'),
  /** The mistake to avoid; empty where none is named. */
  pitfall: z.string().describe('what to avoid; "" for none'),
});
export type PlannedStep = z.infer<typeof PlannedStepSchema>;

/** A plan read from its text, with what its steps rest on. Numbers count from 1; those that do not fit are dropped. */
export const PlannedPlanSchema = z.object({
  /** Empty where the caller's goal stands. */
  goal: z.string().describe("what it is for, one short line"),
  steps: z
    .array(
      PlannedStepSchema.extend({
        restsOnSteps: z
          .array(z.number().int())
          .describe("numbers of earlier steps whose result it needs"),
        restsOnDecisions: z
          .array(z.number().int())
          .describe("numbers of the decisions below that it needs"),
        /** Numbers within the decisions that were made before the plan. */
        restsOnMade: z
          .array(z.number().int())
          .describe("numbers of those already made that it needs"),
      }),
    )
    .describe("the plan's own; advice and questions are none"),
  decisions: z
    .array(
      z.object({
        question: z.string().describe("as a short question"),
        recommendation: z.string().describe('"" for none'),
        atStep: z.number().int().nullable().describe("number of its step; null: before the first"),
      }),
    )
    .describe("what is still to be decided"),
});
export type PlannedPlan = z.infer<typeof PlannedPlanSchema>;

export const StepMarkSchema = z.enum(["open", "done", "skipped"]);

/** One step of a journey's plan. */
export const JourneyStepSchema = PlannedStepSchema.extend({
  /** `step_4`; never used again within a journey. */
  id: z.string(),
  /** Ids of steps and decisions of this plan; without cycles. */
  restsOn: z.array(z.string()),
  mark: StepMarkSchema,
  /** The version in which its words last changed. */
  since: z.number().int(),
  /** The newest five things that the person found out. */
  notes: z.array(z.object({ turn: z.number().int(), text: z.string() })),
});
export type JourneyStep = z.infer<typeof JourneyStepSchema>;

/** A decision point of a plan, or a choice that was made before or beside it. */
export const PlanDecisionSchema = z.object({
  /** `decision_2`; never used again within a journey. */
  id: z.string(),
  /** The step at which it is taken; null: before the plan. */
  at: z.string().nullable(),
  /** Empty for a choice that nobody had put as a question. */
  question: z.string(),
  recommendation: z.string(),
  /** Null while it is open. */
  chosen: z.string().nullable(),
});
export type PlanDecision = z.infer<typeof PlanDecisionSchema>;

/** The kinds of changes to a plan. */
export const PlanActionKindSchema = z.enum([
  "add",
  "remove",
  "replace",
  "move",
  "split",
  "mark",
  "annotate",
  "decide",
  "focus",
  "undo",
]);

/** One version of a plan: who changed what and why, with what it touched as that was before. */
export const PlanChangeSchema = z.object({
  version: z.number().int(),
  turn: z.number().int(),
  /** The version that an undo takes back; null for every other kind. */
  undoes: z.number().int().nullable(),
  who: z.enum(["person", "concierge", "code"]),
  /** The person's own words where it was the person. */
  why: z.string(),
  kind: PlanActionKindSchema,
  /** Ids of the steps and decisions that it names or makes. */
  targets: z.array(z.string()),
  before: z.object({
    /** Steps that it changed or removed, as they were. */
    steps: z.array(JourneyStepSchema),
    /** Decisions that it changed or removed, as they were. */
    decisions: z.array(PlanDecisionSchema),
    /** Ids of all steps, in their order. */
    order: z.array(z.string()),
    focus: z.string().nullable(),
  }),
});
export type PlanChange = z.infer<typeof PlanChangeSchema>;

/**
 * The person's plan over many turns. `startPlan` makes it, `applyPlanAction` alone changes it.
 *
 * Source: living-plan.md §1.
 */
export const JourneyPlanSchema = z.object({
  goal: z.string(),
  /** From 1; one more with every change. */
  version: z.number().int(),
  /** The number of the next new id, of a step or of a decision. */
  nextNumber: z.number().int(),
  /** The step that the person chose to work on. */
  focus: z.string().nullable(),
  /** In the order in which they are carried out. */
  steps: z.array(JourneyStepSchema),
  decisions: z.array(PlanDecisionSchema),
  /** The newest `planChangesHeld`, oldest first. */
  changes: z.array(PlanChangeSchema),
});
export type JourneyPlan = z.infer<typeof JourneyPlanSchema>;

/** A step that rests on something that changed. */
export const AffectedSchema = z.object({
  /** The id of the step. */
  step: z.string(),
  /** The id of the changed step or decision that it rests on, directly or through others. */
  via: z.string(),
  why: z.enum(["gone", "changed", "reopened", "skipped", "decided", "comes-before"]),
});
export type Affected = Readonly<z.infer<typeof AffectedSchema>>;
