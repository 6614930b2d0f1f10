import { buildExplorerContinueWrapper, buildExplorerInitialPrompt } from "../prompts/explorer.ts";
import { diagnoseBatchSignal, parseBatchSignal } from "../control-blocks/batch-signal.ts";
import type { StructuralAnalysis } from "../state/analysis.ts";
import type { IntentHandover } from "../state/handover.ts";
import type { ConciergePhaseState } from "../state/phase.ts";
import type { BatchSignal, RequestedBatch } from "../state/signal.ts";
import type { TurnState, TurnUpdate } from "../state/turn.ts";
import { boundExecutionHandover } from "../summaries/bound-handover.ts";
import {
  fallbackHandover,
  isHandoverByCode,
  reopenedHandover,
} from "../summaries/complete-handover.ts";
import { askForBlockAgain } from "./concierge/ask-for-block.ts";
import {
  determineContinuity,
  loadFirstPromptInput,
  selectBriefInput,
  shortenMessage,
  buildPrefaceInput,
  collectTypedMessages,
} from "./concierge/instance.ts";
import type { NodeIO, NodeServices } from "./node.ts";
import { afterAnswer, afterReopening, withPlan } from "./concierge/phase-transitions.ts";
import { archiveJourney } from "./concierge/archive-journey.ts";
import { rollOverHandover } from "./concierge/roll-over.ts";
import { rejectedBlocks } from "./concierge/rejected-blocks.ts";
import {
  speakAsConcierge,
  withNotices,
  type ConciergeReply,
} from "./concierge/speak-as-concierge.ts";
import { nextReplyId } from "./reply/create-reply.ts";
import { renderSentence } from "../text/sentences.ts";
import { requireRun } from "./require-run.ts";

/** Makes the concierge that deepens the question until a commitment has taken shape. */
export function createExplorerNode(services: NodeServices) {
  return async function explorer(state: TurnState, io: NodeIO): Promise<TurnUpdate> {
    const begun = await prepareExplorer(state, { services, io });
    const { phase, handover, fresh } = begun;
    const preface = {
      ...buildPrefaceInput(state, services),
      userMessage: shortenMessage(state, services),
    };
    const speech = await speakAsConcierge(
      {
        ...state,
        calls: [...state.calls, ...begun.calls],
        notices: [...state.notices, ...begun.notices],
      },
      {
        phase: "explorer",
        fresh,
        signal: "workflow",
        required: ["message"],
        replyForBlockAlone: (raw) =>
          requestedBatch(parseBatchSignal(raw, { typed: collectTypedMessages(state) })) === null
            ? null
            : renderSentence("planBegins"),
        parts: fresh
          ? buildExplorerInitialPrompt(handover, {
              ...preface,
              ...(await loadFirstPromptInput(state, services)),
              ...(isHandoverByCode(handover) && {
                opening: {
                  ...selectBriefInput(services, "briefTokens"),
                  analysis: state.opening?.analysis ?? null,
                },
              }),
            })
          : buildExplorerContinueWrapper(shortenMessage(state, services), preface),
      },
      { services, io },
    );
    if (speech.kind === "silent") return speech.update;

    if (begun.reopened) {
      await archiveJourney(state, { services, io });
      io.emit({ type: "phase-change", from: "executor", to: "explorer" });
    }
    const requested = await readSignal(state, { reply: speech, services, io });
    // The answer has promised a plan: where none could be requested, the promise is withdrawn.
    const withdrawal = requested.isBroken ? `\n\n${renderSentence("planNotBegun")}` : "";
    if (withdrawal !== "") {
      const reply = nextReplyId(state);
      io.emit({ type: "text-delta", reply, text: withdrawal });
    }
    return {
      ...withNotices(speech.update, requested.notices),
      passedOnReply: { text: `${speech.update.passedOnReply?.text ?? ""}${withdrawal}` },
      calls: [...(speech.update.calls ?? []), ...requested.calls],
      ...withPlan(
        afterAnswer({ ...phase, intentHandover: handover }, speech.contextId),
        begun.reopened ? null : state.journeyPlan,
      ),
      conciergeThread: speech.thread,
      ...(requested.signal === null ? {} : { signal: requested.signal }),
    };
  };
}

