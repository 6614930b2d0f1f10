import type { JourneyPlan, PlanChange } from "./journey-plan.ts";
import type { PlanAction, PlanRefused } from "./plan-action.ts";
import { editPlan, findStep, replaceStep, type PlanEdit } from "./plan-edit.ts";
import { refuseChange, refuseClosedStep, refuseUnknownStep } from "./plan-refusal.ts";
import { boundWords } from "./plan-words.ts";
import type { PlanLimits } from "./start-plan.ts";
import { findActiveStep } from "./view-plan.ts";

/** Notes that a step keeps. */
const NOTES_HELD = 5;

/** A step open, done or skipped. One that is opened is worked on now. */
export function markStep(plan: JourneyPlan, { target, mark }: PlanAction): PlanEdit | PlanRefused {
  const step = findStep(plan, target);
  if (step === null) return refuseUnknownStep(target);
  if (mark === null || mark === step.mark) return refuseChange("planLikeThat");
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
  if (note === "" || step.notes.some((known) => known.text === note))
    return refuseChange("planLikeThat");
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
  if (chosen === "") return refuseChange("planNoChoice");
  if (target === null) {
    if (plan.decisions.some((known) => known.question === "" && known.chosen === chosen)) {
      return refuseChange("planLikeThat");
    }
    if (plan.decisions.length >= planDecisions) {
      return refuseChange("planTooManyDecisions", { limit: planDecisions });
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
  if (decision === undefined) return refuseChange("planDecisionUnknown");
  if (decision.chosen === chosen) return refuseChange("planLikeThat");
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
  if (plan.focus === step.id) return refuseChange("planLikeThat");
  return editPlan(plan, { focus: step.id, targets: [step.id] });
}

/** Returns the newest change that is neither an undo nor undone; null where there is none. */
export function findUndoableChange({ changes }: Pick<JourneyPlan, "changes">): PlanChange | null {
  const undone = listUndone(changes);
  return changes.findLast(({ undoes, version }) => undoes === null && !undone.has(version)) ?? null;
}

/** Returns the newest undo that holds; null where something else was changed since, or there is none. */
export function findRedoableChange({ changes }: Pick<JourneyPlan, "changes">): PlanChange | null {
  const undone = listUndone(changes);
  const plain = new Set(changes.flatMap(({ version, undoes }) => (undoes === null ? version : [])));
  const since = changes.slice(changes.findLastIndex(({ undoes }) => undoes === null) + 1);
  const isHeld = ({ version, undoes }: PlanChange): boolean =>
    undoes !== null && plain.has(undoes) && !undone.has(version);
  return since.findLast(isHeld) ?? null;
}

/** Returns the versions of changes that are taken back: an undo that is taken back itself takes nothing back. */
function listUndone(changes: readonly PlanChange[]): ReadonlySet<number> {
  const undone = new Set<number>();
  for (const { version, undoes } of changes.toReversed()) {
    if (undoes !== null && !undone.has(version)) undone.add(undoes);
  }
  return undone;
}

/** A change that an undo takes back in place of the newest one: the newest undo, or the removal of a step. */
export type UndoMeant = { readonly kind: "undo" } | { readonly kind: "step"; readonly id: string };

/** Takes back the newest change that is neither an undo nor undone, or what is meant instead. */
export function undoChange(plan: JourneyPlan, meant?: UndoMeant): PlanEdit | PlanRefused {
  if (meant?.kind === "step") return restoreStep(plan, meant.id);
  const last = meant === undefined ? findUndoableChange(plan) : findRedoableChange(plan);
  if (last === null) return refuseChange("planNothingToUndo");

  // Changes are taken back newest first, so what it did not touch is as it was after it.
  const { before, targets } = last;
  const steps = new Map([...plan.steps, ...before.steps].map((step) => [step.id, step]));
  const decisions = new Map(
    [...plan.decisions, ...before.decisions].map((decision) => [decision.id, decision]),
  );
  const kept = new Set(before.decisions.map(({ id }) => id));
  return editPlan(plan, {
    steps: before.order.flatMap((id) => steps.get(id) ?? []),
    decisions: [...decisions.values()].filter(({ id }) => kept.has(id) || !targets.includes(id)),
    focus: before.focus,
    targets,
    undoes: last.version,
  });
}

/** Puts a step that has left the plan back into its place. */
function restoreStep(plan: JourneyPlan, id: string): PlanEdit | PlanRefused {
  const { steps: gone = [], order = [] } =
    plan.changes.findLast(({ before }) => before.steps.some((step) => step.id === id))?.before ??
    {};
  const step = gone.find((each) => each.id === id);
  if (step === undefined || findStep(plan, id) !== null) return refuseUnknownStep(id);
  const known = new Set([...plan.steps, ...plan.decisions].map((each) => each.id));
  const left = order.slice(0, order.indexOf(id)).findLast((each) => known.has(each));
  const at = plan.steps.findIndex((each) => each.id === left) + 1;
  const restsOn = step.restsOn.filter((each) => known.has(each));
  return editPlan(plan, {
    steps: plan.steps.toSpliced(at, 0, { ...step, restsOn }),
    targets: [id],
  });
}
