import type { ConversationView } from "../prompts/view.ts";
import type { TurnState } from "../state/turn.ts";
import type { CurrentTurn } from "../summaries/current-turn.ts";

/** What this turn has decided so far, as the sections that are written for it need it. */
export function currentTurnOf(state: TurnState, view: ConversationView): CurrentTurn {
  const labels = new Map(view.registry.entries.map(({ ref, label }) => [ref, label]));
  const name = (ref: string): { ref: string; label: string } => ({
    ref,
    label: labels.get(ref) ?? ref,
  });
  const { understanding } = state;
  const curation = understanding?.curation;
  return {
    turn: state.turn,
    userMessage: state.input?.text ?? "",
    expressed: understanding?.expressed ?? "",
    demoted: curation?.demote.map(({ ref }) => name(ref)) ?? [],
    restored: curation?.restore.map(({ ref }) => name(ref)) ?? [],
    retained: curation?.retain.map(({ ref }) => name(ref)) ?? [],
    resolved: understanding?.references.map(({ text, ref }) => ({ text, ...name(ref) })) ?? [],
    viable: view.viable.map(({ type, refs }) => ({ type, refs: [...refs] })),
    held: view.viable.length > 0,
    outcomes: state.stepResults
      .filter(({ status }) => status === "done")
      .map(({ outcome }) => outcome),
  };
}
