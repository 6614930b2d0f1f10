import type { ArchivedBatch } from "../../state/archive.ts";
import type { StructuralAnalysis } from "../../state/analysis.ts";
import type { CountTokens } from "../../state/model.ts";
import type { ExpertThread, ThreadMessage } from "../../state/phase.ts";
import type { JourneyPlan } from "../../state/journey-plan.ts";
import type { ThreadReport, ThreadState } from "../thread-state.ts";

/**
 * Returns the document that `inspect` prints: long texts by their size, an analysis by its shape, and
 * a plan with its progress.
 */
export function describeThread(report: ThreadReport, countTokens: CountTokens) {
  const { thread, state, waiting, usage, lastTurns, lastBatch } = report;
  return {
    thread,
    state: describeState(state, countTokens),
    waiting,
    usage,
    lastTurns,
    lastBatch: lastBatch === null ? null : describeBatch(lastBatch),
  };
}

function describeState(state: ThreadState, countTokens: CountTokens) {
  const { concierge, journeyPlan, opening, conciergeThread, expertThreads } = state;
  const { pendingWorkflowAnalysis, pendingStepBatchAnalysis } = concierge;
  const { contextId, model, messages, throughTurn } = conciergeThread;
  return {
    ...state,
    concierge: {
      ...concierge,
      pendingWorkflowAnalysis: describeAnalysis(pendingWorkflowAnalysis),
      pendingStepBatchAnalysis: describeAnalysis(pendingStepBatchAnalysis),
    },
    journeyPlan: journeyPlan === null ? null : describePlan(journeyPlan),
    opening: opening === null ? null : { ...opening, analysis: describeAnalysis(opening.analysis) },
    conciergeThread: { contextId, model, throughTurn, ...measureMessages(messages, countTokens) },
    expertThreads: expertThreads.map((thread) => describeExpert(thread, countTokens)),
  };
}

function describePlan(plan: JourneyPlan) {
  const done = plan.steps.filter(({ mark }) => mark === "done").length;
  return { ...plan, progress: { done, of: plan.steps.length } };
}

function describeExpert({ expert, messages }: ExpertThread, countTokens: CountTokens) {
  return { expert, ...measureMessages(messages, countTokens) };
}

function measureMessages(messages: readonly ThreadMessage[], countTokens: CountTokens) {
  const tokens = messages.reduce((sum, { text }) => sum + countTokens(text), 0);
  return { messages: messages.length, tokens };
}

function describeAnalysis(analysis: StructuralAnalysis | null) {
  if (analysis === null) return null;
  const { name, confidence, runnerUp } = analysis.shape;
  return { shape: name, confidence, runnerUp, claims: analysis.claims.length };
}

function describeBatch({ turn, batch, answers, map, analysis }: ArchivedBatch) {
  const { id, purpose, step, question } = batch;
  return {
    turn,
    id,
    purpose,
    step,
    question,
    experts: answers.map(({ expert, outcome, reason, ms, text, usage }) => ({
      expert,
      outcome,
      reason,
      ms,
      characters: text.length,
      usage,
    })),
    analysis: describeAnalysis(analysis),
    map,
  };
}
