import { findActiveJourney, type JourneyLine } from "../../state/journey.ts";
import { sortByTurn } from "../../summaries/find-journey.ts";
import { describeJourneyStatus } from "../../summaries/word-journeys.ts";
import { hangRows } from "../wrap.ts";

/** Renders the journeys of a conversation, the newest first; `*` marks the one that is open now. */
export function renderJourneyRows(journeys: readonly JourneyLine[], columns: number): string {
  if (journeys.length === 0) return "No journeys yet: ask for advice, and one begins.";
  const active = findActiveJourney(journeys);
  return [
    ...sortByTurn(journeys).flatMap((journey) =>
      hangRows(`${journey.title} (${describeJourneyStatus(journey)})`, {
        prefix: journey === active ? "* " : "  ",
        columns,
      }),
    ),
    ...hangRows("/journeys NAME goes back to one, /plan NAME shows its plan", {
      prefix: "",
      columns,
    }),
  ].join("\n");
}
