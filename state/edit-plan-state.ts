import type { JourneyPlan, PlanChange } from "./journey-plan.ts";
import type { PlanAction, PlanRefused } from "./plan-action.ts";
import { editPlan, findStep, replaceStep, type PlanEdit } from "./plan-edit.ts";
import {
  refuseChange,
  refuseClosedStep,
  refuseNoChange,
  refuseTooManyDecisions,
  refuseUnknownStep,
} from "./plan-refusal.ts";
import { boundWords } from "./plan-words.ts";
import type { PlanLimits } from "./start-plan.ts";
import { findActiveStep } from "./view-plan.ts";

/** Notes that a step keeps. */
const NOTES_HELD = 5;

/** A step open, done or skipped. One that is opened is worked on now. */
export function markStep(plan: JourneyPlan, { target, mark }: PlanAction): PlanEdit | PlanRefused {
  const step = findStep(plan, target);
  if (step === null) return refuseUnknownStep(target);
  if (mark === null || mark === step.mark) return refuseNoChange();
  const others = plan.focus === step.id ? null : plan.focus;
  return editPlan(plan, {
    steps: replaceStep(plan, { ...step, mark }),
    focus: mark === "open" ? step.id : others,
    targets: [step.id],
  });
}

/** One more note on a step, of something that the person found out. */
export function annotateStep(
  plan: JourneyPlan,
  { target, text }: PlanAction,
  turn: number,
): PlanEdit | PlanRefused {
  const step = findStep(plan, target);
  if (step === null) return refuseUnknownStep(target);
  const note = boundWords(text ?? "");
  if (note === "" || step.notes.some((known) => known.text === note)) return refuseNoChange();
  const notes = [...step.notes, { turn, text: note }].slice(-NOTES_HELD);
  return editPlan(plan, { steps: replaceStep(plan, { ...step, notes }), targets: [step.id] });
}

/** A choice, for the first time or again; without a target one that nobody foresaw. */
export function makeDecision(
  plan: JourneyPlan,
  { target, text }: PlanAction,
  { planDecisions }: PlanLimits,
): PlanEdit | PlanRefused {
  const chosen = boundWords(text ?? "");
  if (chosen === "") return refuseChange("no-words", "A decision needs a choice");
  if (target === null) {
    if (plan.decisions.some((known) => known.question === "" && known.chosen === chosen)) {
      return refuseNoChange();
    }
    if (plan.decisions.length >= planDecisions) {
      return refuseTooManyDecisions(planDecisions);
    }
    const id = `decision_${plan.nextNumber}`;
    const at = findActiveStep(plan)?.id ?? null;
    return editPlan(plan, {
      decisions: [...plan.decisions, { id, at, question: "", recommendation: "", chosen }],
      nextNumber: plan.nextNumber + 1,
      targets: [id],
    });
  }
  const decision = plan.decisions.find(({ id }) => id === target);
  if (decision === undefined) {
    return refuseChange("unknown-decision", `The plan has no decision "${target}"`);
  }
  if (decision.chosen === chosen) return refuseNoChange();
  return editPlan(plan, {
    decisions: plan.decisions.map((each) => (each === decision ? { ...each, chosen } : each)),
    targets: [decision.id],
  });
}

/** The step that the person wants to work on now. */
export function focusStep(plan: JourneyPlan, { target }: PlanAction): PlanEdit | PlanRefused {
  const step = findStep(plan, target);
  if (step === null) return refuseUnknownStep(target);
  if (step.mark !== "open") return { ...refuseClosedStep(plan, step), code: "not-open" };
  if (plan.focus === step.id) return refuseNoChange();
  return editPlan(plan, { focus: step.id, targets: [step.id] });
}

/** Returns the newest change that is neither an undo nor undone; null where there is none. */
export function findUndoableChange({ changes }: Pick<JourneyPlan, "changes">): PlanChange | null {
  const undone = new Set(changes.map(({ undoes }) => undoes));
  return changes.findLast(({ undoes, version }) => undoes === null && !undone.has(version)) ?? null;
}

/** Takes back the newest change that is neither an undo nor undone. */
export function undoChange(plan: JourneyPlan): PlanEdit | PlanRefused {
  const last = findUndoableChange(plan);
  if (last === null) return refuseChange("nothing-to-undo", "There is no change to take back");

  // Changes are taken back newest first, so what it did not touch is as it was after it.
  const { before, targets } = last;
  const steps = new Map([...plan.steps, ...before.steps].map((step) => [step.id, step]));
  const decisions = new Map(before.decisions.map((decision) => [decision.id, decision]));
  return editPlan(plan, {
    steps: before.order.flatMap((id) => steps.get(id) ?? []),
    decisions: plan.decisions.flatMap((now) => {
      const old = decisions.get(now.id);
      if (old !== undefined) return [old];
      return targets.includes(now.id) ? [] : [now];
    }),
    focus: before.focus,
    targets,
    undoes: last.version,
  });
}
