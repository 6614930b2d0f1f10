import { addSteps, moveStep, removeStep, rewordStep, splitStep } from "./edit-plan-steps.ts";
import {
  annotateStep,
  focusStep,
  makeDecision,
  markStep,
  undoChange,
  type UndoMeant,
} from "./edit-plan-state.ts";
import { findAffected } from "./find-affected.ts";
import type { JourneyPlan, PlanChange } from "./journey-plan.ts";
import { DEFAULT_LIMITS } from "./limits.ts";
import type { PlanAction, PlanOutcome, PlanRefused } from "./plan-action.ts";
import type { PlanEdit } from "./plan-edit.ts";
import { boundWords } from "./plan-words.ts";
import type { PlanLimits } from "./start-plan.ts";

/** The circumstances of a change: who makes it, why, and in which turn. */
export interface PlanActionContext extends Pick<PlanChange, "who" | "why" | "turn"> {
  readonly limits?: PlanLimits;
  /** The change that an undo takes back. Default: the newest one. */
  readonly undo?: UndoMeant;
}

/**
 * Makes the next version of a plan, or refuses the change with a code and a reason.
 *
 * Contract: never throws, and its input stays as it is. Ids are never used again; steps that the action
 * does not name stay as they are but for `restsOn`; relations are known and without cycles. `change.before`
 * has all that was changed or removed, and `undo` brings it back.
 *
 * Source: living-plan.md §1.
 *
 * @example
 * const plan = startPlan("rest", { goal: "", steps: [], decisions: [] });
 * const undo = { kind: "undo", target: null, after: null, parts: [], mark: null, text: null, words: "undo" };
 * applyPlanAction(plan, undo, { who: "person", why: "undo", turn: 4 }).code; // "nothing-to-undo"
 */
export function applyPlanAction(
  plan: JourneyPlan,
  action: PlanAction,
  { who, why, turn, limits = DEFAULT_LIMITS, undo }: PlanActionContext,
): PlanOutcome {
  const edit = makeEdit(plan, action, { turn, limits, undo });
  if ("code" in edit) return edit;
  const version = plan.version + 1;
  const { targets, undoes, ...parts } = edit;
  const change: PlanChange = {
    version,
    turn,
    undoes,
    who,
    why: boundWords(why),
    kind: action.kind,
    targets,
    before: {
      steps: plan.steps.filter((step) => !parts.steps.includes(step)),
      decisions: plan.decisions.filter((decision) => !parts.decisions.includes(decision)),
      order: plan.steps.map(({ id }) => id),
      focus: plan.focus,
    },
  };
  const changes = [...plan.changes, change].slice(-limits.planChangesHeld);
  const next: JourneyPlan = { ...plan, ...parts, version, changes };
  return { kind: "changed", plan: next, change, affected: findAffected(plan, next) };
}

interface EditContext {
  readonly turn: number;
  readonly limits: PlanLimits;
  readonly undo: UndoMeant | undefined;
}

function makeEdit(
  plan: JourneyPlan,
  action: PlanAction,
  { turn, limits, undo }: EditContext,
): PlanEdit | PlanRefused {
  switch (action.kind) {
    case "add":
      return addSteps(plan, action, limits);
    case "remove":
      return removeStep(plan, action);
    case "replace":
      return rewordStep(plan, action);
    case "move":
      return moveStep(plan, action);
    case "split":
      return splitStep(plan, action, limits);
    case "mark":
      return markStep(plan, action);
    case "annotate":
      return annotateStep(plan, action, turn);
    case "decide":
      return makeDecision(plan, action, limits);
    case "focus":
      return focusStep(plan, action);
    case "undo":
      return undoChange(plan, undo);
    default:
      return action.kind satisfies never;
  }
}
