import type { StructuralAnalysis } from "../../state/analysis.ts";
import type { ExecutionHandover, IntentHandover } from "../../state/handover.ts";
import type { JourneyPlan } from "../../state/journey-plan.ts";
import { INITIAL_PHASE_STATE, type ConciergePhaseState } from "../../state/phase.ts";
import type { TurnState } from "../../state/turn.ts";
import { toActiveWorkflow } from "../../state/view-plan.ts";

/**
 * Returns the plan with the phase state that shows it in the seeds' shape. Nothing else writes either:
 * two values of one plan would drift apart.
 */
export function withPlan(
  concierge: ConciergePhaseState,
  journeyPlan: JourneyPlan | null,
): Pick<TurnState, "concierge" | "journeyPlan"> {
  const activeWorkflow = journeyPlan === null ? null : toActiveWorkflow(journeyPlan);
  return { journeyPlan, concierge: { ...concierge, activeWorkflow } };
}

/** A journey whose starter has answered for the first time. */
export function afterOpening(contextId: string): ConciergePhaseState {
  return { ...INITIAL_PHASE_STATE, turnInPhase: 1, conciergeContextId: contextId };
}

/** Another answer of the phase's instance. */
export function afterAnswer(state: ConciergePhaseState, contextId: string): ConciergePhaseState {
  return { ...state, turnInPhase: state.turnInPhase + 1, conciergeContextId: contextId };
}

/** The starter has handed over: a fresh explorer comes with the next message. */
export function afterHandover(
  state: ConciergePhaseState,
  intentHandover: IntentHandover,
): ConciergePhaseState {
  return { ...freshPhase(state, "explorer"), intentHandover };
}

interface WorkflowBatchResult {
  readonly handover: ExecutionHandover | null;
  readonly analysis: StructuralAnalysis | null;
}

/** The plan's batch is back: a fresh executor makes the plan. */
export function afterWorkflowBatch(
  state: ConciergePhaseState,
  { handover, analysis }: WorkflowBatchResult,
): ConciergePhaseState {
  return {
    ...freshPhase(state, "executor"),
    executionHandover: handover ?? state.executionHandover,
    pendingWorkflowAnalysis: analysis,
    pendingStepBatchAnalysis: null,
  };
}

/** A step's batch is back: its brief goes into the executor's next message. */
export function afterStepBatch(
  state: ConciergePhaseState,
  analysis: StructuralAnalysis | null,
): ConciergePhaseState {
  return { ...state, pendingStepBatchAnalysis: analysis };
}

/** The plan is dropped: an explorer begins from what stays true. */
export function afterReopening(
  state: ConciergePhaseState,
  intentHandover: IntentHandover,
): ConciergePhaseState {
  return {
    ...freshPhase(state, "explorer"),
    intentHandover,
    executionHandover: null,
    pendingWorkflowAnalysis: null,
    pendingStepBatchAnalysis: null,
  };
}

function freshPhase(
  state: ConciergePhaseState,
  currentPhase: ConciergePhaseState["currentPhase"],
): ConciergePhaseState {
  return { ...state, currentPhase, turnInPhase: 0, conciergeContextId: null };
}
