import { z } from "zod";
import { idSchema } from "./ids.ts";
import {
  PlanActionKindSchema,
  PlannedStepSchema,
  StepMarkSchema,
  type Affected,
  type JourneyPlan,
  type PlanChange,
} from "./journey-plan.ts";
import type { PlanReason } from "./plan-refusal.ts";

/**
 * A change to a plan. Flat, with null for "not for this kind": strict schemas refuse unions. Among its
 * ids of the kind `step` are those of decisions.
 */
export const PlanActionSchema = z.object({
  kind: PlanActionKindSchema.describe(
    "replace: new words for a step; split: two or more steps in its place; annotate: a note; decide: a choice; focus: the step to work on now; undo: takes back the newest change",
  ),
  /** Null for `add`, `undo`, and a decision that nobody foresaw. */
  target: idSchema("step")
    .nullable()
    .describe(
      "id of the step; of decide the decision's, null for a new one; null for add and undo",
    ),
  after: z
    .string()
    .nullable()
    .describe('add and move: id of the step before it, "start", or null for the end; else null'),
  parts: z
    .array(
      PlannedStepSchema.extend({
        restsOn: z
          .array(idSchema("step"))
          .nullable()
          .describe("ids of the steps and decisions that it needs; null: as it was"),
      }),
    )
    .describe("steps of add, replace (one) and split; empty fields of replace stay; else []"),
  mark: StepMarkSchema.nullable().describe("with mark; else null"),
  text: z.string().nullable().describe("the note of annotate, the choice of decide; else null"),
  words: z.string().describe("what the person wrote that asks for this, verbatim"),
});
export type PlanAction = z.infer<typeof PlanActionSchema>;

/**
 * A change that a message asks for outright, as Understand answers it. Among the ids of the kind `step`
 * that its prompt shows are those of decisions.
 */
export const ShortPlanActionSchema = z.object({
  kind: z
    .enum(["add", "remove", "move", "done", "open", "skip", "note", "decide", "focus", "undo"])
    .describe("open: not done after all; note: a finding; focus: begin with it"),
  step: idSchema("step").nullable().describe("id of the step or decision"),
  after: z.string().nullable().describe('add, move: id of the step before, or "start"'),
  text: z.string().nullable().describe("title, finding or choice"),
  words: z.string().describe("their words for it, verbatim"),
});
export type ShortPlanAction = z.infer<typeof ShortPlanActionSchema>;

/** The reasons why a change is refused. */
export const PlanRefusalSchema = z.enum([
  "no-words",
  "not-asked-for",
  "duplicate",
  "too-many",
  "too-many-actions",
  "too-few",
  "cycle",
  "unknown-step",
  "unknown-decision",
  "last-step",
  "done-step",
  "not-open",
  "no-change",
  "nothing-to-undo",
]);
export type PlanRefusal = z.infer<typeof PlanRefusalSchema>;

/** A change that was made, with the plan after it. */
export interface PlanChanged {
  readonly kind: "changed";
  readonly plan: JourneyPlan;
  readonly change: PlanChange;
  /** Nearest first, each step once. */
  readonly affected: readonly Affected[];
}

/** A change that was not made. */
export interface PlanRefused {
  readonly kind: "refused";
  readonly code: PlanRefusal;
  /** Names the sentence that says why. */
  readonly reason: PlanReason;
  /** The step that it is about, and how many there may be. */
  readonly values: {
    readonly number?: number;
    readonly title?: string;
    readonly limit?: number;
  };
}

export type PlanOutcome = PlanChanged | PlanRefused;
