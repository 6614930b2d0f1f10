import type { ConciergePhaseState, Opening } from "../../state/phase.ts";
import type { TurnState } from "../../state/turn.ts";
import { isComplete } from "../../summaries/workflow-progress.ts";

/** What a concierge turn begins with: an opening batch, one of the concierges, or plain words. */
export type ConciergeStep = "open" | "starter" | "explorer" | "executor" | "reply";

/**
 * Who has the word in the concierge lane. A new question opens a journey; a plan that is dropped
 * goes back to the explorer; small talk without a journey needs no concierge.
 */
export function conciergeStepOf(
  state: Pick<TurnState, "concierge" | "opening" | "understanding">,
): ConciergeStep {
  const { concierge, opening, understanding } = state;
  const journey = understanding?.journey ?? "continue";
  if (isPlanOwed(concierge) && journey !== "reopen") return "executor";
  if (journey === "new") return "open";
  if (opening === null) return "reply";
  if (isOwed(opening)) return "starter";
  if (concierge.currentPhase !== "executor" || journey === "continue")
    return concierge.currentPhase;
  return isOver(concierge) ? "open" : "explorer";
}

/** Whether a plan was promised and has not been shown: nothing else comes before it but its being dropped. */
function isPlanOwed({ currentPhase, turnInPhase }: ConciergePhaseState): boolean {
  return currentPhase === "executor" && turnInPhase === 0;
}

/** Whether the opening question still waits for the starter's answer. */
export function isOwed(opening: Opening): boolean {
  return opening.answer === "";
}

function isOver({ activeWorkflow }: ConciergePhaseState): boolean {
  return activeWorkflow !== null && isComplete(activeWorkflow);
}
