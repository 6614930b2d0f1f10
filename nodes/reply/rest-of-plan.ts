import { replaceRefs } from "../../registry/replace-refs.ts";
import { JsonObjectSchema, type JsonObject } from "../../state/json.ts";
import type { Plan, PlanStep } from "../../state/plan.ts";
import type { StepResult } from "../../state/step.ts";
import { oneLine } from "../../text/fence.ts";
import { renumberCalls } from "../steps/planned-calls.ts";
import type { EntryNames } from "./name-entries.ts";
import { keepNamedRows, renderProposal } from "./render-proposal.ts";

/** The steps of a plan that are still to be done, as a plan of its own. */
export interface RestOfPlan {
  readonly steps: readonly PlanStep[];
  /** The plan as a question keeps it, for a "yes". */
  readonly stored: JsonObject;
}

interface LeftSteps {
  readonly plan: Plan;
  readonly left: readonly StepResult[];
}

/** Returns what is left of a plan. A step that has begun is decided anew, so that nothing is done twice. Pure. */
export function takeRest({ plan, left }: LeftSteps, { registry }: EntryNames): RestOfPlan {
  const indexes = left.map(({ step }) => step);
  const steps = keepNamedRows(
    indexes.flatMap((index) => plan.steps[index] ?? []),
    registry,
  );
  const begun = new Set(left.filter(({ calls }) => calls.length > 0).map(({ step }) => step));
  const calls = renumberCalls(
    plan.calls.filter(({ step }) => !begun.has(step)),
    indexes,
  );
  return { steps, stored: keepPlan({ ...plan, steps, calls }) };
}

/** Returns a plan as a question keeps it. Pure. */
export function keepPlan(plan: Omit<Plan, "steps"> & Pick<RestOfPlan, "steps">): JsonObject {
  return JsonObjectSchema.parse(JSON.parse(JSON.stringify(plan)));
}

/** Words the question whether to go on with the rest, with every change that it may make. Pure. */
export function wordRest(
  { steps }: RestOfPlan,
  names: EntryNames,
  ask: (rest: string) => string,
): string {
  const rest = steps.map(({ description }) => replaceRefs(oneLine(description), names.registry));
  return renderProposal({ proposal: ask(rest.join("; ")), steps, listed: new Map() }, names);
}
