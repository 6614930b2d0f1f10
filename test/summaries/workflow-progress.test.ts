import { fc, test as law } from "@fast-check/vitest";
import { describe, expect, test } from "vitest";
import { applyProgress, isComplete, startWorkflow } from "../../summaries/workflow-progress.ts";
import type { ActiveWorkflow, WorkflowStep } from "../../state/workflow.ts";

const ids = fc.array(
  fc.integer({ min: 1, max: 8 }).map((number) => `step_${number}`),
  { maxLength: 4 },
);
const progress = fc.record({ completed: ids, reopened: ids });
const workflow = fc
  .tuple(fc.integer({ min: 1, max: 6 }), fc.array(progress, { maxLength: 4 }))
  .map(([count, changes]) => changes.reduce(applyProgress, makePlan(count)));

function makePlan(count: number): ActiveWorkflow {
  const steps = Array.from({ length: count }, (_, index) => ({
    title: `Step ${index + 1}`,
    description: "",
    doneWhen: "",
  }));
  return startWorkflow("Goal", steps);
}

function completeIds({ steps }: ActiveWorkflow): string[] {
  return steps.filter(({ status }) => status === "complete").map(({ id }) => id);
}

function withoutStatus(step: WorkflowStep): WorkflowStep {
  return { ...step, status: "pending" };
}

describe("applyProgress()", () => {
  law.prop([workflow, progress])("leaves one active step, the index on it", (before, change) => {
    const after = applyProgress(before, change);

    const active = after.steps.flatMap(({ status }, index) => (status === "active" ? [index] : []));
    expect(active).toEqual(isComplete(after) ? [] : [after.currentStepIndex]);
    if (isComplete(after)) expect(after.currentStepIndex).toBe(after.steps.length);
  });

  law.prop([workflow, progress])("completes what was named alone", (before, change) => {
    const after = applyProgress(before, change);

    const expected = before.steps
      .map(({ id }) => id)
      .filter((id) => completeIds(before).includes(id) || change.completed.includes(id))
      .filter((id) => !change.reopened.includes(id));
    expect(completeIds(after)).toEqual(expected);
  });

  law.prop([workflow, progress])("changes nothing but where it stands", (before, change) => {
    const after = applyProgress(before, change);

    expect(after.steps.map(withoutStatus)).toEqual(before.steps.map(withoutStatus));
    expect(after.goal).toBe(before.goal);
  });

  law.prop([workflow])("is the same workflow when nothing was confirmed", (before) => {
    expect(applyProgress(before, { completed: ["step_99"], reopened: [] })).toBe(before);
  });

  test("leaves a skipped step pending and goes on after the furthest that is complete", () => {
    const after = applyProgress(makePlan(4), { completed: ["step_2"], reopened: [] });

    expect(after.steps.map(({ status }) => status)).toEqual([
      "pending",
      "complete",
      "active",
      "pending",
    ]);
  });

  test("comes back to a step that is taken up again", () => {
    const done = applyProgress(makePlan(2), { completed: ["step_1", "step_2"], reopened: [] });
    const after = applyProgress(done, { completed: [], reopened: ["step_1"] });

    expect(after).toMatchObject({
      currentStepIndex: 0,
      steps: [{ status: "active" }, { status: "complete" }],
    });
  });
});
