import type { BlockKind } from "../../control-blocks/markers.ts";
import type { KnownMachinery } from "../../output-filter/detect-machinery-leakage.ts";
import type { OutputNames } from "../../output-filter/output-gate.ts";
import type { AnalyzedClaim, StructuralAnalysis } from "../../state/analysis.ts";
import type { ExpertProfile } from "../../state/batch.ts";
import type { BatchType } from "../../state/signal.ts";
import type { TurnState } from "../../state/turn.ts";
import { nameDecision } from "../../summaries/affected-steps.ts";
import { oneLine } from "../../text/fence.ts";

/** Figures of a map and of its claims that have a name of their own. */
const METRICS = [
  "alignment",
  "tension",
  "fragmentation",
  "depth",
  "support",
  "leverage",
] as const satisfies readonly (keyof StructuralAnalysis["metrics"] | keyof AnalyzedClaim)[];

const MARKERS = ["HANDOVER", "BATCH", "WORKFLOW", "STEP_HELP"] as const satisfies readonly (
  | BlockKind
  | BatchType
)[];

/** The parts of a turn that a concierge's prompts are written from. */
type MachineryState = Pick<
  TurnState,
  "analysis" | "batchInfo" | "claimMap" | "concierge" | "opening"
>;

/** Collects what the turn holds of the machinery: ids of its maps and batch, and names of who was asked. Pure. */
export function collectKnownMachinery(
  { analysis, batchInfo, claimMap, concierge, opening }: MachineryState,
  experts: readonly ExpertProfile[],
): KnownMachinery {
  const analyses: readonly (StructuralAnalysis | null | undefined)[] = [
    analysis,
    opening?.analysis,
    concierge.pendingStepBatchAnalysis,
    concierge.pendingWorkflowAnalysis,
  ];
  const held = [claimMap, ...analyses].flatMap((map) => map?.claims ?? []);
  return {
    claims: [...new Set(held.map(({ id }) => id))],
    batches: batchInfo === null ? [] : [batchInfo.id],
    experts: [...new Set([...experts.map(({ id }) => id), ...(batchInfo?.experts ?? [])])],
    lenses: experts.flatMap(({ lens }) => lens ?? []),
    metrics: METRICS,
    markers: MARKERS,
  };
}

/** The parts of a turn whose ids a concierge may have read. */
type NamedState = Omit<MachineryState, "batchInfo"> & Pick<TurnState, "journeyPlan" | "journeys">;

/**
 * Adds to the names of a turn those of its plan and its journeys, of its claims and of batches, so that a
 * concierge's text shows words in their place: a step's or a journey's title, a decision's question, a
 * claim's label, nothing for a batch. Pure.
 */
export function addConciergeNames(names: OutputNames, state: NamedState): OutputNames {
  const { analysis, claimMap, concierge, opening, journeyPlan, journeys } = state;
  const steps = journeyPlan?.steps ?? [];
  const decisions = journeyPlan?.decisions ?? [];
  const labels = [
    ...steps.map(({ id, title }) => [id, oneLine(title)] as const),
    ...decisions.map((decision) => [decision.id, nameDecision(decision)] as const),
    ...journeys.map(({ id, title }) => [id, title] as const),
  ];
  const maps = [
    opening?.analysis,
    concierge.pendingWorkflowAnalysis,
    concierge.pendingStepBatchAnalysis,
    analysis,
    claimMap,
  ];
  const claims = maps.flatMap((map) => map?.claims ?? []);
  return {
    ...names,
    // Where a domain has refs of the same form, they are what the text means.
    labels: new Map([...labels, ...names.labels]),
    prefixes: [...new Set([...names.prefixes, "step", "decision", "journey"])],
    others: new Map([
      ...(names.others ?? []),
      ...claims.map(({ id, label }) => [id, oneLine(label)] as const),
    ]),
    hasBatches: true,
  };
}
