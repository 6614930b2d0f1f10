import { expect, test } from "vitest";
import { denyPlanClaim } from "../../nodes/concierge/deny-plan-claim.ts";
import { applyPlanAction } from "../../state/apply-plan-action.ts";
import { DEFAULT_LIMITS } from "../../state/limits.ts";
import { planAction, tripPlan } from "../support/journey-plans.ts";

const ticked = applyPlanAction(
  tripPlan(),
  planAction({ kind: "mark", target: "step_1", mark: "done" }),
  { who: "person", turn: 2, why: "", limits: DEFAULT_LIMITS },
);
const TURN = {
  journeyPlan: ticked.kind === "changed" ? ticked.plan : null,
  planNews: null,
  journeyNews: null,
  effects: [],
};

test.each([
  "I removed step 2 and marked step 3 as done. Your plan now has two steps.",
  "Sure! I've dropped the second step from your plan.",
  "Great, step 2 is done. What now?",
  "I’ve added a sleep mask to your plan.",
  "Step 3 has been removed.",
  "Well done.\n\nRemoved from the plan: “Room”.",
  "Done: 2 (“Room”).",
])("denyPlanClaim() contradicts %j where the turn has changed nothing", (words) => {
  expect(denyPlanClaim(words, TURN)).toBe("Nothing was changed.");
});

test.each([
  "Step 1 is done, so the room is next.",
  "Step 2 is done when you have the keys.",
  "Step 2 is done as soon as you have the keys.",
  "I can remove step 2 from your plan. Shall I?",
  "Shall I go on, now that I have removed step 2 from your plan?",
  "I have not changed your plan.",
  "If step 2 is done, go on with step 3.",
  "You moved step 2 last week.",
  "I would drop step 2: it costs more than it brings.",
  "I removed step 2 in the last turn.",
  "I have added some ideas for step 2 below.",
  "Done: that is the hardest part behind you.",
  "Once the room is booked, step 2 is done.",
])("denyPlanClaim() lets %j stand", (words) => {
  expect(denyPlanClaim(words, TURN)).toBe("");
});

test("denyPlanClaim() knows what code has said, and what it has not", () => {
  const report = "Removed from the plan: “Room”.";
  const planNews = { report, unclear: [], isChanged: true };
  expect(denyPlanClaim(`I removed step 2.\n\n${report}`, { ...TURN, planNews })).toBe("");
  expect(denyPlanClaim("Fine.\n\nDone: 1 (“Invite”).", { ...TURN, planNews })).toBe(
    "Nothing else was changed.",
  );
  expect(denyPlanClaim("I removed step 2.", { ...TURN, journeyPlan: null })).toBe("");
});
