import { isReadable, readOrder } from "../output-filter/asked-change.ts";
import { conciergeQuestion } from "../prompts/concierge-question.ts";
import { sharesWord } from "../registry/shared-words.ts";
import type { PlanQuestion } from "../state/phase.ts";
import type { PlanAction } from "../state/plan-action.ts";
import type { TurnState } from "../state/turn.ts";
import { listActionTexts, type HoldReason } from "../summaries/is-asked-for.ts";
import { listNamedSteps } from "../summaries/named-steps.ts";
import { countUndoWords } from "../text/count-undo-words.ts";
import { endsAsQuestion } from "../text/ends-as-question.ts";
import { saysEnd } from "../text/plan-change-words.ts";
import { beginsWithYes, readYesNo } from "../text/read-yes-no.ts";
import {
  agreesAlone,
  dropAgreeing,
  readAgreement,
  type WaitingQuestion,
} from "./read-agreement.ts";

type AnsweringTurn = Pick<
  TurnState,
  "conciergeThread" | "turn" | "input" | "understanding" | "journeyPlan"
>;

/** Returns code's question that the message comes right after. Pure. */
export function findWaiting({ conciergeThread, turn }: AnsweringTurn): PlanQuestion | undefined {
  const { asked } = conciergeThread;
  return asked?.turn === turn - 1 ? asked : undefined;
}

/** Returns what a yes to code's question carries out, in words that say no more than that. Pure. */
export function findAgreed(state: AnsweringTurn): PlanQuestion | undefined {
  const waiting = findWaiting(state);
  const isFree = state.understanding?.answersPending == null;
  return isFree && waiting !== undefined && agreesTo(readMessage(state), waiting)
    ? waiting
    : undefined;
}

/**
 * Returns code's question that a message accepts without carrying it out, so that it is put again: in words that
 * may mean more or less than a yes, or after another message. Pure.
 */
export function findHalfAgreed(state: AnsweringTurn): PlanQuestion | undefined {
  const { conciergeThread, turn } = state;
  const message = readMessage(state);
  const waiting = findWaiting(state);
  if (state.understanding?.answersPending != null || readYesNo(message) === "no") return undefined;
  if (waiting !== undefined) {
    const agreement = readAgreement(message, toQuestion(waiting));
    const isAccepting = beginsWithYes(message) || agreement === "agrees" || agreement === "unknown";
    return isAccepting && !endsAsQuestion(message) && !agreesTo(message, waiting)
      ? waiting
      : undefined;
  }
  const { asked, throughTurn } = conciergeThread;
  const isEarlier = asked?.turn === turn - 2 && throughTurn === turn - 1;
  // What the concierge has asked since is what a yes answers.
  return isEarlier && conciergeQuestion(conciergeThread) === "" && agreesTo(message, asked)
    ? asked
    : undefined;
}

/** Returns code's question that still waits after a message that answers it neither way. Pure. */
export function findKept(state: AnsweringTurn): PlanQuestion | undefined {
  const { asked } = state.conciergeThread;
  if (asked?.turn === state.turn) return asked;
  const waiting = findWaiting(state);
  const isAnswered =
    readYesNo(readMessage(state)) === "no" ||
    (waiting !== undefined && agreesTo(readMessage(state), waiting));
  return isAnswered ? undefined : waiting;
}

function readMessage({ input }: AnsweringTurn): string {
  return input?.text ?? "";
}

/** Returns true for a plain yes, and for words that agree and have no order but what is asked about. */
function agreesTo(message: string, waiting: PlanQuestion): boolean {
  if (readYesNo(message) === "yes") return true;
  const order = dropAgreeing(message);
  const isRemoval = waiting.actions.some(
    ({ kind, mark }) => kind === "remove" || mark === "skipped",
  );
  const isOther = isRemoval ? readOrder(order) === "there" : saysEnd(order, "gone");
  return !isOther && agreesAlone(message, toQuestion(waiting));
}

function toQuestion({ question, actions, rework }: PlanQuestion): WaitingQuestion {
  // A yes to some of several changes is none: their number stands first.
  const count = actions.length + (rework === null ? 0 : 1);
  return { text: [count, question, ...actions.map(({ words }) => words)].join(" "), nouns: [] };
}

/**
 * Returns why an action, or the rework that null stands for, is no more than an answer to code's question that
 * waits: a no, or no plain yes; null where the message asks for it by itself. With more behind its yes than the
 * question has ("yes, but not now") a message asks for nothing, and one that does not begin so asks for what it
 * names. Pure.
 */
export function readPlanAnswer(action: PlanAction | null, state: AnsweringTurn): HoldReason | null {
  const waiting = findWaiting(state);
  const message = readMessage(state);
  if (waiting === undefined) return null;
  if (readYesNo(message) === "no") return "planHeldDenied";
  const { actions } = waiting;
  const isMeant = actions.some((asked) => isAlike(asked, action));
  if (isMeant && agreesTo(message, waiting)) return null;
  // In words that code does not know, "step 2 can wait" is as good an answer.
  const isUnread =
    !isReadable(message) &&
    (action === null || actions.some(({ target }) => target === action.target));
  const isOwn =
    !beginsWithYes(message) &&
    !isUnread &&
    (action === null ? asksForWork(message, state) : namesSomething(action, state));
  return isOwn ? null : "planHeldAnswer";
}

function isAlike({ kind, target, mark }: PlanAction, other: PlanAction | null): boolean {
  return other?.kind === kind && other.target === target && other.mark === mark;
}

/** Returns true for a message that orders a change or names a step, as an answer does not: "next year". */
function asksForWork(message: string, { journeyPlan: plan }: AnsweringTurn): boolean {
  return readOrder(message) !== null || (plan !== null && listNamedSteps(message, plan).isAny);
}

/** Returns true for an action whose words have a text that it brings, or name a step, or take something back. Pure. */
export function namesSomething(
  action: PlanAction,
  { journeyPlan }: Pick<TurnState, "journeyPlan">,
): boolean {
  const { words } = action;
  const texts = listActionTexts(action);
  if (texts.length > 0) return texts.some((text) => sharesWord(text, words));
  const isNamed = journeyPlan !== null && listNamedSteps(words, journeyPlan).isAny;
  return isNamed || countUndoWords(words) > 0;
}
