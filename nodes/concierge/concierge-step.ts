import type { ConciergePhaseState, Opening } from "../../state/phase.ts";
import type { TurnState } from "../../state/turn.ts";
import { isPlanOver } from "../../state/view-plan.ts";

/** The first step of a concierge turn: an opening batch, one of the concierges, or a plain reply. */
export type ConciergeStep = "open" | "starter" | "explorer" | "executor" | "reply";

/**
 * Returns the step that comes next in the concierge lane. A new question opens a journey; a dropped plan
 * goes back to the explorer; small talk without a journey needs no concierge.
 */
export function nextConciergeStep(
  state: Pick<TurnState, "concierge" | "journeyPlan" | "opening" | "understanding">,
): ConciergeStep {
  const { concierge, journeyPlan, opening, understanding } = state;
  const journey = understanding?.journey ?? "continue";
  if (isPlanPending(concierge) && journey !== "reopen") return "executor";
  if (journey === "new") return "open";
  if (opening === null) return "reply";
  const isOpening = isAwaitingAnswer(opening) || concierge.currentPhase === "starter";
  // Who asks for the plan has said enough: the explorer begins it, or asks the one thing that is missing.
  if (isOpening) return asksForPlan(understanding) ? "explorer" : "starter";
  if (concierge.currentPhase !== "executor" || journey !== "reopen") return concierge.currentPhase;
  return journeyPlan !== null && isPlanOver(journeyPlan) ? "open" : "explorer";
}

/** Returns true where the message asks for the plan now. */
export function asksForPlan(understanding: TurnState["understanding"]): boolean {
  return understanding !== null && understanding.asksForPlan !== null;
}

/** Returns true where a plan was promised and has not been shown. It comes first, unless the person drops it. */
function isPlanPending({ currentPhase, turnInPhase }: ConciergePhaseState): boolean {
  return currentPhase === "executor" && turnInPhase === 0;
}

/** Returns true where the opening question still waits for the starter's answer. */
export function isAwaitingAnswer(opening: Opening): boolean {
  return opening.answer === "";
}
