import { z } from "zod";

const WorkflowStepStatusSchema = z.enum(["pending", "active", "complete"]);

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
