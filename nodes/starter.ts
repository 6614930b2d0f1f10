import {
  buildStarterInitialPrompt,
  buildStarterRebuiltPrompt,
  buildStarterReminderWrapper,
  buildStarterTurn2Wrapper,
} from "../prompts/starter.ts";
import { parseBatchSignal } from "../control-blocks/batch-signal.ts";
import { renderSentence } from "../text/sentences.ts";
import { parseIntentHandover } from "../control-blocks/intent-handover.ts";
import type { IntentHandover } from "../state/handover.ts";
import type { ConciergeThread, Opening } from "../state/phase.ts";
import type { TurnState, TurnUpdate } from "../state/turn.ts";
import { chooseStance, selectStance } from "../claim-analysis/stance.ts";
import { completeIntentHandover, fallbackHandover } from "../summaries/complete-handover.ts";
import { createPlanWordCleaner } from "./concierge/clean-plan-words.ts";
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
  afterOpening,
  withPlan,
} from "./concierge/phase-transitions.ts";
import { readPlanRequest, requestedBatch, withdrawPromise } from "./concierge/read-plan-request.ts";
import { rejectedBlocks } from "./concierge/rejected-blocks.ts";
import {
  speakAsConcierge,
  withNotices,
  type ConciergeMessage,
} from "./concierge/speak-as-concierge.ts";

/** Makes the concierge that opens a journey, and hands over once it has heard the answer. */
export function createStarterNode(services: NodeServices) {
  return async function starter(state: TurnState, io: NodeIO): Promise<TurnUpdate> {
    const { opening } = state;
    if (opening === null) throw new TypeError("Cannot open a journey: there is no question");
    const first = isAwaitingAnswer(opening);
    const message = first
      ? await firstMessage(state, { opening, services })
      : await laterMessage(state, { opening, services });
    const speech = await speakAsConcierge(state, message, { services, io });
    if (speech.kind === "silent") return speech.update;

    const { raw, shown, thread, contextId } = speech;
    const typed = collectTypedMessages(state);
    if (first) {
      return {
        ...withNotices(speech.update, rejectedBlocks("starter", raw, { typed, allowed: [] })),
        ...withPlan(afterOpening(contextId), null),
        conciergeThread: thread,
        opening: { ...opening, answer: shown },
      };
    }
    const requested = await readPlanRequest(state, {
      phase: "starter",
      allowed: ["HANDOVER", "WORKFLOW"],
      reply: speech,
      services,
      io,
    });
    const answered = afterAnswer(state.concierge, contextId);
    const handover = createHandover(state, {
      opening,
      raw,
      thread,
      // A plan that begins needs no further answer of the starter.
      turns: requested.signal === null ? answered.turnInPhase : services.limits.starterTurns,
      services,
    });
    if (handover !== null) io.emit({ type: "phase-change", from: "starter", to: "explorer" });
    const withdrawn = withdrawPromise(state, { requested, io });
    return {
      ...withNotices(speech.update, requested.notices),
      passedOnReply: { text: `${speech.update.passedOnReply?.text ?? ""}${withdrawn}` },
      calls: [...(speech.update.calls ?? []), ...requested.calls],
      concierge: handover === null ? answered : afterHandover(answered, handover),
      quietTurns: 0,
      conciergeThread: thread,
      ...(requested.signal === null ? {} : { signal: requested.signal }),
    };
  };
}

interface StarterFacts {
  readonly opening: Opening;
  readonly services: NodeServices;
}

async function firstMessage(state: TurnState, facts: StarterFacts): Promise<ConciergeMessage> {
  const { services } = facts;
  return {
    phase: "starter",
    fresh: true,
    required: ["rules", "message"],
    parts: buildStarterInitialPrompt(shortenMessage(state, services), {
      ...buildPrefaceInput(state, services),
      ...(await openingInput(state, facts)),
    }),
  };
}

/** Loads the input of the first prompt, apart from the messages. */
async function openingInput(state: TurnState, { opening, services }: StarterFacts) {
  const { analysis, question } = opening;
  const shape = analysis?.shape.name ?? "exploratory";
  const stance =
    opening.stance === undefined
      ? selectStance(question, shape)
      : chooseStance(opening.stance, shape);
  return {
    ...(await loadFirstPromptInput(state, services)),
    ...selectBriefInput(services, "briefTokens"),
    analysis,
    stance: stance.name,
  };
}

async function laterMessage(state: TurnState, facts: StarterFacts): Promise<ConciergeMessage> {
  const { opening, services } = facts;
  const preface = buildPrefaceInput(state, services);
  const message = shortenMessage(state, services);
  const handover = {
    ...preface,
    shape: opening.analysis?.shape.name ?? null,
    question: opening.question,
    isLast: state.concierge.turnInPhase + 1 >= services.limits.starterTurns,
  };
  const replyForBlockAlone = (raw: string): string | null => {
    const typed = collectTypedMessages(state);
    if (requestedBatch(parseBatchSignal(raw, { typed })) !== null) {
      return renderSentence("planBegins");
    }
    const isValid = parseIntentHandover(raw, { typed }).handover !== null;
    return isValid ? renderSentence("thatHelps") : null;
  };
  if (determineContinuity(state, services) !== "goes-on") {
    const input = await openingInput(state, facts);
    return {
      phase: "starter",
      fresh: true,
      signal: "handover",
      replyForBlockAlone,
      required: ["rules", "message"],
      parts: buildStarterRebuiltPrompt(message, { ...handover, ...input, answer: opening.answer }),
    };
  }
  const isSecond = state.concierge.turnInPhase === 1;
  return {
    phase: "starter",
    fresh: false,
    signal: "handover",
    replyForBlockAlone,
    required: ["message"],
    parts: isSecond
      ? buildStarterTurn2Wrapper(message, handover)
      : buildStarterReminderWrapper(message, handover),
  };
}

interface CreateHandoverOptions {
  readonly opening: Opening;
  readonly raw: string;
  readonly thread: ConciergeThread;
  readonly turns: number;
  readonly services: NodeServices;
}

/** The handover that came, completed; one made by code once the starter has had its turns. */
function createHandover(state: TurnState, facts: CreateHandoverOptions): IntentHandover | null {
  const { opening, raw, thread, turns, services } = facts;
  const journey = { opening, userReply: shortenMessage(state, services) };
  const { handover } = parseIntentHandover(raw, { typed: collectTypedMessages(state) });
  if (handover !== null) {
    const clean = createPlanWordCleaner(state, services);
    const { impliedGoal } = handover;
    return completeIntentHandover({ ...handover, impliedGoal: clean(impliedGoal) }, journey);
  }
  if (turns < services.limits.starterTurns) return null;
  // All that they have said since the question, which the thread begins with.
  const userMessages = thread.messages.filter(({ role }) => role === "user").slice(1);
  return fallbackHandover(journey, {
    userMessages: userMessages.map(({ text }) => extractPersonWords(text)),
  });
}
