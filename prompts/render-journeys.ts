import type { JourneyLine } from "../state/journey.ts";
import { selectShownJourneys } from "../summaries/find-journey.ts";
import { HEADINGS } from "./headings.ts";
import { bullets, dataSection } from "./part.ts";

/**
 * Renders the section of the journeys that a message may go back to: the newest two that are not active,
 * with their ids, and the number of the others. Empty where there is none. Pure, total.
 *
 * Source: living-plan.md §5.
 */
export function renderJourneys(lines: readonly JourneyLine[]): string {
  const shown = selectShownJourneys(lines);
  const others = lines.filter(({ status }) => status !== "active").length - shown.length;
  return dataSection(
    HEADINGS.journeys,
    bullets([
      ...shown.map(({ id, title, status }) => `${id} “${title}”: ${status}`),
      ...(others === 0 ? [] : [`and ${others} more, named by their titles only`]),
    ]),
  );
}
