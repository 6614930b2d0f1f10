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
    question: "",
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

test("renderPlanUpdate() shows the question that the reply ends with", () => {
  const update = {
    report: "Not done, “maybe skip it”: no.",
    question: "Shall I?",
    plan: null,
    countTokens: (text: string) => text.length,
  };
  expect(renderPlanUpdate(update)).toBe(`## Changed Just Now

Not done, “maybe skip it”: no.

Your reply begins with these words, written for you: do not repeat them, go on from there, and claim no other change.

It ends with this question, written for you too: ask no other.

Shall I?`);
  expect(renderPlanUpdate({ ...update, report: "", question: "" })).toBe("");
});
