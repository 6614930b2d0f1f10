import { z } from "zod";

export const WorkflowStepStatusSchema = z.enum(["pending", "active", "complete"]);
export type WorkflowStepStatus = z.infer<typeof WorkflowStepStatusSchema>;

/** One step of the plan. */
export const WorkflowStepSchema = z.object({
  /** `step_1`, in the plan's order; never reused within a plan. */
  id: z.string(),
  title: z.string(),
  description: z.string(),
  /** How the person knows that it is done; empty where the plan does not say. */
  doneWhen: z.string(),
  status: WorkflowStepStatusSchema,
});
export type WorkflowStep = z.infer<typeof WorkflowStepSchema>;

/**
 * The plan that is being carried out.
 *
 * Contract: at most one step is active, and `currentStepIndex` is its position; where none is, it
 * is the position of the first step that is not complete, or the number of steps when all are.
 */
export const ActiveWorkflowSchema = z.object({
  goal: z.string(),
  steps: z.array(WorkflowStepSchema),
  currentStepIndex: z.number().int().nonnegative(),
});
export type ActiveWorkflow = z.infer<typeof ActiveWorkflowSchema>;
