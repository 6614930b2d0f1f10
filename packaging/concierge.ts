/**
 * The pure pieces of the concierge lane and of what is stored: documents, prompts, control blocks,
 * the analysis of a claim map, the output filter. Unstable: they may change with any version.
 */

// What is stored.
export { snakeCaseCodec, type SnakeCaseCodec } from "../state/codec.ts";
export { TurnStateSchema, type TurnContext, type TurnState } from "../state/turn.ts";
export {
  StepExecutionSummarySchema,
  TurnExecutionSummarySchema,
  type History,
  type LedgerLine,
  type StepExecutionSummary,
  type TurnExecutionSummary,
} from "../state/turn-summary.ts";
export {
  ConciergePhaseStateSchema,
  INITIAL_PHASE_STATE,
  type ConciergePhaseState,
  type ConciergeThread,
  type Opening,
  type Phase,
} from "../state/phase.ts";
export {
  ExecutionHandoverSchema,
  IntentHandoverSchema,
  type ExecutionHandover,
  type IntentHandover,
} from "../state/handover.ts";
export { ActiveWorkflowSchema, type ActiveWorkflow, type WorkflowStep } from "../state/workflow.ts";
export {
  JourneyPlanSchema,
  PlannedPlanSchema,
  type Affected,
  type JourneyPlan,
  type JourneyStep,
  type PlanChange,
  type PlanDecision,
  type PlannedPlan,
  type PlannedStep,
} from "../state/journey-plan.ts";
export type { Batch, BatchPurpose, ExpertAnswer, ExpertOutcome } from "../state/batch.ts";
export type { Claim, ClaimEdge, ClaimMap } from "../state/claims.ts";

// The plan of a journey.
export { startPlan, type PlanLimits, type StartPlanOptions } from "../state/start-plan.ts";
export {
  PlanActionSchema,
  type PlanAction,
  type PlanOutcome,
  type PlanRefusal,
} from "../state/plan-action.ts";
export { applyPlanAction, type PlanActionContext } from "../state/apply-plan-action.ts";
export { findAffected } from "../state/find-affected.ts";
export { PlanViewSchema, toActiveWorkflow, viewPlan, type PlanView } from "../state/view-plan.ts";
export { renderPlan, type RenderPlanOptions } from "../prompts/render-plan.ts";

// Prompts.
export type { EnvelopePart } from "../state/envelope.ts";
export { renderParts } from "../prompts/part.ts";
export {
  buildStarterInitialPrompt,
  buildStarterReminderWrapper,
  buildStarterTurn2Wrapper,
} from "../prompts/starter.ts";
export { buildExplorerContinueWrapper, buildExplorerInitialPrompt } from "../prompts/explorer.ts";
export {
  buildExecutorContinuationPrompt,
  buildExecutorPresentationPrompt,
  buildExecutorSynthesisPrompt,
  buildStepHelpResultWrapper,
} from "../prompts/executor.ts";
export { DEFAULT_LENSES } from "../prompts/lenses.ts";

// Control blocks in, filtered text out.
export type { BatchSignal, IntentSignal } from "../state/signal.ts";
export { parseIntentHandover } from "../control-blocks/intent-handover.ts";
export { parseBatchSignal } from "../control-blocks/batch-signal.ts";
export { createSignalGate, type SignalGate } from "../control-blocks/gate.ts";
export {
  detectMachineryLeakage,
  type KnownMachinery,
  type Leak,
} from "../output-filter/detect-machinery-leakage.ts";
export { postProcess } from "../output-filter/post-process.ts";
export { readMetaKind } from "../output-filter/meta-query.ts";
export { MetaKindSchema, type MetaKind } from "../state/understanding.ts";
export {
  buildMetaResponse,
  type MetaBatch,
  type MetaFacts,
} from "../output-filter/meta-response.ts";

// The analysis of a claim map.
export {
  StructuralAnalysisSchema,
  type ShapeName,
  type Stance,
  type StanceName,
  type StructuralAnalysis,
} from "../state/analysis.ts";
export { computeStructuralAnalysis } from "../claim-analysis/analysis.ts";
export { buildStructuralBrief } from "../claim-analysis/brief.ts";
export { getShapeGuidance, getStanceGuidance } from "../claim-analysis/guidance.ts";
export { selectStance } from "../claim-analysis/stance.ts";
