import { renderConstraints } from "../../registry/constraints.ts";
import { clip, shorten } from "../../registry/shorten.ts";
import { renderExpertQuestion } from "../../prompts/expert-question.ts";
import { formatDay } from "../../prompts/dates.ts";
import type { BatchPurpose } from "../../state/batch.ts";
import type { ExpertQuestion } from "../../state/expert-question.ts";
import { findActiveJourney } from "../../state/journey.ts";
import type { Limits } from "../../state/limits.ts";
import type { CountTokens } from "../../state/model.ts";
import type { TurnContext, TurnState } from "../../state/turn.ts";
import type { TurnExecutionSummary } from "../../state/turn-summary.ts";
import { oneLine } from "../../text/fence.ts";

/** The question, and the person as the domain shows them to experts. */
export interface AskedExperts {
  readonly purpose: BatchPurpose;
  /** The person's message, or a concierge's prompt. */
  readonly text: string;
  /** `Profile.forExperts`; empty for nothing. */
  readonly person: string;
  readonly run: Pick<TurnContext, "today" | "timeZone">;
}

export interface BuildExpertQuestionOptions {
  readonly limits: Pick<Limits, "expertQuestionTokens" | "constraintTokens" | "ruleTokens">;
  readonly countTokens: CountTokens;
}

type QuestionState = Pick<
  TurnState,
  "input" | "unansweredMessages" | "constraints" | "journeys" | "turnExecutionSummaries" | "ledger"
>;

/** Characters of one line of what was said before. */
const LINE = 400;

/**
 * Builds the question to the experts within `expertQuestionTokens`: what was said before gives way first,
 * the oldest of it, then what is known of the person. The question and the rules stay; a question that
 * alone has more loses its middle. Pure.
 *
 * Source: living-plan.md §4.
 */
export function buildExpertQuestion(
  state: QuestionState,
  { purpose, text, person, run }: AskedExperts,
  { limits, countTokens }: BuildExpertQuestionOptions,
): ExpertQuestion {
  const isOpening = purpose === "opening";
  const room = { tokens: limits.expertQuestionTokens, countTokens };
  const wishes = renderConstraints(state.constraints, {
    budget: limits.constraintTokens,
    ruleBudget: limits.ruleTokens,
    message: text,
    countTokens,
  });
  const whole: ExpertQuestion = {
    text: shorten(text, room),
    // A concierge that asks has read them.
    unanswered: isOpening ? [...state.unansweredMessages] : [],
    constraints: wishes === "" ? [] : wishes.split("\n").map((line) => line.replace(/^- /u, "")),
    person,
    // A question that opens a journey has nothing before it.
    earlier: isOpening ? [] : listEarlier(state),
    date: `${formatDay(run.today)}, ${run.timeZone}`,
  };
  return fitQuestion(whole, room);
}

interface QuestionRoom {
  readonly tokens: number;
  readonly countTokens: CountTokens;
}

function fitQuestion(whole: ExpertQuestion, { tokens, countTokens }: QuestionRoom): ExpertQuestion {
  const fits = (question: ExpertQuestion): boolean =>
    countTokens(renderExpertQuestion(question)) <= tokens;
  const shorter = [
    ...Array.from(whole.earlier.keys(), (from) => ({
      ...whole,
      earlier: whole.earlier.slice(from),
    })),
    { ...whole, earlier: [] },
  ];
  const bare = { ...whole, earlier: [], person: "" };
  const bareFrom = Array.from(bare.unanswered.keys(), (from) => ({
    ...bare,
    unanswered: bare.unanswered.slice(from),
  }));
  return [...shorter, ...bareFrom].find(fits) ?? { ...bare, unanswered: [] };
}

/** Lists what was said in the journey: facts that the person stated, then the exchanges of the last turns. */
function listEarlier(state: QuestionState): string[] {
  const since = findActiveJourney(state.journeys)?.openedTurn ?? Infinity;
  const stated = state.ledger.flatMap(({ turn, stated: words }) =>
    turn < since || words === undefined ? [] : [`They said: “${shortLine(words)}”`],
  );
  const exchanges = state.turnExecutionSummaries
    .filter((summary) => summary.turnNumber >= since && isTalk(summary))
    .map(
      ({ userMessage, responseSummary }) =>
        `They said: “${shortLine(userMessage)}” They were told: ${shortLine(responseSummary)}`,
    );
  const now = state.input === null ? [] : [`They have just said: “${shortLine(state.input.text)}”`];
  return [...stated, ...exchanges, ...now];
}

/** True for a turn that has touched none of the person's data: what did is not for experts. */
function isTalk({ steps, effects, decision }: TurnExecutionSummary): boolean {
  const isLane = steps.every(({ subdomain }) => subdomain === "concierge");
  return isLane && effects.length === 0 && decision === null;
}

function shortLine(text: string): string {
  return clip(oneLine(text), LINE);
}