/** The facts that the explorer's message is written from. */
interface ExplorerStart extends Pick<TurnState, "calls" | "notices"> {
  readonly phase: ConciergePhaseState;
  readonly handover: IntentHandover;
  readonly fresh: boolean;
  readonly reopened: boolean;
}

interface PrepareExplorerOptions {
  readonly services: NodeServices;
  readonly io: NodeIO;
}

async function prepareExplorer(
  state: TurnState,
  { services, io }: PrepareExplorerOptions,
): Promise<ExplorerStart> {
  const { concierge, opening } = state;
  const journey = {
    opening: opening ?? { question: shortenMessage(state, services), answer: "", analysis: null },
    userReply: shortenMessage(state, services),
  };
  if (concierge.currentPhase === "executor") {
    const handover =
      concierge.executionHandover === null
        ? fallbackHandover(journey, { userMessages: [] })
        : reopenedHandover(journey, {
            intent: concierge.intentHandover,
            handover: concierge.executionHandover,
            plan: state.journeyPlan,
            stepAnalysis: await loadStepAnalysis(state, services),
          });
    return {
      phase: afterReopening(concierge, handover),
      handover,
      fresh: true,
      reopened: true,
      calls: [],
      notices: [],
    };
  }
  const handover = concierge.intentHandover ?? fallbackHandover(journey, { userMessages: [] });
  const continuity = determineContinuity(state, services);
  const kept = { phase: concierge, reopened: false };
  if (continuity !== "rolls-over") {
    return { ...kept, handover, fresh: continuity === "fresh", calls: [], notices: [] };
  }
  const rolled = await rollOverHandover(state, { handover, services, io });
  return { ...kept, ...rolled, fresh: true };
}

/** Loads the experts' latest analysis of a step of the plan, used by the executor or not. */
async function loadStepAnalysis(
  state: TurnState,
  { archive }: NodeServices,
): Promise<StructuralAnalysis | null> {
  const { pendingStepBatchAnalysis: pending } = state.concierge;
  if (pending !== null) return pending;
  const last = await archive.latestBatch(requireRun(state));
  return last?.batch.purpose === "step-help" ? last.analysis : null;
}

interface ReadSignalOptions {
  readonly reply: ConciergeReply;
  readonly services: NodeServices;
  readonly io: NodeIO;
}

/** Reads the request for the plan's batch from the answer; asks once more where it cannot be read. */
async function readSignal(
  state: TurnState,
  facts: ReadSignalOptions,
): Promise<
  {
    readonly signal: RequestedBatch | null;
    /** True where the answer asked for a plan in a form that could not be read. */
    readonly isBroken: boolean;
  } & Pick<TurnState, "calls" | "notices">
> {
  const { raw } = facts.reply;
  const nothing = { signal: null, isBroken: false, calls: [] };
  const typed = collectTypedMessages(state);
  const notices = rejectedBlocks("explorer", raw, { typed });
  const signal = parseBatchSignal(raw, { typed });
  if (signal.type === "STEP_HELP") return { ...nothing, notices };
  const problem = diagnoseBatchSignal(raw, { typed });
  if (problem === null) return { ...nothing, signal: requestedBatch(signal), notices };
  if (problem === "typed by the user") return { ...nothing, notices };
  const again = await askForBlockAgain(state, { ...facts, problem });
  const batch = again.signal === null ? null : requestedBatch(again.signal);
  const repaired = {
    node: "explorer",
    code: "block-repaired",
    text: `A WORKFLOW block could not be read (${problem}) and was written again`,
  };
  return {
    signal: batch,
    isBroken: batch === null,
    calls: [...again.calls],
    notices: [...(batch === null ? notices : [repaired]), ...again.notices],
  };
}

function requestedBatch(signal: BatchSignal): RequestedBatch | null {
  const { type, batchPrompt, handover } = signal;
  if (type !== "WORKFLOW" || batchPrompt === null || handover === null) return null;
  return { type, prompt: batchPrompt, handover: boundExecutionHandover(handover), step: null };
}
