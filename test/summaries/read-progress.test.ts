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
  ["step 2 is done and put 6 eggs on my shopping list", ["step_2"]],
  ["add rice, and steps 1 and 2 are done", ["step_1", "step_2"]],
  ["tick off step 2 and buy milk", ["step_2"]],
  ["Schritt 2 ist erledigt und setz Eier auf die Liste", ["step_2"]],
  ["put rice on step 2", []],
  ["I put rice on step 2", []],
  ["put butter on the list of things for step 2", []],
  ["don't drop step 2", []],
])("readPlanActions() reads %s", (message, completed) => {
  const actions = readPlanActions(message, plan);
  expect(actions.map(({ kind, step }) => [kind, step])).toEqual(
    completed.map((id) => ["done", id]),
  );
  const { dropped } = applyPlanActions(plan, actions.map(toPlanAction), { message, turn: 1 });
  expect(dropped).toEqual([]);
});

test("readPlanActions() reads a step that is to go", () => {
  const [action, ...others] = readPlanActions("drop step 2 and add eggs to my list", plan);
  expect(action).toMatchObject({ kind: "remove", step: "step_2", words: "drop step 2" });
  expect(others).toEqual([]);
});

law.prop([fc.string()])("names steps of the plan alone, whatever was said", (message) => {
  const ids: (string | null)[] = plan.steps.map(({ id }) => id);
  for (const { step } of readPlanActions(message, plan)) expect(ids).toContain(step);
  expect(readPlanActions(message, null)).toEqual([]);
});
