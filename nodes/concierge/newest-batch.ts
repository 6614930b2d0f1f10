import type { ArchivedBatch } from "../../state/archive.ts";
import { findActiveJourney } from "../../state/journey.ts";
import type { TurnState } from "../../state/turn.ts";
import type { NodeServices } from "../node.ts";
import { requireRun } from "../require-run.ts";

/** Loads the newest batch of the journey in the foreground, without one of the conversation; null where nobody was asked. */
export async function loadNewestBatch(
  state: TurnState,
  { archive }: Pick<NodeServices, "archive">,
): Promise<ArchivedBatch | null> {
  const { threadId, userId } = requireRun(state);
  const journey = findActiveJourney(state.journeys)?.id;
  const [newest] = await archive.listBatches({
    threadId,
    userId,
    ...(journey === undefined ? {} : { journey }),
    limit: 1,
  });
  return newest ?? null;
}
