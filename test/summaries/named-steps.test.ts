import { expect, test } from "vitest";
import { findNamedStep, listNamedSteps } from "../../summaries/named-steps.ts";
import { startPlan } from "../../state/start-plan.ts";
import { changePlan, plannedPlan, planAction, tripPlan } from "../support/journey-plans.ts";

test.each<[string, readonly string[]]>([
  ["skip the second step", ["step_2"]],
  ["drop the 3rd step and step 1", ["step_1", "step_3"]],
  ["der letzte Schritt ist fertig", ["step_4"]],
  ["lass den zweiten Schritt weg", ["step_2"]],
  ["salta el tercer paso", ["step_3"]],
  ["la deuxième étape est faite", ["step_2"]],
  ["step 9 is done", []],
  ["one second, I am on it", []],
])("listNamedSteps() finds in %j %j", (text, ids) => {
  expect([...listNamedSteps(text, tripPlan()).ids].toSorted()).toEqual(ids);
});

test.each<[string, readonly string[]]>([
  ["STEP ONE DONE", ["step_1"]],
  ["Schritt zwei ist fertig", ["step_2"]],
  ["mark the first one as done", []],
  ["two drawers are done", ["step_2"]],
])("listNamedSteps() finds in %j %j, whatever the titles count", (text, ids) => {
  const steps = startPlan("", plannedPlan(["Prepare in one session", "Empty two drawers"]));
  expect([...listNamedSteps(text, steps).ids]).toEqual(ids);
});

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
  ["step_77", "drop the paspport", "step_4"],
  ["step_77", "drop room and passport", "step_77"],
  [null, "drop the room", null],
])("findNamedStep() reads %j with %j as %j", (step, words, found) => {
  const action = { kind: "remove", step, after: null, text: null, words } as const;
  expect(findNamedStep(action, PLAN)).toEqual({ ...action, step: found });
});
