import { fc, test } from "@fast-check/vitest";
import { expect } from "vitest";
import { applyPlanAction } from "../../state/apply-plan-action.ts";
import { describePlan, mergePlanChanges } from "../../state/journey.ts";
import type { JourneyPlan, PlanChange } from "../../state/journey-plan.ts";
import { anyPlanAction, anyStartedPlan } from "../support/journey-plans.ts";

/** A turn that changes the plan, drops it, or starts another. */
const anyTurn = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant("change"),
      actions: fc.array(anyPlanAction, { maxLength: 4 }),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: "drop" as const }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("start"), plan: anyStartedPlan }) },
);

test.prop([fc.array(anyTurn, { maxLength: 30 })])(
  "mergePlanChanges() gives every change of the last plan, whatever each row still holds",
  (turns) => {
    let plan: JourneyPlan | null = null;
    let changes: PlanChange[] = [];
    const plans: (JourneyPlan | null)[] = [];
    for (const [index, turn] of turns.entries()) {
      // A new plan in the place of one that never changed is told apart by nothing, and need not be.
      if ("plan" in turn) [plan, changes] = [turn.plan, []];
      else if (!("actions" in turn)) [plan, changes] = [null, []];
      else {
        for (const action of turn.actions) {
          if (plan === null) continue;
          const outcome = applyPlanAction(plan, action, {
            who: "person",
            why: "",
            turn: index + 1,
          });
          if (outcome.kind === "refused") continue;
          plan = outcome.plan;
          changes.push(outcome.change);
        }
      }
      plans.push(plan);
    }
    expect(mergePlanChanges(plans)).toEqual(changes);
  },
);

test.prop([anyStartedPlan])("describePlan() names the active step by its position", (plan) => {
  const of = plan.steps.length;
  const done = { ...plan, steps: plan.steps.map((step) => ({ ...step, mark: "done" as const })) };
  const progress = of === 0 ? null : { step: 1, of };

  expect(describePlan(plan)).toEqual({ progress, planVersion: 1 });
  expect(describePlan(done).progress).toEqual(progress && { step: null, of });
  expect(describePlan(null)).toEqual({ progress: null, planVersion: null });
});
