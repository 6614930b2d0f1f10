import type { TurnState } from "../../state/turn.ts";
import { hasChanged } from "../../summaries/turn-outcome.ts";
import { renderSentence } from "../../text/sentences.ts";

type UnansweredTurn = Pick<TurnState, "effects" | "planNews" | "understanding" | "lanesServed">;

/**
 * Returns the words for an answer that no model has given: `failure`, which may ask for the message again,
 * unless the turn has changed something, or its other part is still to change the plan. Pure.
 */
export function wordMissingAnswer(failure: string, turn: UnansweredTurn): string {
  if (hasChanged(turn)) return renderSentence("changesStand");
  return changesPlanLater(turn) ? renderSentence("otherPartMissing") : failure;
}

/** Returns true for a message with two parts whose other one asks for a change of the plan, and is not served yet. Pure. */
export function changesPlanLater({
  understanding,
  lanesServed = [],
}: Partial<Pick<TurnState, "understanding" | "lanesServed">>): boolean {
  if (understanding?.lane !== "both" || lanesServed.length > 0) return false;
  return understanding.planActions.length > 0 || understanding.rework !== null;
}
