import type { JourneyPlan, JourneyStep, PlanDecision, PlannedPlan } from "./journey-plan.ts";
import { DEFAULT_LIMITS, type Limits } from "./limits.ts";
import { boundStep, boundWords } from "./plan-words.ts";

/** The bounds of a plan. */
export type PlanLimits = Pick<Limits, "planSteps" | "planDecisions" | "planChangesHeld">;

export interface StartPlanOptions {
  /** The choices of the execution handover: the plan's first decisions, chosen. */
  readonly decisionsMade?: readonly string[];
  readonly limits?: PlanLimits;
}

/**
 * Makes version 1 of a plan: every step open, in the order given.
 *
 * Contract: relations point to earlier steps and to decisions of the plan; other numbers are dropped,
 * and so is what exceeds `planSteps` and `planDecisions`. `goal` stands where `planned` has none.
 * Pure, total.
 *
 * Source: living-plan.md §1.
 *
 * @example
 * startPlan("sleep better", { goal: "", steps: [], decisions: [] }).version; // 1
 */
export function startPlan(
  goal: string,
  planned: PlannedPlan,
  { decisionsMade = [], limits = DEFAULT_LIMITS }: StartPlanOptions = {},
): JourneyPlan {
  const steps = keepNumbered(planned.steps, ({ title }) => title, limits.planSteps);
  const made = keepNumbered(decisionsMade, (choice) => choice, limits.planDecisions);
  const open = keepNumbered(
    planned.decisions,
    ({ question }) => question,
    limits.planDecisions - made.length,
  );
  const ids: IdsByNumber = {
    steps: numberIds(steps, "step_", 1),
    made: numberIds(made, "decision_", 1),
    open: numberIds(open, "decision_", made.length + 1),
  };
  return {
    goal: boundWords(planned.goal) || boundWords(goal),
    version: 1,
    nextNumber: Math.max(steps.length, made.length + open.length) + 1,
    focus: null,
    steps: steps.map((step) => startStep(step, ids)),
    decisions: [
      ...made.map((choice) => startMade(choice, ids)),
      ...open.map((decision) => startDecision(decision, ids)),
    ],
    changes: [],
  };
}

/** An item with its number in the list that it was given in, from 1. */
interface Numbered<Item> {
  readonly item: Item;
  readonly number: number;
}

/** Keeps the first items that have words. */
function keepNumbered<Item>(
  items: readonly Item[],
  readWords: (item: Item) => string,
  most: number,
): readonly Numbered<Item>[] {
  return items
    .map((item, index) => ({ item, number: index + 1 }))
    .filter(({ item }) => readWords(item).trim() !== "")
    .slice(0, Math.max(0, most));
}

/** Ids by the numbers that stand in a planned plan. */
interface IdsByNumber {
  readonly steps: ReadonlyMap<number, string>;
  readonly made: ReadonlyMap<number, string>;
  readonly open: ReadonlyMap<number, string>;
}

function numberIds(
  items: readonly Pick<Numbered<unknown>, "number">[],
  prefix: string,
  first: number,
): ReadonlyMap<number, string> {
  return new Map(items.map(({ number }, index) => [number, `${prefix}${first + index}`]));
}

function startStep(
  { item, number }: Numbered<PlannedPlan["steps"][number]>,
  ids: IdsByNumber,
): JourneyStep {
  const earlier = item.restsOnSteps.filter((other) => other < number);
  return {
    ...boundStep(item),
    id: ids.steps.get(number) ?? "",
    restsOn: [
      ...listIds(earlier, ids.steps),
      ...listIds(item.restsOnMade, ids.made),
      ...listIds(item.restsOnDecisions, ids.open),
    ],
    mark: "open",
    since: 1,
    notes: [],
  };
}

function startMade({ item, number }: Numbered<string>, { made }: IdsByNumber): PlanDecision {
  return {
    id: made.get(number) ?? "",
    at: null,
    question: "",
    recommendation: "",
    chosen: boundWords(item),
  };
}

function startDecision(
  { item, number }: Numbered<PlannedPlan["decisions"][number]>,
  { open, steps }: IdsByNumber,
): PlanDecision {
  return {
    id: open.get(number) ?? "",
    at: steps.get(item.atStep ?? 0) ?? null,
    question: boundWords(item.question),
    recommendation: boundWords(item.recommendation),
    chosen: null,
  };
}

/** Lists the ids of numbers that have one, each once. */
function listIds(numbers: readonly number[], ids: ReadonlyMap<number, string>): string[] {
  return [...new Set(numbers)].flatMap((number) => ids.get(number) ?? []);
}
