import { buildExplorerContinueWrapper, buildExplorerInitialPrompt } from "../prompts/explorer.ts";
import { parseBatchSignal } from "../control-blocks/batch-signal.ts";
import type { IntentHandover } from "../state/handover.ts";
import { INITIAL_PHASE_STATE, type ConciergePhaseState, type Phase } from "../state/phase.ts";
import type { TurnState, TurnUpdate } from "../state/turn.ts";
import {
  fallbackHandover,
  isHandoverByCode,
  keepWarnings,
  reopenedHandover,
} from "../summaries/complete-handover.ts";
import { joinJourneys } from "../summaries/find-journey.ts";
import { requireRun } from "./require-run.ts";
import { isAwaitingAnswer } from "./concierge/concierge-step.ts";
import { extractPersonWords } from "./concierge/concierge-thread.ts";
import {
  determineContinuity,
  loadFirstPromptInput,
  selectBriefInput,
  shortenMessage,
  buildPrefaceInput,
  collectTypedMessages,
} from "./concierge/instance.ts";
import type { NodeIO, NodeServices } from "./node.ts";
import {
  afterAnswer,
  afterHandover,
  afterReopening,
  withPlan,
} from "./concierge/phase-transitions.ts";
import { makeMove } from "./concierge/change-journey.ts";
import { rollOverHandover } from "./concierge/roll-over.ts";
import { loadBatches } from "./concierge/newest-batch.ts";
import { readPlanRequest, requestedBatch, withdrawPromise } from "./concierge/read-plan-request.ts";
import { speakAsConcierge, withNotices } from "./concierge/speak-as-concierge.ts";
import { renderSentence } from "../text/sentences.ts";

/** Makes the concierge that deepens the question until a commitment has taken shape. */
export function createExplorerNode(services: NodeServices) {
  return async function explorer(state: TurnState, io: NodeIO): Promise<TurnUpdate> {
    const begun = await prepareExplorer(state, { services, io });
    const { phase, handover, fresh } = begun;
    // Before anybody speaks: the reply begins with what became of the plan.
    const reopened = begun.reopened ? await reopenJourney(state, { services, io }) : {};
    const preface = {
      ...buildPrefaceInput(state, services),
      userMessage: shortenMessage(state, services),
    };
    const speech = await speakAsConcierge(
      {
        ...state,
        ...reopened,
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
          : buildExplorerContinueWrapper(shortenMessage(state, services), {
              ...preface,
              isStalled: begun.quietTurns === services.limits.quietTurns,
            }),
      },
      { services, io },
    );
    const isSilent = speech.kind === "silent";
    if (isSilent && !begun.reopened) return speech.update;
    if (begun.from !== "explorer") {
      io.emit({ type: "phase-change", from: begun.from, to: "explorer" });
    }
    // The plan is set aside, as the reply says: the next message finds a fresh explorer.
    if (isSilent) return { ...speech.update, ...reopened, ...withPlan(phase, null) };
    const requested = await readPlanRequest(state, {
      phase: "explorer",
      allowed: ["WORKFLOW"],
      reply: speech,
      services,
      io,
    });
    const withdrawn = withdrawPromise(state, { requested, io });
    return {
      ...withNotices(speech.update, requested.notices),
      passedOnReply: { text: `${speech.update.passedOnReply?.text ?? ""}${withdrawn}` },
      calls: [...(speech.update.calls ?? []), ...requested.calls],
      ...withPlan(
        afterAnswer({ ...phase, intentHandover: handover }, speech.contextId),
        begun.from === "explorer" ? state.journeyPlan : null,
      ),
      quietTurns: begun.quietTurns,
      ...reopened,
      // Where the plan is wanted at once, the explorer gives the first answer.
      ...(state.opening === null || state.opening.answer !== ""
        ? {}
        : { opening: { ...state.opening, answer: speech.shown } }),
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
  /** The phase that the explorer takes over from; its own where it goes on. */
  readonly from: Phase;
  /** True where a plan is dropped. */
  readonly reopened: boolean;
  /** Messages in a row that brought nothing new, this one included. */
  readonly quietTurns: number;
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
  const begins = { fresh: true, quietTurns: 0, calls: [], notices: [] };
  if (opening !== null && (isAwaitingAnswer(opening) || concierge.currentPhase === "starter")) {
    const handover = fallbackHandover(journey, { userMessages: listPersonWords(state) });
    const { currentPhase: from } = concierge;
    return {
      ...begins,
      phase: afterHandover(INITIAL_PHASE_STATE, handover),
      handover,
      from,
      reopened: false,
    };
  }
  if (concierge.currentPhase === "executor") {
    const { executionHandover, pendingStepBatchAnalysis } = concierge;
    const batches = await loadBatches(state, services);
    const [last] = batches;
    const reopened =
      executionHandover === null
        ? fallbackHandover(journey, { userMessages: [] })
        : reopenedHandover(journey, {
            intent: concierge.intentHandover,
            handover: executionHandover,
            plan: state.journeyPlan,
            stepAnalysis:
              pendingStepBatchAnalysis ??
              (last?.batch.purpose === "step-help" ? last.analysis : null),
          });
    const analyses = batches.map(({ analysis }) => analysis);
    const handover = keepWarnings(reopened, [journey.opening.analysis, ...analyses]);
    return {
      ...begins,
      phase: afterReopening(concierge, handover),
      handover,
      from: "executor",
      reopened: true,
    };
  }
  const handover = concierge.intentHandover ?? fallbackHandover(journey, { userMessages: [] });
  const continuity = determineContinuity(state, services);
  const quietTurns = countQuietTurns(state);
  const kept = { phase: concierge, from: concierge.currentPhase, reopened: false, quietTurns };
  if (continuity !== "rolls-over") {
    return { ...kept, handover, fresh: continuity === "fresh", calls: [], notices: [] };
  }
  const rolled = await rollOverHandover(state, { handover, services, io });
  return {
    ...kept,
    ...rolled,
    handover: keepWarnings(rolled.handover, [journey.opening.analysis]),
    fresh: true,
  };
}

/** The journey is kept with its plan, which can be had back; its question goes on as another. */
async function reopenJourney(
  state: TurnState,
  { services, io }: PrepareExplorerOptions,
): Promise<Partial<Pick<TurnState, "journeys" | "journeyNews" | "helpStep" | "quietTurns">>> {
  const { threadId, userId } = requireRun(state);
  const archived = await services.archive.listJourneys({ threadId, userId });
  const known = joinJourneys(state.journeys, archived);
  const move = { kind: "reopen" } as const;
  const { journeys, journeyNews } = await makeMove(state, { move, known, services, io });
  return {
    ...(journeys === undefined ? {} : { journeys }),
    ...(journeyNews === undefined ? {} : { journeyNews }),
    helpStep: null,
    quietTurns: 0,
  };
}

/** The person's words in the starter's thread since the question that opened it. */
function listPersonWords({ conciergeThread, concierge }: TurnState): string[] {
  if (concierge.currentPhase !== "starter") return [];
  return conciergeThread.messages
    .filter(({ role }) => role === "user")
    .slice(1)
    .map(({ text }) => extractPersonWords(text));
}

/** Counts the messages in a row that brought nothing new; a message that no model has read counts neither way. */
function countQuietTurns({ quietTurns, understanding }: TurnState): number {
  if (understanding === null || understanding.degraded) return quietTurns;
  const { isNews, asksForPlan, commits } = understanding;
  return isNews || asksForPlan !== null || commits !== null ? 0 : quietTurns + 1;
}
