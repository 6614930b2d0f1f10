import { expect, test } from "vitest";
import { findPlanDoubt } from "../../nodes/plan-doubt.ts";
import { startPlan } from "../../state/start-plan.ts";
import { plannedPlan, planAction } from "../support/journey-plans.ts";

const PLAN = startPlan("move", plannedPlan(["Van", "Gym", "Cellar"]));

test.each([
  "dropping the gym would be a mistake",
  "remind me to drop the keys at the gym",
  "she wants to drop the gym",
  "cancelling the gym takes a month",
  "Morgen streiche ich das Gym",
  "Das Streichen dauert lange",
])("findPlanDoubt() leaves the step in the plan at %j", (message) => {
  const action = planAction({ kind: "remove", target: "step_2", words: message });
  expect(findPlanDoubt(action, { message, plan: PLAN })).toBe("planHeldUnclear");
});

test.each([
  "leave the gym in",
  "leave the gym as it is",
  "Lass das Gym drin",
  "laisse la salle dedans",
  "ジムは残して",
  "ジムは消さないで",
  "Spor salonunu çıkarma",
  "не удаляй спортзал",
])("findPlanDoubt() reads %j as a no", (message) => {
  const action = planAction({ kind: "remove", target: "step_2", words: message });
  expect(findPlanDoubt(action, { message, plan: PLAN })).toBe("planHeldDenied");
});

test.each([
  "drop the gym",
  "drop the gym, I never signed up",
  "scrap steps two through three",
  "let's leave out the gym",
  "leave step 2 out",
  "we don't need the gym",
  "move the cellar before the gym and then drop the gym",
  "I'd like to remove the gym",
  "drop the van and the gym",
  "Lass das Gym weg",
  "Wir lassen das Gym weg",
  "Gym raus",
  "Schritt 2 brauchen wir nicht",
  "laisse tomber la salle",
  "sans la salle",
  "laat stap 2 weg",
  "ステップ2はいらないので消して",
  "2. adımı çıkar",
])("findPlanDoubt() finds none of a removal in %j", (message) => {
  const words = message.split(/(?:then|van) /u).at(-1) ?? "";
  const action = planAction({ kind: "remove", target: "step_2", words });
  expect(findPlanDoubt(action, { message, plan: PLAN })).toBeNull();
});

test.each([
  ["my friend has done the van for her own move", "planHeldMixed"],
  ["mein Bruder hat den Van für seinen eigenen Umzug erledigt", "planHeldMixed"],
  ["my friend has done the van", null],
])("findPlanDoubt() reads %j as done: %s", (message, doubt) => {
  const action = planAction({ kind: "mark", target: "step_1", mark: "done", words: message });
  expect(findPlanDoubt(action, { message, plan: PLAN })).toBe(doubt);
});

test.each([
  ["move the gym up", "step_3", "planHeldUnclear"],
  ["move the gym up", "start", null],
  ["move the gym down", "start", "planHeldUnclear"],
  ["schieb das Gym nach oben", null, "planHeldUnclear"],
  ["put the gym behind the cellar", "step_3", null],
])("findPlanDoubt() of %j, put behind %j: %s", (message, after, doubt) => {
  const action = planAction({ kind: "move", target: "step_2", after, words: message });
  expect(findPlanDoubt(action, { message, plan: PLAN })).toBe(doubt);
});
