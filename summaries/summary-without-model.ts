import type { TurnState } from "../state/turn.ts";
import type { TurnFacts } from "./turn-facts.ts";

/**
 * Returns true where code alone can summarize the turn: receipts, things that were listed or a question
 * tell what was said, or all that was done is finding and storing rows.
 *
 * The substance of any other reply is its words.
 */
export function canSummarizeWithoutModel(
  state: Pick<TurnState, "batchSteps">,
  facts: TurnFacts,
): boolean {
  if (state.batchSteps.length > 0) return false;
  const { receipts, listed, question } = facts;
  return receipts !== "" || listed.length > 1 || question !== "" || onlyFoundOrStored(facts);
}

function onlyFoundOrStored({ plan, stepResults }: TurnFacts): boolean {
  if (plan === null || stepResults.length === 0) return false;
  return stepResults.every(({ step, status }) => {
    const stepType = plan.steps[step]?.stepType;
    return status === "done" && (stepType === "read" || stepType === "write");
  });
}
