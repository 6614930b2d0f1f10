import { createTextCleaner } from "../../output-filter/output-gate.ts";
import { viewConversation } from "../../prompts/view.ts";
import type { ExecutionHandover } from "../../state/handover.ts";
import type { PlannedPlan, PlannedStep } from "../../state/journey-plan.ts";
import type { PlanAction } from "../../state/plan-action.ts";
import type { TurnState } from "../../state/turn.ts";
import type { NodeServices } from "../node.ts";
import { collectTurnNames } from "../reply/output-names.ts";

/** Returns a text that a model gives for a plan or a title as it is kept. */
export type PlanWordCleaner = (text: string) => string;

/** A remark in brackets with something of the form of an id: "(see step_2)". */
const ASIDE = /\s*(?:\([^()]*(?<!\p{L})\p{L}+_\d[^()]*\)|\[[^[\]]*(?<!\p{L})\p{L}+_\d[^[\]]*\])/gu;

/** Makes the cleaner of words that are kept: ids become names or go, but for those that the message itself has. */
export function createPlanWordCleaner(state: TurnState, services: NodeServices): PlanWordCleaner {
  const { registry } = viewConversation(state, services);
  const clean = createTextCleaner(collectTurnNames(state, { registry, domain: services.domain }));
  const message = state.input?.text ?? "";
  return (text) => (message.includes(text) ? text : clean(text.replaceAll(ASIDE, "")));
}

/** Returns an action with the words that it brings as they are kept; those that it was read from stay. Pure. */
export function cleanPlanAction(action: PlanAction, clean: PlanWordCleaner): PlanAction {
  const { text, parts } = action;
  return {
    ...action,
    text: text === null ? null : clean(text),
    parts: parts.map((part) => cleanStep(part, clean)),
  };
}

/** Returns a plan as a model has read it, with its words as they are kept. Pure. */
export function cleanPlanned(planned: PlannedPlan, clean: PlanWordCleaner): PlannedPlan {
  return {
    ...planned,
    goal: clean(planned.goal),
    steps: planned.steps.map((step) => cleanStep(step, clean)),
    decisions: planned.decisions.map((decision) => cleanDecision(decision, clean)),
  };
}

/** Returns a handover whose goal, of which a title is made, and choices are as they are kept. Pure. */
export function cleanExecutionHandover(
  handover: ExecutionHandover,
  clean: PlanWordCleaner,
): ExecutionHandover {
  const { goal, decisionsMade } = handover;
  return { ...handover, goal: clean(goal), decisionsMade: decisionsMade.map(clean) };
}

function cleanDecision(
  decision: PlannedPlan["decisions"][number],
  clean: PlanWordCleaner,
): PlannedPlan["decisions"][number] {
  return {
    ...decision,
    question: clean(decision.question),
    recommendation: clean(decision.recommendation),
  };
}

function cleanStep<Step extends PlannedStep>(step: Step, clean: PlanWordCleaner): Step {
  return {
    ...step,
    title: clean(step.title),
    description: clean(step.description),
    doneWhen: clean(step.doneWhen),
    phase: clean(step.phase),
    time: clean(step.time),
    pitfall: clean(step.pitfall),
  };
}
