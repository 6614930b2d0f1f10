import { expect, test } from "vitest";
import { addConciergeNames, collectKnownMachinery } from "../../nodes/concierge/known-machinery.ts";
import { cleanText } from "../../output-filter/output-gate.ts";
import { DEFAULT_LENSES } from "../../prompts/lenses.ts";
import { INITIAL_PHASE_STATE } from "../../state/phase.ts";
import { archivedBatch } from "../support/archived-batch.ts";
import { analyzedClaim, EMPTY_ANALYSIS } from "../support/analyses.ts";
import { activeLine } from "../support/journey-lines.ts";
import { tripPlan } from "../support/journey-plans.ts";

const analyze = (...ids: string[]) => ({
  ...EMPTY_ANALYSIS,
  claims: ids.map((id) => analyzedClaim({ id })),
});

test("collectKnownMachinery() holds what any map of the turn holds, once, and the names of who is asked", () => {
  const { batch, map } = archivedBatch();
  const known = collectKnownMachinery(
    {
      analysis: null,
      batchInfo: batch,
      claimMap: map,
      concierge: { ...INITIAL_PHASE_STATE, pendingStepBatchAnalysis: analyze("claim_8", "s2") },
      opening: { question: "How?", answer: "So.", analysis: analyze("o1", "s2") },
    },
    DEFAULT_LENSES.slice(0, 2),
  );
  expect(known).toEqual({
    claims: [...new Set([...(map?.claims ?? []).map(({ id }) => id), "o1", "s2", "claim_8"])],
    batches: ["t3-b1"],
    experts: ["role", "risk", "cost", "user", "extra"],
    lenses: DEFAULT_LENSES.slice(0, 2).map(({ lens }) => lens),
    metrics: ["alignment", "tension", "fragmentation", "depth", "support", "leverage"],
    markers: ["HANDOVER", "BATCH", "WORKFLOW", "STEP_HELP"],
  });
});

test("addConciergeNames() names steps, decisions, journeys and claims in words, and no batch", () => {
  const { map } = archivedBatch();
  const names = {
    labels: new Map([["step_2", "Fry the onions"]]),
    ids: new Map(),
    prefixes: ["step"],
    tools: [],
  };
  const added = addConciergeNames(names, {
    analysis: null,
    claimMap:
      map === null ? null : { ...map, claims: [analyzedClaim({ id: "c1", label: "rest" })] },
    concierge: INITIAL_PHASE_STATE,
    opening: null,
    journeyPlan: tripPlan(),
    journeys: [activeLine(2, { title: "Go to Lisbon" })],
  });

  const text =
    "[step_4] (t3-b1, t12-b2) decision_2: step_1 of journey_2, step_2, claim c1 and t1-b1 step_9.";
  expect(cleanText(text, added)).toBe(
    "Which week?: Tickets of Go to Lisbon, Fry the onions, claim rest and.",
  );
});
