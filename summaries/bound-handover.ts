import { clip } from "../registry/shorten.ts";
import type { ExecutionHandover, IntentHandover } from "../state/handover.ts";
import { HANDOVER_LIMITS } from "./patch-handover.ts";

/** Characters of a text that stands for itself; of what was asked and said. */
const TEXT_CHARACTERS = 600;
const QUOTE_CHARACTERS = 2_000;

/** The handover within what a prompt can carry: models write long, and a message may have 32,000 characters. */
export function boundIntentHandover(handover: IntentHandover): IntentHandover {
  return {
    shape: text(handover.shape),
    keyFindings: list(handover.keyFindings),
    tensions: list(handover.tensions),
    gaps: list(handover.gaps),
    userQuery: clip(handover.userQuery, QUOTE_CHARACTERS),
    starterResponse: text(handover.starterResponse),
    userReply: clip(handover.userReply, QUOTE_CHARACTERS),
    impliedGoal: text(handover.impliedGoal),
    revealedConstraints: list(handover.revealedConstraints, HANDOVER_LIMITS.constraints),
    acceptedFraming: text(handover.acceptedFraming),
    resistedFraming: handover.resistedFraming === null ? null : text(handover.resistedFraming),
    unpromptedReveals: list(handover.unpromptedReveals),
    stillUnclear: list(handover.stillUnclear),
    effectiveStance: handover.effectiveStance,
  };
}

/** As `boundIntentHandover`. */
export function boundExecutionHandover(handover: ExecutionHandover): ExecutionHandover {
  return {
    goal: text(handover.goal),
    problemSummary: clip(handover.problemSummary, QUOTE_CHARACTERS),
    situation: text(handover.situation),
    constraints: list(handover.constraints, HANDOVER_LIMITS.constraints),
    priorities: list(handover.priorities),
    decisionsMade: list(handover.decisionsMade),
    openQuestions: list(handover.openQuestions),
    explorationHighlights: list(handover.explorationHighlights),
  };
}

function text(value: string): string {
  return clip(value, TEXT_CHARACTERS);
}

function list(entries: readonly string[], most: number = HANDOVER_LIMITS.entries): string[] {
  return entries.slice(0, most).map((entry) => clip(entry, HANDOVER_LIMITS.characters));
}
