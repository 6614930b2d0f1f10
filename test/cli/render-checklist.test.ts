import { fc, test } from "@fast-check/vitest";
import { expect } from "vitest";
import { renderChecklist } from "../../cli/chat/render-checklist.ts";
import stringWidth from "string-width";
import { startPlan } from "../../state/start-plan.ts";
import { viewPlan } from "../../state/view-plan.ts";
import { JOURNEY_PLAN } from "../support/concierge-documents.ts";
import {
  act,
  anyPlanAction,
  anyStartedPlan,
  changePlan,
  planAction,
} from "../support/journey-plans.ts";

test("renderChecklist() shows steps under their headings, with all that the plan says of open ones", () => {
  expect(renderChecklist(viewPlan(JOURNEY_PLAN), 80)).toBe(
    `The plan: Five home-cooked weeknights (1 of 2 done)
  Prepare
  1. [x] Choose three bases (20 minutes)
  Carry it out
  2. [>] Prepare on Sunday
  decision: Which day is for cooking? open; recommended: Sunday`,
  );
});

test("renderChecklist() marks no step as the next where none is open", () => {
  const skipped = planAction({ kind: "mark", target: "step_2", mark: "skipped", words: "skip it" });
  const rows = renderChecklist(viewPlan(changePlan(JOURNEY_PLAN, skipped)), 80);

  expect(rows).toContain("[-] Prepare on Sunday");
  expect(rows).not.toContain("[>]");
});

test.prop([
  fc.integer({ min: 20, max: 200 }),
  anyStartedPlan,
  fc.array(anyPlanAction, { maxLength: 6 }),
  fc.string({ unit: "grapheme" }),
])("renderChecklist() keeps every row within the terminal", (columns, started, actions, words) => {
  const changed = actions.reduce((plan, action) => {
    const outcome = act(plan, action);
    return outcome.kind === "changed" ? outcome.plan : plan;
  }, started);
  const long = startPlan(words.repeat(9), { goal: "", steps: [], decisions: [] });
  for (const plan of [changed, long]) {
    const rows = renderChecklist(viewPlan(plan), columns).split("\n");
    expect(rows.filter((row) => stringWidth(row) > columns)).toEqual([]);
  }
});
