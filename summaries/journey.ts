import { clip } from "../registry/shorten.ts";
import { oneLine } from "../text/fence.ts";
import type { TurnState } from "../state/turn.ts";
import type { ActiveWorkflow, WorkflowStep } from "../state/workflow.ts";
import { isComplete } from "./workflow-progress.ts";

const TITLE_CHARACTERS = 80;
const TEXT_CHARACTERS = 240;

/** `## Active Plan`'s text: the goal, the current step and how it is done, the one after it; empty without a plan. */
export function renderActivePlan(workflow: ActiveWorkflow | null): string {
  if (workflow === null || workflow.steps.length === 0) return "";
  const { goal, steps, currentStepIndex } = workflow;
  const current = steps[currentStepIndex];
  const next = steps[currentStepIndex + 1];
  const lines = [
    `Goal: ${short(goal)}`,
    ...(current === undefined
      ? ["All steps are complete."]
      : [
          `Current step, ${currentStepIndex + 1} of ${steps.length}: ${title(current)} — ${short(current.description)}`,
          ...(current.doneWhen === "" ? [] : [`Done when: ${short(current.doneWhen)}`]),
        ]),
    ...(next === undefined ? [] : [`Then: ${title(next)}`]),
  ];
  return lines.join("\n");
}

/** Renders the state of the journey: phase and turn, the opening question, the plan's steps with their marks. */
export function renderPhase({
  concierge,
  opening,
}: Pick<TurnState, "concierge" | "opening">): string {
  if (opening === null) return "";
  const { currentPhase, turnInPhase, activeWorkflow } = concierge;
  const plan = (activeWorkflow?.steps ?? []).map(
    (step) => `- [${MARKS[step.status]}] ${title(step)}`,
  );
  const over =
    activeWorkflow !== null && isComplete(activeWorkflow)
      ? ["The plan is complete: a further open question is a new journey."]
      : [];
  return [
    `${currentPhase}, turn ${turnInPhase}; opened by "${short(opening.question)}"`,
    ...plan,
    ...over,
  ].join("\n");
}

const MARKS = { complete: "x", active: ">", pending: " " } as const;

function title(step: WorkflowStep): string {
  return clip(oneLine(step.title), TITLE_CHARACTERS);
}

function short(text: string): string {
  return clip(oneLine(text), TEXT_CHARACTERS);
}
