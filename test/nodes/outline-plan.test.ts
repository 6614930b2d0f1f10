import { expect, test } from "vitest";
import { outlinePlan } from "../../nodes/concierge/outline-plan.ts";
import { DEFAULT_LIMITS } from "../../state/limits.ts";
import { shownPlan } from "../support/journey-plans.ts";
import { recordedIO, testServices } from "../support/node-services.ts";

/** Reads a plan of so many steps, in the turn that shows it. */
async function readShown(count: number) {
  const lines = Array.from({ length: count }, (_, at) => `${at + 1}. Box ${at + 1}: pack it`);
  const state = shownPlan(lines.join("\n"));
  const outline = await outlinePlan(state, {
    byCode: true,
    services: testServices(),
    io: recordedIO(),
  });
  return { steps: outline?.plan?.steps.length, notices: outline?.notices };
}

test("outlinePlan() notes that a plan which was shown has more steps than are kept", async () => {
  const most = DEFAULT_LIMITS.planSteps;
  expect(await readShown(most)).toEqual({ steps: most, notices: [] });
  expect(await readShown(most + 8)).toEqual({
    steps: most,
    notices: [
      {
        node: "workflow",
        code: "too-many-steps",
        text: `The plan that was shown has ${most + 8} steps; it is kept with at most ${most}`,
      },
    ],
  });
});
