import { fc, test as law } from "@fast-check/vitest";
import { expect, test } from "vitest";
import { readPlanActions } from "../../summaries/read-progress.ts";
import { startPlan } from "../../state/start-plan.ts";
import { applyPlanActions } from "../../summaries/apply-plan-actions.ts";
import { toPlanAction } from "../../summaries/to-plan-action.ts";
import { plannedPlan } from "../support/journey-plans.ts";

const plan = startPlan("goal", plannedPlan(["One", "Two", "Three"]));

test.each<[string, string[]]>([
  ["step 1 is done, what now?", ["step_1"]],
  ["Step 2 is finished.", ["step_2"]],
  ["we've finished step 3", ["step_3"]],
  ["step 2 is done, how do i start step 3?", ["step_2"]],
  ["step 2 is done but step 3 is not", ["step_2"]],
  ["is step 1 done?", []],
  ["step 1 isn't done yet", []],
  ["when step 2 is done, what comes?", []],
  ["step 9 is done", []],
  ["what about step 1", []],
  ["hello", []],
])("readPlanActions() reads %s", (message, completed) => {
  const actions = readPlanActions(message, plan);
  expect(actions.map(({ kind, step }) => [kind, step])).toEqual(
    completed.map((id) => ["done", id]),
  );
  const { dropped } = applyPlanActions(plan, actions.map(toPlanAction), { message, turn: 1 });
  expect(dropped).toEqual([]);
});

law.prop([fc.string()])("names steps of the plan alone, whatever was said", (message) => {
  const ids: (string | null)[] = plan.steps.map(({ id }) => id);
  for (const { step } of readPlanActions(message, plan)) expect(ids).toContain(step);
  expect(readPlanActions(message, null)).toEqual([]);
});
