import type { Affected, JourneyPlan, JourneyStep } from "./journey-plan.ts";
import { hasSameWords } from "./plan-words.ts";

/**
 * Lists the steps that rest on what differs between two versions of a plan, directly or through others:
 * on what is gone, has other words, was opened again, skipped, or decided; and the steps that now come
 * before one that they rest on. Nearest first, then in the plan's order; each step once.
 *
 * Contract: new steps, notes, the focus, and a step that is done affect nothing; what differs itself is
 * not affected by the rest. Pure, total.
 *
 * Source: living-plan.md §1, "What a change affects".
 *
 * @example
 * const plan = startPlan("sleep better", { goal: "", steps: [], decisions: [] });
 * findAffected(plan, plan); // []
 */
export function findAffected(before: JourneyPlan, after: JourneyPlan): readonly Affected[] {
  const stood = new Set(before.steps.map(({ id }) => id));
  const sources = [...listChangedSteps(before, after), ...listDecided(before, after)];
  const seen = new Set(sources.map(({ step }) => step));
  const levels: Affected[][] = [];
  for (let level = sources; level.length > 0;) {
    level = listResting(level, { before, after, seen });
    levels.push(level.filter(({ step }) => stood.has(step)));
  }
  const [nearest = [], ...farther] = levels;
  const affected = [...nearest, ...listOvertaken(before, after), ...farther.flat()];
  return [...Map.groupBy(affected, ({ step }) => step).values()].flatMap(([first]) => first ?? []);
}

/** The steps that differ, each as affected by itself. */
function listChangedSteps(before: JourneyPlan, after: JourneyPlan): Affected[] {
  const now = new Map(after.steps.map((step) => [step.id, step]));
  return before.steps.flatMap((old) => {
    const why = findDifference(old, now.get(old.id));
    return why === null ? [] : [{ step: old.id, via: old.id, why }];
  });
}

function findDifference(old: JourneyStep, now: JourneyStep | undefined): Affected["why"] | null {
  if (now === undefined) return "gone";
  if (!hasSameWords(old, now)) return "changed";
  if (old.mark === now.mark || now.mark === "done") return null;
  return now.mark === "open" ? "reopened" : "skipped";
}

function listDecided(before: JourneyPlan, after: JourneyPlan): Affected[] {
  const now = new Map(after.decisions.map(({ id, chosen }) => [id, chosen]));
  return before.decisions
    .filter(({ id, chosen }) => now.get(id) !== chosen)
    .map(({ id }) => ({ step: id, via: id, why: "decided" }));
}

interface Search {
  readonly before: JourneyPlan;
  readonly after: JourneyPlan;
  /** Grows by what is found. */
  readonly seen: Set<string>;
}

/** The steps one relation farther, in the plan's order. What is gone has its relations in the plan before. */
function listResting(level: readonly Affected[], { before, after, seen }: Search): Affected[] {
  const present = new Set([...after.steps, ...after.decisions].map(({ id }) => id));
  const resting = level.flatMap(({ step: id, via, why }) =>
    (present.has(id) ? after : before).steps
      .filter(({ restsOn }) => restsOn.includes(id))
      .map(({ id: step }): Affected => ({ step, via, why })),
  );
  const fresh = resting.filter(({ step }) => {
    const isFresh = !seen.has(step);
    seen.add(step);
    return isFresh;
  });
  const order = after.steps.map(({ id }) => id);
  return fresh.toSorted((one, other) => order.indexOf(one.step) - order.indexOf(other.step));
}

/** The steps that stood behind one that they rest on, and now stand before it. */
function listOvertaken(before: JourneyPlan, after: JourneyPlan): Affected[] {
  const was = new Map(before.steps.map(({ id }, index) => [id, index]));
  const is = new Map(after.steps.map(({ id }, index) => [id, index]));
  return after.steps.flatMap((step, index) => {
    const via = step.restsOn.find(
      (id) => (was.get(id) ?? Infinity) < (was.get(step.id) ?? -1) && (is.get(id) ?? -1) > index,
    );
    return via === undefined ? [] : [{ step: step.id, via, why: "comes-before" }];
  });
}
