import type { Affected, JourneyPlan, PlanDecision } from "../state/journey-plan.ts";
import type { PlanChanged } from "../state/plan-action.ts";
import { oneLine } from "../text/fence.ts";
import { joinWithAnd } from "../text/join-list.ts";
import { renderSentence, type SentenceId } from "../text/sentences.ts";

/** Affected steps that are named of what rests on the same. */
const NAMED = 6;

/** A step as it stands in a plan that is shown. */
export interface NumberedStep {
  /** Its position, from 1. */
  readonly number: number;
  readonly title: string;
}

/** The steps that rest on one changed step or decision. */
export interface AffectedSteps {
  readonly why: Affected["why"];
  /** The title of the step, or the words of the decision, that they rest on. */
  readonly via: string;
  /** Nearest first. */
  readonly steps: readonly NumberedStep[];
  /** The number of those that are not named. */
  readonly more: number;
}

/**
 * Lists what a change affects, as prompt and reply name it: six steps at most, the rest counted. Steps
 * that `plan`, the one shown, no longer has are left out, and so is what rests on one that a later change has
 * removed, but for its removal. Pure, total.
 *
 * Source: living-plan.md §1, "What a change affects".
 */
export function listAffectedSteps(
  { affected, change, plan: made }: PlanChanged,
  plan: JourneyPlan,
): readonly AffectedSteps[] {
  const present = new Set([...plan.steps, ...plan.decisions].map(({ id }) => id));
  const known = affected.flatMap((each) => {
    const step = numberStep(plan, each.step);
    const isSo = each.why === "gone" || present.has(each.via);
    return step === null || !isSo ? [] : [{ ...each, numbered: step }];
  });
  const groups = Map.groupBy(known, ({ why, via }) => `${why} ${via}`);
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const steps = group.slice(0, NAMED).map(({ numbered }) => numbered);
    const via = nameId(first.via, [made, change.before]);
    return [{ why: first.why, via, steps, more: group.length - steps.length }];
  });
}

const SENTENCES_BY_REASON = {
  gone: "planRestedOnGone",
  changed: "planRestsOnChanged",
  reopened: "planRestsOnReopened",
  skipped: "planRestsOnSkipped",
  decided: "planRestsOnDecided",
  "comes-before": "planComesBefore",
} as const satisfies Readonly<Record<Affected["why"], SentenceId>>;

/**
 * Words what the changes of a message affect, for the first paragraph of the reply; empty where nothing
 * is affected. `plan`: the one after all of them. Pure, total.
 *
 * Source: living-plan.md §1, "What a change affects".
 */
export function renderAffectedSteps(changes: readonly PlanChanged[], plan: JourneyPlan): string {
  return changes
    .flatMap((change) => listAffectedSteps(change, plan))
    .flatMap((group) => [wordNamed(group), wordCounted(group)])
    .filter((sentence) => sentence !== "")
    .join(" ");
}

function wordNamed({ why, via, steps }: AffectedSteps): string {
  const names = joinWithAnd(steps.map((step) => renderSentence("planStep", step)));
  return renderSentence(SENTENCES_BY_REASON[why], { count: steps.length, steps: names, via });
}

function wordCounted({ more }: AffectedSteps): string {
  return more === 0 ? "" : renderSentence("planMoreAffected", { count: more });
}

/** Returns a step of a plan by its number and title; null where the plan does not have it. */
export function numberStep({ steps }: JourneyPlan, id: string): NumberedStep | null {
  const index = steps.findIndex((step) => step.id === id);
  const step = steps[index];
  return step === undefined ? null : { number: index + 1, title: oneLine(step.title) };
}

/** Returns the words for a decision: its question, or what was chosen where nobody had put one. */
export function nameDecision({ question, chosen }: PlanDecision): string {
  return oneLine(question || (chosen ?? ""));
}

/** Returns the title of a step or the words of a decision, from the first plan that has it. */
function nameId(id: string, plans: readonly Pick<JourneyPlan, "steps" | "decisions">[]): string {
  for (const { steps, decisions } of plans) {
    const step = steps.find((each) => each.id === id);
    if (step !== undefined) return oneLine(step.title);
    const decision = decisions.find((each) => each.id === id);
    if (decision !== undefined) return nameDecision(decision);
  }
  return "";
}
