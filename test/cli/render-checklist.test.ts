import { fc, test } from "@fast-check/vitest";
import { expect } from "vitest";
import { renderChecklist } from "../../cli/chat/render-checklist.ts";
import stringWidth from "string-width";

test("renderChecklist() marks the next step before it has begun, and none when all are done", () => {
  const first = { id: "step_1", title: "Ask", description: "", doneWhen: "" };
  const steps = [
    { ...first, status: "complete" as const },
    { ...first, id: "step_2", title: "Order", status: "pending" as const },
  ];
  const done = steps.map((step) => ({ ...step, status: "complete" as const }));

  expect(renderChecklist({ goal: "Eat", steps, currentStepIndex: 1 }, 80)).toContain("[>] Order");
  expect(renderChecklist({ goal: "Eat", steps: done, currentStepIndex: 2 }, 80)).not.toContain(
    "[>]",
  );
});

test.prop([
  fc.integer({ min: 20, max: 200 }),
  fc.string({ unit: "grapheme" }),
  fc.constantFrom("pending" as const, "active" as const, "complete" as const),
])("renderChecklist() keeps every row within the terminal", (columns, words, status) => {
  const step = { id: "step_1", title: words, description: words, doneWhen: words, status };
  const plan = { goal: words.repeat(9), steps: [step], currentStepIndex: 0 };

  const rows = renderChecklist(plan, columns).split("\n");

  expect(rows.filter((row) => stringWidth(row) > columns)).toEqual([]);
});
