import type { ArchivedJourney } from "../../state/archive.ts";
import type { JourneyLine, JourneyState } from "../../state/journey.ts";
import {
  INITIAL_PHASE_STATE,
  NO_CONCIERGE_THREAD,
  type ConciergeThread,
} from "../../state/phase.ts";
import type { TurnState } from "../../state/turn.ts";
import { createJourneyRow } from "../../summaries/move-journey.ts";
import type { NodeIO, NodeServices } from "../node.ts";
import { requireRun } from "../require-run.ts";
import { withPlan } from "./phase-transitions.ts";

/** The channels that hold the journey in the foreground. */
export type JourneyChannels = Pick<
  TurnState,
  "opening" | "concierge" | "journeyPlan" | "helpStep" | "conciergeThread" | "quietTurns"
>;

/** `throughTurn`: the last turn in which a concierge answered, in whatever journey. */
type LaneTurn = Pick<ConciergeThread, "throughTurn">;

/** Returns the channels without a journey. */
export function emptyJourney({ throughTurn }: LaneTurn): JourneyChannels {
  return {
    opening: null,
    ...withPlan(INITIAL_PHASE_STATE, null),
    helpStep: null,
    conciergeThread: { ...NO_CONCIERGE_THREAD, throughTurn },
    quietTurns: 0,
  };
}

/** Returns what is kept of the journey in the foreground; the instance's messages are kept where it leaves. */
export function toJourneyState(state: JourneyChannels, { isLeaving = false } = {}): JourneyState {
  const { opening, concierge, journeyPlan: plan, helpStep, conciergeThread } = state;
  return {
    opening,
    concierge,
    plan,
    helpStep,
    conciergeTranscript: isLeaving ? conciergeThread : null,
  };
}

/** Returns the channels of a journey that is taken up again. Without its messages a fresh instance goes on. */
export function toChannels(
  { state }: Pick<ArchivedJourney, "state">,
  { throughTurn }: LaneTurn,
): JourneyChannels {
  const { opening, concierge, plan, helpStep, conciergeTranscript } = state;
  return {
    opening,
    ...withPlan(concierge, plan),
    helpStep,
    conciergeThread: { ...(conciergeTranscript ?? NO_CONCIERGE_THREAD), throughTurn },
    quietTurns: 0,
  };
}

interface WriteJourneyOptions {
  readonly line: JourneyLine;
  readonly state: JourneyState;
  readonly services: Pick<NodeServices, "archive">;
  readonly io: Pick<NodeIO, "lease">;
}

/** Stores the row of a journey that this turn has changed. */
export async function writeJourney(
  turnState: TurnState,
  { line, state, services, io }: WriteJourneyOptions,
): Promise<void> {
  const { threadId, userId, runId } = requireRun(turnState);
  const row = createJourneyRow(line, { runId, state });
  await services.archive.saveJourney({ threadId, userId, lease: io.lease, ...row });
}
