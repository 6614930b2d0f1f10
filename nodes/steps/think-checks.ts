import type { Domain } from "../../state/domain.ts";
import type { ConversationView } from "../../prompts/view.ts";
import type { Limits } from "../../state/limits.ts";
import type { PlanStep, ThinkAnswer } from "../../state/plan.ts";
import type { TurnState } from "../../state/turn.ts";
import { listShownRefs } from "../../registry/working-set.ts";
import { refsInText } from "../reply/refs-in-text.ts";
import { checkWrites } from "./planned-writes.ts";
import { collectRecordRefs } from "./refs-of-record.ts";

/** The bounds of a plan. */
export interface PlanBounds {
  readonly domain: Pick<Domain, "entityTypes" | "subdomains" | "tools">;
  readonly limits: Pick<Limits, "stepsPerPlan">;
}

/** Collects every ref that Think's prompt shows, each once. */
export function collectRefsForThink(state: TurnState, view: ConversationView): string[] {
  const refs = [
    ...view.table.shown,
    ...listShownRefs(view.workingSet),
    ...(state.understanding?.references.map(({ ref }) => ref) ?? []),
    ...state.turnExecutionSummaries.flatMap(collectRecordRefs),
    ...refsInText(`${view.history}\n${view.ledger}`),
  ];
  return [...new Set(refs)];
}

/** Returns the problems of a plan, as sentences that go back to the model. */
export function checkPlan(answer: ThinkAnswer, bounds: PlanBounds): string[] {
  const { decision, steps } = answer;
  const names = bounds.domain.subdomains.map(({ name }) => name);
  return [
    ...steps
      .filter(({ subdomain }) => !names.includes(subdomain))
      .map(
        ({ subdomain }) =>
          `subdomain "${subdomain}" does not exist; there are: ${names.join(", ")}`,
      ),
    ...steps.flatMap((step) => checkWrites(step, bounds.domain)),
    ...(steps.length > bounds.limits.stepsPerPlan
      ? [`${steps.length} steps; at most ${bounds.limits.stepsPerPlan} are allowed`]
      : []),
    ...(hasSteps(answer) && steps.length === 0
      ? [`decision "${decision}" needs at least one step`]
      : []),
    ...(decision === "propose" && (answer.proposal ?? "").trim() === ""
      ? ['decision "propose" needs a sentence in asks']
      : []),
    ...(decision === "clarify" && answer.questions.every((question) => question.trim() === "")
      ? ['decision "clarify" needs a question in asks']
      : []),
  ];
}

/**
 * Cuts a plan, already without the refs that were not shown, to the limit. Null where that does not
 * put it right, or where a write has lost a ref that the model had `given`: it is not carried out
 * without all it is about.
 */
export function cutPlan(
  answer: ThinkAnswer,
  given: ThinkAnswer,
  bounds: PlanBounds,
): ThinkAnswer | null {
  const hasLostRefs = (step: PlanStep, index: number): boolean => {
    const before = given.steps[index];
    return step.stepType === "write" && (!before || countRefs(step) !== countRefs(before));
  };
  const steps = answer.steps.slice(0, bounds.limits.stepsPerPlan);
  if (steps.some(hasLostRefs)) return null;
  // A read without the rows that it was for would read every row.
  const lost = new Set(
    given.calls
      .filter(({ refs }, index) => answer.calls[index]?.refs.length !== refs.length)
      .map(({ step }) => step),
  );
  const calls = answer.calls.filter(({ step }) => step < steps.length && !lost.has(step));
  const cut = { ...answer, steps, calls };
  return checkPlan(cut, bounds).length === 0 ? cut : null;
}

/** Returns true where the steps of an answer count: carried out now, or once the person agrees. */
export function hasSteps({ decision }: Pick<ThinkAnswer, "decision">): boolean {
  return decision === "plan" || decision === "propose";
}

function countRefs({ refs, writes }: PlanStep): number {
  return refs.length + writes.reduce((sum, write) => sum + write.refs.length, 0);
}
