import { expect, test } from "vitest";
import { findNamedStep } from "../../summaries/find-named-step.ts";
import { changePlan, planAction, tripPlan } from "../support/journey-plans.ts";

/** Room, Invite, Passport: step_2 to step_4. */
const PLAN = changePlan(tripPlan(), planAction({ kind: "remove", target: "step_1" }));

test.each([
  ["step_2", "drop that one", "step_2"],
  ["Room", "the room is done", "step_2"],
  ["Which week?", "the first week", "decision_2"],
  ["Step_4", "step 3 is done", "step_4"],
  ["2", "step 2 is done", "step_3"],
  ["step_77", "drop the passport", "step_4"],
  ["step_1", "drop the tickets", "step_1"],
  ["step_9", "step 9 is done", "step_9"],
  ["step_77", "drop room and passport", "step_77"],
  [null, "drop the room", null],
])("findNamedStep() reads %j with %j as %j", (step, words, found) => {
  const action = { kind: "remove", step, after: null, text: null, words } as const;
  expect(findNamedStep(action, PLAN)).toEqual({ ...action, step: found });
});
