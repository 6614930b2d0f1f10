import type { JourneyPlan } from "../state/journey-plan.ts";
import type { ShortPlanAction } from "../state/plan-action.ts";
import { CHANGE_WORDS } from "../text/change-words.ts";
import { saysEnd, TICKS_OFF } from "../text/plan-change-words.ts";
import { foldAnswer } from "../text/read-yes-no.ts";
import { segmentWords } from "../text/segment-words.ts";
import { listClauses } from "./confirming-clauses.ts";
import { isAskedFor } from "./is-asked-for.ts";
import { listNamedSteps } from "./named-steps.ts";
import { toPlanAction } from "./to-plan-action.ts";

/** Words between two things that a clause says; between numbers they join steps. */
const JOINS = / (?:and|und|y|et|e|en|&) (?!\d)/iu;

/** Most words of a part that says no more than that a step is done, or is to go. */
const SHORT = 6;

/** Words that order something to be there end no step: "put rice on step 2". */
const PUTS = new Set(Object.values(CHANGE_WORDS).flatMap(({ orders }) => orders.there.split(" ")));

/**
 * Reads the steps that short parts of a message name by number and say outright to be done, or to go, such as
 * "step 2 is done", where no model read them, as changes of the plan; says rather too little than too much.
 * Linear, total.
 */
export function readPlanActions(
  message: string,
  plan: JourneyPlan | null,
): readonly ShortPlanAction[] {
  if (plan === null) return [];
  const numbered = { steps: plan.steps.map((step) => ({ ...step, title: "" })), decisions: [] };
  return listClauses(message)
    .flatMap((clause) => clause.split(JOINS))
    .flatMap((part) => {
      const words = part.trim();
      const kind = segmentWords(words).length > SHORT ? null : readEnd(words);
      const ids = kind === null ? [] : listNamedSteps(words, numbered).ids;
      return [...ids].flatMap((step) =>
        kind === null ? [] : { kind, step, after: null, text: null, words },
      );
    })
    .filter((action) => isAskedFor(toPlanAction(action), { message, plan }));
}

/** Returns the end that words say outright; null where they say none, or both. */
function readEnd(words: string): "done" | "remove" | null {
  const folded = foldAnswer(words);
  const own = folded.split(" ").filter((word) => !PUTS.has(word));
  const isDone = TICKS_OFF.test(folded) || saysEnd(own.join(" "), "done");
  const isGone = saysEnd(folded, "gone") && !TICKS_OFF.test(folded);
  return isDone === isGone ? null : isDone ? "done" : "remove";
}
