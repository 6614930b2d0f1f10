import type { TurnState } from "../../state/turn.ts";
import type { NodeIO, NodeServices } from "../node.ts";
import { requireRun } from "../require-run.ts";

interface ArchiveJourneyOptions {
  readonly services: NodeServices;
  readonly io: NodeIO;
}

/** Archives the journey with its plan, before another one replaces it. */
export async function archiveJourney(
  state: TurnState,
  { services, io }: ArchiveJourneyOptions,
): Promise<void> {
  const { turn, opening, concierge } = state;
  const { runId, threadId, userId } = requireRun(state);
  const { lease } = io;
  await services.archive.saveJourney({ threadId, userId, lease, runId, turn, opening, concierge });
}
