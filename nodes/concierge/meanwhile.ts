import { clip } from "../../registry/shorten.ts";
import { oneLine } from "../../text/fence.ts";
import type { TurnState } from "../../state/turn.ts";
import type { TurnExecutionSummary } from "../../state/turn-summary.ts";

/** A concierge is told this much of what the task lane has done. */
const LINES = 3;
const CHARACTERS = 160;

/** What was done in the turns since the concierge spoke last, newest last; empty when it spoke in the last one. */
export function meanwhileLines(
  state: Pick<TurnState, "conciergeThread" | "turnExecutionSummaries" | "ledger">,
): string[] {
  const { throughTurn } = state.conciergeThread;
  const older = state.ledger.filter(({ turn }) => turn > throughTurn).map(({ text }) => text);
  const recent = state.turnExecutionSummaries
    .filter((record) => record.turnNumber > throughTurn && isDoing(record))
    .map(({ goal, responseSummary, effects }) => {
      const done = effects.map(({ action, label }) => `${action} ${label}`).join(", ");
      return `${goal}: ${done === "" ? responseSummary : done}`;
    });
  return [...older, ...recent].slice(-LINES).map((line) => clip(oneLine(line), CHARACTERS));
}

/** Whether something was looked up, worked out or changed: talk about the talk is not told. */
function isDoing({ steps, effects }: TurnExecutionSummary): boolean {
  return steps.length > 0 || effects.length > 0;
}
