import { fc, test } from "@fast-check/vitest";
import { expect } from "vitest";
import { renderPlan } from "../../cli/chat/render-plan.ts";
import stringWidth from "string-width";
import type { ActiveWorkflow } from "../../state/workflow.ts";

const PLAN: ActiveWorkflow = {
  goal: "Dinner for eight",
  steps: [
    {
      id: "step_1",
      title: "Ask the guests",
      description: "",
      doneWhen: "all have answered",
      status: "complete",
    },
    {
      id: "step_2",
      title: "Order the main course at the place next door",
      description: "",
      doneWhen: "the order is confirmed for eight people",
      status: "active",
    },
    { id: "step_3", title: "Lay the table", description: "", doneWhen: "", status: "pending" },
  ],
  currentStepIndex: 1,
};

test.each([
  [
    40,
    [
      "The plan: Dinner for eight (1 of 3 done)",
      "  [x] Ask the guests",
      "  [>] Order the main course at the place",
      "      next door",
      "      done when: the order is confirmed",
      "      for eight people",
      "  [ ] Lay the table",
    ],
  ],
  [
    200,
    [
      "The plan: Dinner for eight (1 of 3 done)",
      "  [x] Ask the guests",
      "  [>] Order the main course at the place next door",
      "      done when: the order is confirmed for eight people",
      "  [ ] Lay the table",
    ],
  ],
])("in %i columns a plan is a checklist", (columns, rows) => {
  expect(renderPlan(PLAN, columns).split("\n")).toEqual(rows);
});

test("the step that comes next is marked though it has not been begun, and none when all are done", () => {
  const steps = PLAN.steps.map(({ id, title }, index) => ({
    id,
    title,
    description: "",
    doneWhen: "",
    status: index === 0 ? ("complete" as const) : ("pending" as const),
  }));
  const done = steps.map(({ id, title }) => ({
    id,
    title,
    description: "",
    doneWhen: "",
    status: "complete" as const,
  }));

  expect(renderPlan({ ...PLAN, steps }, 80)).toContain("[>] Order");
  expect(renderPlan({ ...PLAN, steps: done, currentStepIndex: 3 }, 80)).not.toContain("[>]");
});

test.prop([
  fc.integer({ min: 20, max: 200 }),
  fc.string({ unit: "grapheme" }),
  fc.constantFrom("pending" as const, "active" as const, "complete" as const),
])("no row is wider than the terminal", (columns, words, status) => {
  const step = { id: "step_1", title: words, description: words, doneWhen: words, status };
  const plan = { goal: words.repeat(9), steps: [step], currentStepIndex: 0 };

  const rows = renderPlan(plan, columns).split("\n");

  expect(rows.filter((row) => stringWidth(row) > columns)).toEqual([]);
});
