import type { ActiveWorkflow, WorkflowProgress } from "../state/workflow.ts";

const SAID_DONE =
  /\bstep (\d{1,2})(?: is|'s| has been)? (?:now |already |all )?(?:done|complete|completed|finished)\b/giu;
const I_DID =
  /\b(?:i|we)(?:'ve| have)? (?:just )?(?:done|did|finished|completed) step (\d{1,2})\b/giu;
/** Patterns of messages that ask, await or deny, and so confirm nothing. */
const NOT_CONFIRMED = /\b(?:not|never|until|if|when|once|is step|are we|isn't|hasn't)\b|\?/iu;

/**
 * Reads confirmed steps from the plain words of a message, such as "step 2 is done", where no model read
 * it; says rather too little than too much. Linear, total, English.
 */
export function readProgress(message: string, { steps }: ActiveWorkflow): WorkflowProgress {
  const clauses = message.split(/(?<=[.!?;\n])|,/u).filter((clause) => !NOT_CONFIRMED.test(clause));
  const numbers = clauses.flatMap((clause) =>
    [...clause.matchAll(SAID_DONE), ...clause.matchAll(I_DID)].map(([, number]) => Number(number)),
  );
  return { completed: numbers.flatMap((number) => steps[number - 1]?.id ?? []), reopened: [] };
}
