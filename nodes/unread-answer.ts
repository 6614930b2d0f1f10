import { readMetaKind } from "../output-filter/meta-query.ts";
import { conciergeQuestion } from "../prompts/concierge-question.ts";
import { NO_CURATION } from "../state/registry.ts";
import type { TurnState, TurnUpdate } from "../state/turn.ts";
import { EMPTY_ADVICE, NOTHING_RARE, type UnderstandAnswer } from "../state/understanding.ts";
import { readPlanActions } from "../summaries/read-progress.ts";
import type { Lanes } from "./node.ts";

/** A turn that only asks whether it may go on: the message is kept as it is, and read after a "yes". */
export function withoutReading(state: TurnState, lanes: Lanes): TurnUpdate {
  const answer = unreadAnswer(state, lanes);
  const reasoning = "The conversation's budget is used up; the person is asked first.";
  return {
    understanding: { ...answer, reasoning, route: "clarify", waived: [], degraded: false },
  };
}

/** The message is passed on as it is; patterns find in it what nobody can mistake. */
export function fallbackAnswer(state: TurnState, lanes: Lanes): UnderstandAnswer {
  const text = state.input?.text ?? "";
  const planActions = [...readPlanActions(text, state.journeyPlan)];
  const isOfPlan = planActions.length > 0 && lanes.concierge;
  return {
    ...unreadAnswer(state, lanes),
    ...(isOfPlan ? { lane: "concierge", needs: null } : {}),
    planActions,
    meta: readMetaKind(text) ?? "none",
  };
}

/** A decision says no more than itself: what it answers is read from the state. */
export function decidedAnswer(state: TurnState, lanes: Lanes): UnderstandAnswer {
  const reasoning = "The person has decided without words.";
  return { ...unreadAnswer(state, lanes), reasoning };
}

/** The message goes to whom it most likely answers; nothing is curated. */
function unreadAnswer(state: TurnState, lanes: Lanes): UnderstandAnswer {
  const answersConcierge =
    state.conciergeThread.throughTurn === state.turn - 1 &&
    conciergeQuestion(state.conciergeThread) !== "";
  return {
    reasoning: "The message could not be read by the model; it is passed on as it is.",
    lane: lanes.task && !(lanes.concierge && answersConcierge) ? "task" : "concierge",
    ...EMPTY_ADVICE,
    journey: lanes.task || state.opening !== null ? "continue" : "new",
    references: [],
    curation: NO_CURATION,
    constraints: [],
    expressed: "",
    needs: lanes.task ? "work" : null,
    look: null,
    answersPending: null,
    ...NOTHING_RARE,
  };
}
