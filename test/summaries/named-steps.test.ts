import { expect, test } from "vitest";
import { listNamedSteps } from "../../summaries/named-steps.ts";
import { tripPlan } from "../support/journey-plans.ts";

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
