import { createJourneyId } from "../../state/journey.ts";
import type { TurnState } from "../../state/turn.ts";
import { makeJourneyTitle } from "../../summaries/journey-title.ts";
import type { NodeIO, NodeServices } from "../node.ts";
import { requireRun } from "../require-run.ts";

interface ArchiveJourneyOptions {
  readonly services: NodeServices;
  readonly io: NodeIO;
}

/** Archives the journey, before another one replaces it or its plan is dropped. */
export async function archiveJourney(
  state: TurnState,
  { services, io }: ArchiveJourneyOptions,
): Promise<void> {
  const { turn, opening, concierge, journeyPlan: plan, helpStep } = state;
  const { runId, threadId, userId } = requireRun(state);
  const id = createJourneyId(turn);
  const goal = concierge.executionHandover?.goal ?? opening?.question ?? "";
  await services.archive.saveJourney({
    threadId,
    userId,
    lease: io.lease,
    runId,
    journeyId: id,
    changedTurn: turn,
    openedTurn: turn,
    title: makeJourneyTitle(goal, { id, known: [] }),
    status: "paused",
    reason: "another question",
    state: { opening, concierge, plan, helpStep, conciergeTranscript: null },
  });
}
