import { expect, test } from "vitest";
import { correctPlanWords } from "../../nodes/concierge/correct-plan-words.ts";
import { changePlan, planAction, tripPlan } from "../support/journey-plans.ts";
import { makeUnderstanding } from "../support/turn-state.ts";

const PLAN = changePlan(
  changePlan(tripPlan(), planAction({ kind: "mark", target: "step_1", mark: "done" })),
  planAction({ kind: "remove", target: "step_2" }),
);
const [{ turn } = { turn: 0 }] = PLAN.changes;
const NOW = "The plan as it is now:\n1. [x] Tickets\n2. [ ] Invite\n3. [ ] Passport";
const CHANGED = { report: "Removed from the plan: “Room”.", isChanged: true };

function correct(words: string, text: string, planNews: typeof CHANGED | null = null): string {
  const input = { messageId: "m-3", text };
  const understanding = makeUnderstanding({ route: "concierge" });
  return correctPlanWords(words, { journeyPlan: PLAN, planNews, input, turn, understanding });
}

test.each([
  "1. **Tickets**\n2. **Passport**\n3. **Fly to Mars**",
  "Here is your plan:\n1. Tickets\n2. Passport",
  "1. Tickets\n2. Passport\n3. Invite",
  "1. Tickets\n2. Room\n3. Invite\n4. Passport",
])("correctPlanWords() shows the plan below steps that are others: %j", (words) => {
  expect(correct(words, "what are the steps again?")).toBe(NOW);
  expect(correct(words, "drop the room", CHANGED)).toBe(NOW);
  expect(correct(words, "what do I pack?")).toBe("");
});

test("correctPlanWords() shows the plan that is asked for below an answer without it", () => {
  const understanding = makeUnderstanding({ route: "concierge", asksForPlan: "show me the plan" });
  const state = { journeyPlan: PLAN, planNews: null, input: null, turn, understanding };

  expect(correctPlanWords("Here.", state)).toBe(NOW);
  expect(correctPlanWords("The tickets are done; the passport is next.", state)).toBe("");
});

test.each([
  "1. **Tickets** (done)\n2. **Invite**\n3. **Passport**",
  "What is open:\n1. Invite\n2. Passport",
  "Then come\n2. Invite\n3. Passport",
  "For the passport:\n1. Take a photo\n2. Fill in the form",
  "The tickets come first.",
])("correctPlanWords() lets %j stand", (words) => {
  expect(correct(words, "what are the steps again?")).toBe("");
});

test.each([
  ["No, I kept step 2 in the plan.", true],
  ["The room stays in your plan.", true],
  ["Das Room bleibt im Plan.", true],
  ["The room is gone, step 3 stays as it was.", false],
  ["Shall I say why the room stays?", false],
])("correctPlanWords() says below %j that the room is gone: %j", (words, isDenied) => {
  expect(correct(words, "drop the room", CHANGED)).toBe(
    isDenied ? "The change named at the top was made." : "",
  );
});
