import { isReadable, readOrder } from "../output-filter/asked-change.ts";
import { sharesWord } from "../registry/shared-words.ts";
import type { PlanQuestion } from "../state/phase.ts";
import type { PlanAction } from "../state/plan-action.ts";
import type { TurnState } from "../state/turn.ts";
import { listActionTexts, type HoldReason } from "../summaries/is-asked-for.ts";
import { listNamedSteps } from "../summaries/named-steps.ts";
import { countUndoWords } from "../text/count-undo-words.ts";
import { beginsWithYes, readYesNo } from "../text/read-yes-no.ts";
import { agreesAlone } from "./read-agreement.ts";

type AnsweringTurn = Pick<
  TurnState,
  "conciergeThread" | "turn" | "input" | "understanding" | "journeyPlan"
>;

/** Returns code's question that the message comes right after. Pure. */
export function findWaiting({ conciergeThread, turn }: AnsweringTurn): PlanQuestion | undefined {
  const { asked } = conciergeThread;
  return asked?.turn === turn - 1 ? asked : undefined;
}

/** Returns what a plain yes to code's question carries out. Pure. */
export function findAgreed(state: AnsweringTurn): PlanQuestion | undefined {
  const isYes =
    state.understanding?.answersPending == null && readYesNo(state.input?.text ?? "") === "yes";
  return isYes ? findWaiting(state) : undefined;
}

/**
 * Returns why an action, or the rework that null stands for, is no more than an answer to code's question that
 * waits: a no, or no plain yes; null where the message asks for it by itself. With more behind its yes than the
 * question has ("yes, but not now") a message asks for nothing, and one that does not begin so asks for what it
 * names. Pure.
 */
export function readPlanAnswer(action: PlanAction | null, state: AnsweringTurn): HoldReason | null {
  const waiting = findWaiting(state);
  const message = state.input?.text ?? "";
  if (waiting === undefined) return null;
  if (readYesNo(message) === "no") return "planHeldDenied";
  const { question, actions } = waiting;
  // A yes to some of several changes is none: their number stands first.
  const text = [actions.length, question, ...actions.map(({ words }) => words)].join(" ");
  const isMeant = actions.some((asked) => isAlike(asked, action));
  if (isMeant && agreesAlone(message, { text, nouns: [] })) return null;
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
