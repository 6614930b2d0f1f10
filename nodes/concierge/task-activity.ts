import { clip } from "../../registry/shorten.ts";
import { oneLine } from "../../text/fence.ts";
import type { TurnState } from "../../state/turn.ts";
import type { TurnExecutionSummary } from "../../state/turn-summary.ts";
import { renderLedgerLine } from "../../summaries/ledger.ts";

/** The bounds of the task lane's activity in a concierge's prompt. */
const LINES = 3;
const CHARACTERS = 160;

/** Returns one line for each turn of the task lane since the concierge's last reply, newest last. */
export function taskActivitySince(
  state: Pick<
    TurnState,
    "conciergeThread" | "turnExecutionSummaries" | "ledger" | "lanesServed" | "replies"
  >,
): string[] {
  const { throughTurn } = state.conciergeThread;
  const older = state.ledger.filter(({ turn }) => turn > throughTurn).map(renderLedgerLine);
  const recent = state.turnExecutionSummaries
    .filter((record) => record.turnNumber > throughTurn && isTaskActivity(record))
    .map(({ goal, responseSummary, effects }) => {
      const done = effects.map(({ action, label }) => `${action} ${label}`).join(", ");
      return `${goal}: ${done === "" ? responseSummary : done}`;
    });
  // What the message's other part came to is what its reply says.
  const now = state.lanesServed.includes("task")
    ? state.replies.map(({ text }) => `Just now, with this message: ${text}`)
    : [];
  return [...older, ...recent, ...now].slice(-LINES).map((line) => clip(oneLine(line), CHARACTERS));
}

/** Returns true for a turn that looked up, worked out or changed something. */
function isTaskActivity({ steps, effects }: TurnExecutionSummary): boolean {
  return steps.length > 0 || effects.length > 0;
}
