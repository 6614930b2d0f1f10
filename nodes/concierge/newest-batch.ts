import type { ArchivedBatch } from "../../state/archive.ts";
import { findActiveJourney } from "../../state/journey.ts";
import type { TurnState } from "../../state/turn.ts";
import type { NodeServices } from "../node.ts";
import { requireRun } from "../require-run.ts";

/** More than a journey has: its opening's, its plan's, and those of steps that needed help. */
const BATCHES = 20;

/** Loads the newest batch of the journey in the foreground, without one of the conversation; null where nobody was asked. */
export async function loadNewestBatch(
  state: TurnState,
  services: Pick<NodeServices, "archive">,
): Promise<ArchivedBatch | null> {
  const [newest] = await loadBatches(state, services, 1);
  return newest ?? null;
}

/** Loads the newest batches of the journey in the foreground, without one of the conversation; the newest first. */
export async function loadBatches(
  state: TurnState,
  { archive }: Pick<NodeServices, "archive">,
  limit = BATCHES,
): Promise<readonly ArchivedBatch[]> {
  const { threadId, userId } = requireRun(state);
  const journey = findActiveJourney(state.journeys)?.id;
  return archive.listBatches({
    threadId,
    userId,
    ...(journey === undefined ? {} : { journey }),
    limit,
  });
}
