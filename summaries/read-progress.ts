import type { JourneyPlan } from "../state/journey-plan.ts";
import type { ShortPlanAction } from "../state/plan-action.ts";
import { listConfirmingClauses } from "./confirming-clauses.ts";

const SAID_DONE =
  /\bstep (\d{1,2})(?: is|'s| has been)? (?:now |already |all )?(?:done|complete|completed|finished)\b/giu;
const I_DID =
  /\b(?:i|we)(?:'ve| have)? (?:just )?(?:done|did|finished|completed) step (\d{1,2})\b/giu;

/**
 * Reads steps that a message says are done, such as "step 2 is done", where no model read it, as changes of
 * the plan; says rather too little than too much. Linear, total, English.
 */
export function readPlanActions(
  message: string,
  plan: Pick<JourneyPlan, "steps"> | null,
): readonly ShortPlanAction[] {
  return listDone(message).flatMap(({ number, words }) => {
    const step = plan?.steps[number - 1]?.id;
    return step === undefined ? [] : [{ kind: "done", step, after: null, text: null, words }];
  });
}

/** The number of a step that is said to be done, and the words that say so. */
interface StepDone {
  readonly number: number;
  readonly words: string;
}

function listDone(message: string): readonly StepDone[] {
  return listConfirmingClauses(message).flatMap((clause) =>
    [...clause.matchAll(SAID_DONE), ...clause.matchAll(I_DID)].map(([words, number]) => ({
      number: Number(number),
      words,
    })),
  );
}
