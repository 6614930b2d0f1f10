import type { JourneyLine, JourneyState } from "../../state/journey.ts";
import { INITIAL_PHASE_STATE } from "../../state/phase.ts";

/** A paused journey without a plan, opened in the turn of its number, but for what is given. */
export function journeyLine(number: number, changes: Partial<JourneyLine> = {}): JourneyLine {
  return {
    id: `journey_${number}`,
    title: `Question ${number}`,
    status: "paused",
    reason: "another question",
    phase: "explorer",
    progress: null,
    planVersion: null,
    openedTurn: number,
    lastTurn: number,
    ...changes,
  };
}

/** An active journey, but for what is given. */
export function activeLine(number: number, changes: Partial<JourneyLine> = {}): JourneyLine {
  return journeyLine(number, { status: "active", reason: null, ...changes });
}

/** The channels' values of a journey that has just been opened, but for what is given. */
export function journeyState(changes: Partial<JourneyState> = {}): JourneyState {
  return {
    opening: { question: "How do I sleep better?", answer: "", analysis: null },
    concierge: INITIAL_PHASE_STATE,
    plan: null,
    helpStep: null,
    conciergeTranscript: null,
    ...changes,
  };
}
