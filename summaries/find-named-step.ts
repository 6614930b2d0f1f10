import type { JourneyPlan } from "../state/journey-plan.ts";
import type { ShortPlanAction } from "../state/plan-action.ts";
import { foldQuoted, holdsWords } from "../text/holds-words.ts";

/**
 * Returns an action with the id of the step or decision that it names by something else: its title, its id in
 * other letters, or its number where the person's words have that too. Where a step is not clear, its action
 * stays as it is. Pure.
 */
export function findNamedStep(action: ShortPlanAction, plan: JourneyPlan): ShortPlanAction {
  const { step, words } = action;
  const named = [
    ...plan.steps.map(({ id, title }) => ({ id, name: title })),
    ...plan.decisions.map(({ id, question }) => ({ id, name: question })),
  ];
  if (step === null || named.some(({ id }) => id === step)) return action;
  const folded = foldQuoted(step);
  const [number = ""] = /\d+/u.exec(folded) ?? [];
  const found = [
    named.filter(({ id, name }) => id === folded || foldQuoted(name) === folded),
    holdsWords(words, number) ? plan.steps.slice(Number(number) - 1, Number(number)) : [],
    named.filter(({ name }) => holdsWords(words, name)),
  ].find(({ length }) => length > 0);
  const [only, ...others] = found ?? [];
  return only === undefined || others.length > 0 ? action : { ...action, step: only.id };
}
