import { fc, test } from "@fast-check/vitest";
import { describe, expect } from "vitest";
import { advancePlan, replacePlan, startTurnPlan } from "../../nodes/steps/plan-progress.ts";
import { StepStatusSchema, type StepResult, type StepStatus } from "../../state/step.ts";
import { makePlan, makeResult, makeStep } from "../support/turn-state.ts";

const anyPlan = fc
  .array(fc.integer({ min: -2, max: 4 }), { minLength: 1, maxLength: 8 })
  .map((groups) => startTurnPlan(makePlan({ steps: groups.map((group) => makeStep({ group })) })));

const anyStatus = fc.constantFrom(...StepStatusSchema.options);

/** A plan somewhere on its way: any statuses up to the group whose turn it is, later steps open. */
const anyRound = fc
  .tuple(anyPlan, fc.array(anyStatus, { minLength: 8, maxLength: 8 }), fc.nat())
  .map(([{ plan, stepResults }, statuses, seed]) => {
    const groups = [...new Set(plan.steps.map(({ group }) => group))];
    const group = groups[seed % groups.length] ?? 1;
    const results = stepResults.map((result, index) =>
      (plan.steps[index]?.group ?? 0) <= group
        ? { ...result, status: statuses[index] ?? "done" }
        : result,
    );
    return { plan, group, results };
  });

describe("startTurnPlan()", () => {
  test.prop([anyPlan])(
    "numbers groups from 1 without gaps and opens every step",
    ({ plan, stepResults, cursor }) => {
      const groups = [...new Set(plan.steps.map(({ group }) => group))].toSorted((a, b) => a - b);
      expect(groups).toEqual(groups.map((_, index) => index + 1));
      expect(stepResults).toEqual(plan.steps.map((_, index) => makeResult(index)));
      expect(cursor).toEqual({ group: 1 });
    },
  );

  test.each(["answer", "propose", "clarify"] as const)(
    "opens nothing of a plan to %s",
    (decision) => {
      expect(startTurnPlan(makePlan({ decision })).stepResults).toEqual([]);
    },
  );
});

describe("progressOf()", () => {
  const steps = [makeStep(), makeStep(), makeStep({ group: 2 }), makeStep({ group: 3 })];
  const plan = makePlan({ steps });

  test.each([
    ["goes on while a step is open", "done open open open", 1, "done open open open"],
    ["takes the next group", "done done open open", 2, "done done open open"],
    ["takes it when one of two failed", "failed done open open", 2, "failed done open open"],
    [
      "ends when all of a group failed",
      "failed blocked open open",
      1,
      "failed blocked skipped skipped",
    ],
    ["ends with a question", "asked done open open", 1, "asked done skipped skipped"],
    ["waits for its neighbour before it asks", "asked open open open", 1, "asked open open open"],
    [
      "ends when another plan is wished for",
      "replan done open open",
      1,
      "replan done skipped skipped",
    ],
    ["rests when all is done", "done done done done", 1, "done done done done"],
  ] as const)("%s", (_, before, group, after) => {
    const statuses = before.split(" ") as StepStatus[];
    const results = statuses.map((status, index) => makeResult(index, { status }));
    const progress = advancePlan(plan, results, { group: 1 });
    const found = progress.results.map(({ status }) => status).join(" ");
    expect([progress.group, found]).toEqual([group, after]);
  });

  test.prop([anyRound])(
    "no step stays open that nothing will carry out",
    ({ plan: any, group, results }) => {
      const progress = advancePlan(any, results, { group });
      const open = progress.results.filter(({ status }) => status === "open");
      const inTurn = open.filter(({ step }) => any.steps[step]?.group === progress.group);
      expect(open.length === 0).toBe(inTurn.length === 0);
    },
  );

  test.prop([anyRound])("what has ended stays as it ended", ({ plan: any, group, results }) => {
    const after = advancePlan(any, results, { group }).results;
    expect(after.filter((_, index) => isOver(results[index]))).toEqual(results.filter(isOver));
    expect(after.map(({ step }) => step)).toEqual(results.map(({ step }) => step));
  });
});

describe("replacePlan()", () => {
  test.prop([anyRound, anyPlan])(
    "keeps what was done, partly done or failed, and opens only what is new",
    ({ plan, results }, next) => {
      const replaced = replacePlan(makePlan({ steps: next.plan.steps }), { plan, results });

      const kept = results.filter(({ status }) => ["done", "partial", "failed"].includes(status));
      expect(replaced.stepResults.map(({ step }) => step)).toEqual(
        replaced.plan.steps.map((_, index) => index),
      );
      expect(replaced.stepResults.slice(0, kept.length).map(({ status }) => status)).toEqual(
        kept.map(({ status }) => status),
      );
      expect(replaced.stepResults.slice(kept.length).every(({ status }) => status === "open")).toBe(
        true,
      );
      expect(Math.min(...replaced.plan.steps.slice(kept.length).map(({ group }) => group))).toBe(
        replaced.cursor.group,
      );
    },
  );
});

function isOver(result: StepResult | undefined): boolean {
  return result !== undefined && result.status !== "open";
}
