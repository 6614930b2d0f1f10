import type { Plan } from "../../state/plan.ts";
import type { StepResult } from "../../state/step.ts";
import { renderSentence } from "../../text/sentences.ts";

/** A plan with where it stands, as a change of the state. */
export interface PlanStart {
  readonly plan: Plan;
  readonly cursor: { readonly group: number };
  readonly stepResults: StepResult[];
}

/** A plan at its beginning: groups numbered from 1 without gaps; its steps open if it is to be carried out. */
export function startTurnPlan(plan: Plan): PlanStart {
  const groups = [...new Set(plan.steps.map(({ group }) => group))].toSorted((a, b) => a - b);
  const steps = plan.steps.map((step) => ({ ...step, group: groups.indexOf(step.group) + 1 }));
  return {
    plan: { ...plan, steps },
    cursor: { group: 1 },
    stepResults: plan.decision === "plan" ? steps.map((_, step) => openStep(step)) : [],
  };
}

/** Creates the result of a step that has not started. */
export function openStep(step: number): StepResult {
  return {
    step,
    status: "open",
    outcome: "",
    note: null,
    refs: [],
    artifacts: [],
    question: null,
    breaches: [],
    blocked: null,
    calls: [],
    unconfirmed: [],
    rounds: 0,
    notStarted: [],
    warnings: [],
    repairs: [],
  };
}

interface CarriedOutPlan {
  readonly plan: Plan;
  readonly results: readonly StepResult[];
}

/**
 * A new plan in place of one that was blocked: what has been done stays, with its results; the new
 * steps come after it.
 */
export function replacePlan(plan: Plan, before: CarriedOutPlan): PlanStart {
  const kept = before.results.filter(({ status }) => ENDED.has(status));
  const keptSteps = kept.flatMap(({ step }) => {
    const found = before.plan.steps[step];
    return found === undefined ? [] : [{ ...found, group: 1 }];
  });
  const fresh = startTurnPlan(plan);
  const added = fresh.plan.steps.map((step) => ({ ...step, group: step.group + 1 }));
  return {
    plan: {
      ...plan,
      steps: [...keptSteps, ...added],
      calls: plan.calls.map((call) => ({ ...call, step: call.step + keptSteps.length })),
      misfits: plan.misfits.map(({ step, reason }) => ({ step: step + keptSteps.length, reason })),
    },
    cursor: { group: 2 },
    stepResults: [...kept, ...fresh.stepResults].map(renumbered),
  };
}

const ENDED: ReadonlySet<StepResult["status"]> = new Set(["done", "partial", "failed"]);

function renumbered(result: StepResult, step: number): StepResult {
  return { ...result, step };
}

/** The state of a plan after a round: its results, and the group that runs next. */
export interface Progress {
  readonly results: readonly StepResult[];
  readonly group: number;
}

/**
 * Decides what comes after a round. The group goes on while a step of it is open; a question, a
 * wish for another plan or a group without any success ends the plan; else a later group runs
 * (its prompt names what did not succeed).
 */
export function advancePlan(
  plan: Plan,
  results: readonly StepResult[],
  { group }: { readonly group: number },
): Progress {
  const inGroup = results.filter(({ step }) => plan.steps[step]?.group === group);
  if (inGroup.some(({ status }) => status === "open")) return { results, group };
  const stopped =
    inGroup.some(({ status }) => status === "asked" || status === "replan") ||
    (inGroup.length > 0 &&
      !inGroup.some(({ status }) => status === "done" || status === "partial"));
  if (stopped) return { results: results.map(skipOpen), group };
  const next = plan.steps
    .filter((_, index) => results[index]?.status === "open")
    .map((step) => step.group);
  return { results, group: next.length === 0 ? group : Math.min(...next) };
}

function skipOpen(result: StepResult): StepResult {
  return result.status === "open"
    ? { ...result, status: "skipped", outcome: renderSentence("stepNotReached") }
    : result;
}
