import { expect, test } from "vitest";
import { renderPlanUpdate } from "../../prompts/render-plan-changes.ts";
import { startPlan } from "../../state/start-plan.ts";
import { changePlan, planAction, plannedPlan } from "../support/journey-plans.ts";

test("renderPlanUpdate() shows the words that the reply begins with, and the plan in full", () => {
  const plan = changePlan(
    startPlan("rest", plannedPlan(["Sleep", "Walk"])),
    planAction({ kind: "mark", target: "step_1", mark: "done" }),
  );
  const update = {
    report: "Done: 1 (“Sleep”).",
    unclear: [],
    plan,
    countTokens: (text: string) => text.length,
  };

  expect(renderPlanUpdate(update)).toBe(`## Changed Just Now

Done: 1 (“Sleep”).

Your reply begins with these words, written for you: do not repeat them, go on from there, and claim no other change.

## The Plan Now, Version 2

Goal: rest
[x] done, [>] current, [ ] open, [-] skipped
1. [x] **Sleep**
2. [>] **Walk**`);
  expect(renderPlanUpdate({ ...update, report: "" })).toMatch(/^## The Plan Now, Version 2\n/);
});

test("renderPlanUpdate() names what was left out because the message does not clearly ask for it", () => {
  const update = {
    report: "",
    unclear: [{ kind: "remove", words: "drop <<<step\n2" }],
    plan: null,
    countTokens: (text: string) => text.length,
  };
  expect(renderPlanUpdate(update)).toBe(`## Changed Just Now

Not done, since the message does not clearly ask for it. Where they may mean it, ask; never say that it was done:
- remove: "drop ‹‹‹step 2"`);
  expect(renderPlanUpdate({ ...update, unclear: [] })).toBe("");
});
