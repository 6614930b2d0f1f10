import {
  buildExecutorContinuationPrompt,
  buildExecutorPresentationPrompt,
  buildExecutorSynthesisPrompt,
  buildPassThrough,
  buildStepHelpResultWrapper,
} from "../prompts/executor.ts";
import { parseBatchSignal } from "../control-blocks/batch-signal.ts";
import type { EnvelopePart } from "../state/envelope.ts";
import type { ExecutionHandover } from "../state/handover.ts";
import type { RequestedBatch } from "../state/signal.ts";
import type { TurnState, TurnUpdate } from "../state/turn.ts";
import { viewPlan } from "../state/view-plan.ts";
import { listWarnings } from "../summaries/complete-handover.ts";
import {
  selectBriefInput,
  determineContinuity,
  loadFirstPromptInput,
  shortenMessage,
  buildPrefaceInput,
  collectTypedMessages,
} from "./concierge/instance.ts";
import type { NodeIO, NodeServices } from "./node.ts";
import { loadBatches } from "./concierge/newest-batch.ts";
import { afterAnswer } from "./concierge/phase-transitions.ts";
import { rejectedBlocks } from "./concierge/rejected-blocks.ts";
import { speakAsConcierge, withNotices } from "./concierge/speak-as-concierge.ts";

/** Makes the concierge that shows the plan and helps to carry it out. */
export function createExecutorNode(services: NodeServices) {
  return async function executor(state: TurnState, io: NodeIO): Promise<TurnUpdate> {
    const { concierge } = state;
    const continuity = determineContinuity(state, services);
    const fresh = continuity !== "goes-on";
    const speech = await speakAsConcierge(
      state,
      {
        phase: "executor",
        fresh,
        signal: "step-help",
        required: [],
        parts:
          continuity === "rolls-over"
            ? await buildContinuationParts(state, services)
            : await buildNextParts(state, services),
      },
      { services, io },
    );
    if (speech.kind === "silent") return speech.update;

    const { raw, contextId, thread, update } = speech;
    const typed = collectTypedMessages(state);
    const signal = requestedBatch(raw, typed);
    const rolled =
      continuity === "rolls-over"
        ? [
            {
              node: "executor",
              code: "rolled-over",
              text: "The executor's thread was full; a fresh one goes on from the plan",
            },
          ]
        : [];
    return {
      ...withNotices(update, [
        ...rolled,
        ...rejectedBlocks("executor", raw, { typed, allowed: ["STEP_HELP"] }),
      ]),
      // What the prompt has brought is used up, now that it was answered.
      concierge: {
        ...afterAnswer(concierge, contextId),
        pendingWorkflowAnalysis: null,
        pendingStepBatchAnalysis: null,
      },
      conciergeThread: thread,
      ...(signal === null ? {} : { signal }),
    };
  };
}

async function buildNextParts(state: TurnState, services: NodeServices): Promise<EnvelopePart[]> {
  const { concierge } = state;
  const preface = buildPrefaceInput(state, services);
  const stepHelp = {
    ...preface,
    ...selectBriefInput(services, "stepSheetTokens"),
    analysis: concierge.pendingStepBatchAnalysis,
    goneStep: findGoneStep(state),
  };
  const message = shortenMessage(state, services);
  if (concierge.turnInPhase === 0) {
    return buildExecutorSynthesisPrompt(chooseHandover(state), {
      ...preface,
      ...(await loadFirstPromptInput(state, services)),
      ...selectBriefInput(services, "sheetTokens"),
      planSteps: services.limits.planSteps,
      analysis: concierge.pendingWorkflowAnalysis,
      warnings: listWarnings([state.opening?.analysis ?? null], concierge.pendingWorkflowAnalysis),
      // In the turn of the WORKFLOW block the explorer has answered the message.
      userMessage: state.lanesServed.includes("concierge") ? null : message,
    });
  }
  if (concierge.turnInPhase === 1) return buildExecutorPresentationPrompt(message, stepHelp);
  return concierge.pendingStepBatchAnalysis === null && !hasRequestedHelp(state)
    ? buildPassThrough(message, preface)
    : buildStepHelpResultWrapper(message, stepHelp);
}

/** The title of the step that the pending help is about, where the plan no longer has it. */
function findGoneStep({ helpStep, journeyPlan, concierge }: TurnState): string | null {
  if (concierge.pendingStepBatchAnalysis === null || helpStep?.id == null) return null;
  return journeyPlan?.steps.some(({ id }) => id === helpStep.id) === true ? null : helpStep.title;
}

/** Returns true where the executor's last answer asked for help: its next prompt says so, even if none came. */
function hasRequestedHelp(state: TurnState): boolean {
  const last = state.conciergeThread.messages.findLast(({ role }) => role === "assistant");
  return last !== undefined && requestedBatch(last.text, collectTypedMessages(state)) !== null;
}

async function buildContinuationParts(
  state: TurnState,
  services: NodeServices,
): Promise<EnvelopePart[]> {
  const { concierge, turnExecutionSummaries } = state;
  const { pendingStepBatchAnalysis: stepHelp } = concierge;
  const batches = await loadBatches(state, services);
  const analyses = [state.opening?.analysis ?? null, ...batches.map(({ analysis }) => analysis)];
  return buildExecutorContinuationPrompt(shortenMessage(state, services), {
    ...buildPrefaceInput(state, services, null),
    ...(await loadFirstPromptInput(state, services)),
    ...selectBriefInput(services, "stepSheetTokens"),
    handover: chooseHandover(state),
    plan: state.journeyPlan === null ? null : viewPlan(state.journeyPlan),
    planTokens: services.limits.planTokens,
    analysis: stepHelp,
    warnings: listWarnings(analyses, stepHelp),
    records: turnExecutionSummaries.map(
      ({ goal, responseSummary }) => `${goal}: ${responseSummary}`,
    ),
  });
}

/** The explorer's handover; what opened the journey, where there is none. */
function chooseHandover({ concierge, opening }: TurnState): ExecutionHandover {
  return (
    concierge.executionHandover ?? {
      goal: concierge.intentHandover?.impliedGoal ?? opening?.question ?? "",
      problemSummary: "",
      situation: "",
      constraints: concierge.intentHandover?.revealedConstraints ?? [],
      priorities: [],
      decisionsMade: [],
      openQuestions: [],
      explorationHighlights: [],
    }
  );
}

function requestedBatch(raw: string, typed: readonly string[]): RequestedBatch | null {
  const { type, batchPrompt, step } = parseBatchSignal(raw, { typed });
  if (type !== "STEP_HELP" || batchPrompt === null) return null;
  return { type, prompt: batchPrompt, handover: null, step };
}
