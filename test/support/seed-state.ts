import { expect } from "vitest";
import { z } from "zod";
import type { JourneyPlan } from "../../state/journey-plan.ts";
import { toActiveWorkflow } from "../../state/view-plan.ts";
import type { TestThread } from "./test-thread.ts";

/** The phase state of seed 000, written from the seed: `pendingWorkflowAnalysis` is its Part 6. */
const SeedStateSchema = z.strictObject({
  currentPhase: z.enum(["starter", "explorer", "executor"]),
  turnInPhase: z.number(),
  conciergeContextId: z.string().nullable(),
  intentHandover: z.record(z.string(), z.unknown()).nullable(),
  executionHandover: z.record(z.string(), z.unknown()).nullable(),
  activeWorkflow: z
    .strictObject({
      goal: z.string(),
      steps: z.array(
        z.strictObject({
          id: z.string(),
          title: z.string(),
          description: z.string(),
          doneWhen: z.string(),
          status: z.enum(["pending", "active", "complete"]),
        }),
      ),
      currentStepIndex: z.number(),
    })
    .nullable(),
  pendingStepBatchAnalysis: z.record(z.string(), z.unknown()).nullable(),
  pendingWorkflowAnalysis: z.record(z.string(), z.unknown()).nullable(),
});

/**
 * Expects the checkpoints that a thread still has, those after every node of its last turns, to hold the
 * seeds' phase state, with the plan that is in force in it as its workflow.
 */
export async function expectSeedStates({ graph, run }: TestThread): Promise<void> {
  const config = { configurable: { thread_id: run.threadId } };
  let count = 0;
  for await (const { values } of graph.getStateHistory(config)) {
    const { concierge, journeyPlan } = values as {
      readonly concierge?: unknown;
      readonly journeyPlan?: JourneyPlan | null;
    };
    if (concierge === undefined) continue;
    const stored = SeedStateSchema.parse(JSON.parse(JSON.stringify(concierge)));
    const plan = journeyPlan ?? null;
    expect(stored.activeWorkflow).toEqual(plan === null ? null : toActiveWorkflow(plan));
    count += 1;
  }
  expect(count).toBeGreaterThan(0);
}
