import type { BlockKind } from "../../control-blocks/markers.ts";
import type { KnownMachinery } from "../../output-filter/detect-machinery-leakage.ts";
import type { AnalyzedClaim, StructuralAnalysis } from "../../state/analysis.ts";
import type { ExpertProfile } from "../../state/batch.ts";
import type { BatchType } from "../../state/signal.ts";
import type { TurnState } from "../../state/turn.ts";

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
