import type { Domain } from "../../state/domain.ts";
import type { ConversationView } from "../../prompts/view.ts";
import type { Limits } from "../../state/limits.ts";
import type { PlanStep, ThinkAnswer } from "../../state/plan.ts";
import type { TurnState } from "../../state/turn.ts";
import { refsInText } from "../reply/refs-in-text.ts";
import { collectRecordRefs } from "./refs-of-record.ts";

/** The bounds of a plan: what Think's prompt has shown, and the limits. */
export interface PlanBounds {
  readonly shown: ReadonlySet<string>;
  readonly subdomains: Domain["subdomains"];
  readonly limits: Pick<Limits, "stepsPerPlan">;
}

/** Returns every ref that appears in Think's prompt. */
export function shownToThink(state: TurnState, view: ConversationView): ReadonlySet<string> {
  return new Set([
    ...view.table.shown,
    ...view.viable.flatMap(({ refs }) => refs),
    ...(state.understanding?.references.map(({ ref }) => ref) ?? []),
    ...state.turnExecutionSummaries.flatMap(collectRecordRefs),
    ...refsInText(`${view.history}\n${view.ledger}`),
  ]);
}

/** Returns the problems of a plan, as sentences that go back to the model. */
export function checkPlan(answer: ThinkAnswer, bounds: PlanBounds): string[] {
  const { decision, steps } = answer;
  const names = bounds.subdomains.map(({ name }) => name);
  return [
    ...steps.flatMap(({ refs }, index) =>
      refs
        .filter((ref) => !bounds.shown.has(ref))
        .map((ref) => `steps.${index}.refs: "${ref}" does not stand in the prompt`),
    ),
    ...steps
      .filter(({ subdomain }) => !names.includes(subdomain))
      .map(
        ({ subdomain }) =>
          `subdomain "${subdomain}" does not exist; there are: ${names.join(", ")}`,
      ),
    ...(steps.length > bounds.limits.stepsPerPlan
      ? [`${steps.length} steps; at most ${bounds.limits.stepsPerPlan} are allowed`]
      : []),
    ...(hasSteps(answer) && steps.length === 0
      ? [`decision "${decision}" needs at least one step`]
      : []),
    ...(decision === "propose" && (answer.proposal ?? "").trim() === ""
      ? ['decision "propose" needs a proposal']
      : []),
    ...(decision === "clarify" && answer.questions.every((question) => question.trim() === "")
      ? ['decision "clarify" needs a question']
      : []),
  ];
}

/**
 * The plan cut to the limit and without refs that were not shown; null where that does not put it
 * right, or where a write would go on without knowing what it is about.
 */
export function cutPlan(answer: ThinkAnswer, bounds: PlanBounds): ThinkAnswer | null {
  const isUnsure = ({ stepType, refs }: PlanStep): boolean =>
    stepType === "write" && refs.some((ref) => !bounds.shown.has(ref));
  const steps = answer.steps.slice(0, bounds.limits.stepsPerPlan);
  if (steps.some(isUnsure)) return null;
  const cut = { ...answer, steps: steps.map((step) => withShownRefs(step, bounds.shown)) };
  return checkPlan(cut, bounds).length === 0 ? cut : null;
}

/** Returns true where the steps of an answer count: carried out now, or once the person agrees. */
export function hasSteps({ decision }: Pick<ThinkAnswer, "decision">): boolean {
  return decision === "plan" || decision === "propose";
}

function withShownRefs(step: PlanStep, shown: ReadonlySet<string>): PlanStep {
  return { ...step, refs: step.refs.filter((ref) => shown.has(ref)) };
}
