import type { ExecutionHandover, IntentHandover } from "../state/handover.ts";

/** Keys of a starter's handover: the one it is written with, then others that models use. */
export const INTENT_KEYS: Readonly<Record<keyof IntentHandover, string>> = {
  shape: "shape",
  keyFindings: "key_findings findings",
  tensions: "tensions",
  gaps: "gaps",
  userQuery: "user_query query",
  starterResponse: "starter_response",
  userReply: "user_reply",
  impliedGoal: "goal",
  revealedConstraints: "constraints",
  acceptedFraming: "accepted_framing accepted",
  resistedFraming: "resisted_framing resisted",
  unpromptedReveals: "unprompted_reveals volunteered",
  stillUnclear: "still_unclear unclear",
  effectiveStance: "effective_stance stance",
};

/** Keys of an explorer's handover, as above. */
export const EXECUTION_KEYS: Readonly<Record<keyof ExecutionHandover, string>> = {
  goal: "goal impliedGoal refinedGoal",
  problemSummary: "problem_summary problem summary",
  situation: "situation",
  constraints: "constraints",
  priorities: "priorities",
  decisionsMade: "decisions_made decisions decided",
  openQuestions: "open_questions open",
  explorationHighlights: "exploration_highlights highlights",
};
