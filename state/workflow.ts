import { z } from "zod";
import { idSchema } from "./ids.ts";

export const WorkflowStepStatusSchema = z.enum(["pending", "active", "complete"]);
export type WorkflowStepStatus = z.infer<typeof WorkflowStepStatusSchema>;

/** One step of the plan. */
export const WorkflowStepSchema = z.object({
  /** `step_1`, in the plan's order; never reused within a plan. */
  id: z.string(),
  title: z.string(),
  description: z.string(),
  /** The sign by which the person knows that the step is done; empty when the plan gives none. */
  doneWhen: z.string(),
  status: WorkflowStepStatusSchema,
});
export type WorkflowStep = z.infer<typeof WorkflowStepSchema>;

/**
 * The plan that is being carried out.
 *
 * Contract: at most one step is active, and `currentStepIndex` is its position; where none is, it is
 * the number of steps.
 */
export const ActiveWorkflowSchema = z.object({
  goal: z.string(),
  steps: z.array(WorkflowStepSchema),
  currentStepIndex: z.number().int().nonnegative(),
});
export type ActiveWorkflow = z.infer<typeof ActiveWorkflowSchema>;

/** The steps read out of a plan, as a model answers them. */
export const WorkflowAnswerSchema = z.object({
  goal: z.string().describe("what the plan is for, one short line, from the goal given"),
  steps: z
    .array(
      z.object({
        title: z.string().describe("the step's title as it stands, without its number"),
        description: z
          .string()
          .describe("what to do, one sentence, with amounts, days and limits as they stand"),
        doneWhen: z
          .string()
          .describe(
            'how the person knows that it is done, as the plan says; "" where it does not say',
          ),
      }),
    )
    .describe(
      "the plan's own steps in their order; phases, pitfalls, advice and questions are none",
    ),
});

export type WorkflowAnswer = z.infer<typeof WorkflowAnswerSchema>;

/** The steps of the plan that the person confirmed in a turn, as step ids. */
export const WorkflowProgressSchema = z.object({
  completed: z
    .array(idSchema("step"))
    .describe("ids of steps that the person says in this message are done; [] for none"),
  reopened: z
    .array(idSchema("step"))
    .describe("ids of complete steps that the message takes up again; [] for none"),
});
export type WorkflowProgress = z.infer<typeof WorkflowProgressSchema>;

/** Nothing was confirmed. */
export const NO_PROGRESS: WorkflowProgress = { completed: [], reopened: [] };
