import type { ActiveWorkflow, WorkflowStep } from "../../state/workflow.ts";
import { hangRows, wrapRows } from "../wrap.ts";

/** Longer rows are hard to follow. */
const WIDEST = 100;

/** Renders a plan as a checklist: completed steps, the next step, and how to know that it is done. */
export function renderChecklist(workflow: ActiveWorkflow, columns: number): string {
  const width = Math.min(columns, WIDEST);
  const { goal, steps } = workflow;
  const done = steps.filter(({ status }) => status === "complete").length;
  return [
    ...wrapRows(`The plan: ${goal} (${done} of ${steps.length} done)`, width),
    ...steps.flatMap((step, index) =>
      stepRows(step, { isCurrent: index === workflow.currentStepIndex, columns: width }),
    ),
  ].join("\n");
}

/** The place of a step in its checklist. */
interface StepPlace {
  readonly isCurrent: boolean;
  readonly columns: number;
}

function stepRows(
  { title, doneWhen, status }: WorkflowStep,
  { isCurrent, columns }: StepPlace,
): string[] {
  const box = status === "complete" ? "[x]" : isCurrent ? "[>]" : "[ ]";
  const head = hangRows(title, { prefix: `  ${box} `, columns });
  if (status === "complete" || doneWhen.trim() === "") return head;
  return [...head, ...hangRows(`done when: ${doneWhen}`, { prefix: " ".repeat(6), columns })];
}
