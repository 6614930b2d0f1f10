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
import { briefInput, continuityOf, firstInput, messageOf, saidInput, typedBy } from "./concierge/instance.ts";
import type { NodeIO, NodeServices } from "./node.ts";
import { afterAnswer } from "./concierge/phase-transitions.ts";
import { strayBlocks } from "./concierge/stray-blocks.ts";
import { speakAsConcierge, withNotices } from "./concierge/speak-as-concierge.ts";

/** Makes the concierge that shows the plan and helps to carry it out. */
export function createExecutorNode(services: NodeServices) {
  return async function executor(state: TurnState, io: NodeIO): Promise<TurnUpdate> {
    const { concierge } = state;
    const continuity = continuityOf(state, services);
    const fresh = continuity !== "goes-on";
    const speech = await speakAsConcierge(
      state,
      {
        phase: "executor",
        fresh,
        required: [],
        parts:
          continuity === "rolls-over"
            ? await rolledOver(state, services)
            : await nextParts(state, services),
      },
      { services, io },
    );
    if (speech.kind === "silent") return speech.update;

    const { raw, contextId, thread, update } = speech;
    const typed = typedBy(state);
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
      ...withNotices(update, [...rolled, ...strayBlocks("executor", raw, { typed })]),
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

async function nextParts(state: TurnState, services: NodeServices): Promise<EnvelopePart[]> {
  const { concierge } = state;
  const said = saidInput(state, services);
  const stepHelp = {
    ...said,
    ...briefInput(services),
    analysis: concierge.pendingStepBatchAnalysis,
  };
  const message = messageOf(state, services);
  if (concierge.turnInPhase === 0) {
    return buildExecutorSynthesisPrompt(handoverOf(state), {
      ...said,
      ...(await firstInput(state, services)),
      analysis: concierge.pendingWorkflowAnalysis,
      // In the turn of the WORKFLOW block the explorer has answered the message.
      userMessage: state.replies.length > 0 ? null : message,
    });
  }
  if (concierge.turnInPhase === 1) return buildExecutorPresentationPrompt(message, stepHelp);
  return concierge.pendingStepBatchAnalysis === null && !isHelpOwed(state)
    ? buildPassThrough(message, said)
    : buildStepHelpResultWrapper(message, stepHelp);
}

/** Whether the executor's last answer asked for help: it is told of it, even if none came. */
function isHelpOwed(state: TurnState): boolean {
  const last = state.conciergeThread.messages.findLast(({ role }) => role === "assistant");
  return last !== undefined && requestedBatch(last.text, typedBy(state)) !== null;
}

async function rolledOver(state: TurnState, services: NodeServices): Promise<EnvelopePart[]> {
  const { concierge, turnExecutionSummaries } = state;
  return buildExecutorContinuationPrompt(messageOf(state, services), {
    ...saidInput(state, services),
    ...(await firstInput(state, services)),
    handover: handoverOf(state),
    workflow: concierge.activeWorkflow,
    analysis: concierge.pendingStepBatchAnalysis,
    records: turnExecutionSummaries.map(
      ({ goal, responseSummary }) => `${goal}: ${responseSummary}`,
    ),
  });
}

/** The explorer's handover; what opened the journey, where there is none. */
function handoverOf({ concierge, opening }: TurnState): ExecutionHandover {
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
