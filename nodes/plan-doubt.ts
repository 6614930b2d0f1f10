import { readAskedParts } from "../output-filter/read-asked-parts.ts";
import type { JourneyPlan } from "../state/journey-plan.ts";
import type { PlanAction } from "../state/plan-action.ts";
import { listMeantClauses, sharesWords } from "../summaries/confirming-clauses.ts";
import type { HoldReason } from "../summaries/is-asked-for.ts";
import { foldWords } from "../text/fold-words.ts";
import { hasKnownWords, saysEnd } from "../text/plan-change-words.ts";
import {
  EARLIER,
  BEFORE_JOIN,
  LEAVES_STEP,
  LATER,
  BEFORE_ORDER,
  OTHERS_OWN,
} from "../text/step-words.ts";
import { foldAnswer, readYesNo } from "../text/read-yes-no.ts";

interface ActionRead {
  readonly message: string;
  readonly plan: JourneyPlan;
}

/**
 * Returns why a clause that has a word for an action may mean something else all the same: the word denies it, tells
 * or supposes something, or is of other people's things; or the step would move the other way. Null for none. Pure.
 */
export function findPlanDoubt(
  action: PlanAction,
  { message, plan }: ActionRead,
): HoldReason | null {
  if (readYesNo(message) === "yes") return null;
  const clauses = listMeantClauses(message, action.words);
  if (action.mark === "done" && clauses.some((clause) => OTHERS_OWN.test(foldAnswer(clause))))
    return "planHeldMixed";
  if (action.kind === "move")
    return movesOtherWay(action, { message, plan }) ? "planHeldUnclear" : null;
  const isRemoval = action.kind === "remove" || action.mark === "skipped";
  if (!isRemoval || clauses.length === 0) return null;
  const parts = clauses.flatMap(splitOrders).filter((part) => sharesWords(part, action.words));
  const read = parts.length === 0 ? clauses : parts;
  if (read.every((part) => LEAVES_STEP.test(foldAnswer(part)))) return "planHeldDenied";
  return read.some(mayRemove) ? null : "planHeldUnclear";
}

/** Splits a clause before words that join it to a word for a removal: names alone go on with what is before them. */
function splitOrders(clause: string): readonly string[] {
  const parts: string[] = [];
  for (const part of clause.split(BEFORE_JOIN)) {
    const isOrder = parts.length === 0 || saysEnd(part, "gone");
    parts.push(isOrder ? part : `${parts.pop() ?? ""}${part}`);
  }
  return parts;
}

/**
 * Returns true for a clause that orders a removal or may do so in other words, none of which keep or deny. One that
 * begins or ends with a word for it is an order of plans: "scrap step 2", "Transporter raus", but "dropping it".
 */
function mayRemove(clause: string): boolean {
  const words = foldAnswer(clause);
  if (LEAVES_STEP.test(words)) return false;
  if (!hasKnownWords(clause) || saysEnd(readAskedParts(clause, "gone").asked, "gone")) return true;
  const [first = "", ...rest] = words.replace(BEFORE_ORDER, "").split(" ");
  return (!first.endsWith("ing") && saysEnd(first, "gone")) || saysEnd(rest.at(-1) ?? "", "gone");
}

/** Returns true where words say that a step comes earlier, and its place would be later, or the contrary. */
function movesOtherWay(
  { target, after, words }: PlanAction,
  { plan: { steps } }: ActionRead,
): boolean {
  const from = steps.findIndex(({ id }) => id === target);
  const title = foldWords(steps[from]?.title ?? "");
  const text = foldAnswer(words)
    .split(" ")
    .filter((word) => !title.includes(word))
    .join(" ");
  const behind = after === "start" ? -1 : steps.findIndex(({ id }) => id === after);
  const isLater = after === null || behind > from;
  return (isLater ? EARLIER : LATER).test(text) && !(isLater ? LATER : EARLIER).test(text);
}
