import type { PlannedStep } from "../state/journey-plan.ts";
import type { ActiveWorkflow, WorkflowProgress, WorkflowStep } from "../state/workflow.ts";

/** The workflow of a plan that begins: its first step is active. */
export function startWorkflow(
  goal: string,
  steps: readonly Pick<PlannedStep, "title" | "description" | "doneWhen">[],
): ActiveWorkflow {
  return activateCurrentStep({
    goal,
    steps: steps.map(({ title, description, doneWhen }, index) => ({
      id: `step_${index + 1}`,
      title,
      description,
      doneWhen,
      status: "pending",
    })),
    currentStepIndex: 0,
  });
}

/**
 * The workflow after what was confirmed; ids that it does not have are ignored.
 *
 * Contract: complete are only steps that were named, skipped ones stay pending. Active is a step
 * that was taken up, else the first pending one after the furthest complete, else the first pending.
 */
export function applyProgress(
  workflow: ActiveWorkflow,
  { completed, reopened }: WorkflowProgress,
): ActiveWorkflow {
  const nextStatus = ({ id, status }: WorkflowStep): WorkflowStep["status"] => {
    if (reopened.includes(id)) return "pending";
    return completed.includes(id) ? "complete" : status;
  };
  const steps = workflow.steps.map((step) => ({ ...step, status: nextStatus(step) }));
  const changed = steps.some(({ status }, index) => status !== workflow.steps[index]?.status);
  return changed ? activateCurrentStep({ ...workflow, steps }, reopened) : workflow;
}

/** Returns true where every step is complete; never for a workflow without steps. */
export function isComplete({ steps }: ActiveWorkflow): boolean {
  return steps.length > 0 && steps.every(({ status }) => status === "complete");
}

function activateCurrentStep(
  workflow: ActiveWorkflow,
  reopened: readonly string[] = [],
): ActiveWorkflow {
  const { steps } = workflow;
  const taken = steps.findIndex((step) => reopened.includes(step.id) && isOpen(step));
  const furthest = steps.findLastIndex(({ status }) => status === "complete");
  const next = steps.findIndex((step, index) => index > furthest && isOpen(step));
  const first = steps.findIndex(isOpen);
  const current = [taken, next, first].find((index) => index >= 0) ?? steps.length;
  return {
    ...workflow,
    steps: steps.map((step, index) => withStatus(step, index === current ? "active" : "pending")),
    currentStepIndex: current,
  };
}

function isOpen({ status }: WorkflowStep): boolean {
  return status !== "complete";
}

function withStatus(step: WorkflowStep, status: WorkflowStep["status"]): WorkflowStep {
  return isOpen(step) ? { ...step, status } : step;
}
