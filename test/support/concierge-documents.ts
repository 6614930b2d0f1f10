import type { AnalyzedClaim, StructuralAnalysis } from "../../state/analysis.ts";
import type { HandoverPatch } from "../../state/handover-patch.ts";
import type { ExecutionHandover, IntentHandover } from "../../state/handover.ts";
import type { ActiveWorkflow } from "../../state/workflow.ts";
import { analyzedClaim, EMPTY_ANALYSIS } from "./analyses.ts";

/** An intent handover with something in every field. */
export const INTENT: IntentHandover = {
  shape: "contested",
  keyFindings: [
    "Takeout on weeknights comes from coming home late, not from a lack of recipes",
    "One prepared base on Sunday covers three evenings",
  ],
  tensions: ["Cooking ahead saves time, and leftovers are disliked"],
  gaps: ["How much freezer room there is"],
  userQuery: "we keep ordering takeout on weeknights, what should we do?",
  starterResponse: "Prepare one base on Sunday and finish it fresh in fifteen minutes.",
  userReply: "we get home after seven. budget is $1,500 a month",
  impliedGoal: "Stop ordering takeout on weeknights without cooking from scratch after seven",
  revealedConstraints: ["Home after seven", "$1,500 a month", "By the end of January"],
  acceptedFraming: "That time is the problem, not skill",
  resistedFraming: "Eating the same dish twice",
  unpromptedReveals: ["Nobody wants to cook after work"],
  stillUnclear: ["Whether Sunday is free every week"],
  effectiveStance: "decide",
};

/** An intent handover of which only the goal is known. */
export const BARE_INTENT: IntentHandover = {
  shape: "",
  keyFindings: [],
  tensions: [],
  gaps: [],
  userQuery: "what should we do about dinner?",
  starterResponse: "",
  userReply: "",
  impliedGoal: "Have dinner sorted",
  revealedConstraints: [],
  acceptedFraming: "",
  resistedFraming: null,
  unpromptedReveals: [],
  stillUnclear: [],
  effectiveStance: "explore",
};

/** A patch that changes nothing of a handover. */
export const NO_PATCH: HandoverPatch = {
  keyFindings: [],
  tensions: [],
  gaps: [],
  impliedGoal: null,
  revealedConstraints: [],
  acceptedFraming: null,
  resistedFraming: null,
  unpromptedReveals: [],
  stillUnclear: [],
  effectiveStance: null,
  noLongerHolds: [],
};

/** An execution handover with something in every field. */
export const EXECUTION: ExecutionHandover = {
  goal: "Five home-cooked weeknights by the end of January",
  problemSummary: "Two people come home after seven and order takeout out of tiredness.",
  situation: "A couple, a small kitchen, one free Sunday afternoon",
  constraints: ["$1,500 a month", "No leftovers eaten twice"],
  priorities: ["Little time on weeknights"],
  decisionsMade: ["Prepare on Sunday"],
  openQuestions: ["Whether Fridays stay free"],
  explorationHighlights: ["The partner's dislike of leftovers turned the plan to bases"],
};

/** An execution handover of which only the goal is known. */
export const BARE_EXECUTION: ExecutionHandover = {
  goal: "Have dinner sorted",
  problemSummary: "",
  situation: "",
  constraints: [],
  priorities: [],
  decisionsMade: [],
  openQuestions: [],
  explorationHighlights: [],
};

/** A plan of which the first step is done. */
export const WORKFLOW: ActiveWorkflow = {
  goal: "Five home-cooked weeknights",
  steps: [
    {
      id: "step_1",
      title: "Choose three bases",
      description: "Pick a grain, a sauce and a roast for the week.",
      doneWhen: "three bases stand on the list",
      status: "complete",
    },
    {
      id: "step_2",
      title: "Prepare on Sunday",
      description: "Cook the bases in two hours.",
      doneWhen: "",
      status: "active",
    },
  ],
  currentStepIndex: 1,
};

/** A map in which two well-founded ways exclude each other. */
export const FORK: StructuralAnalysis = {
  ...EMPTY_ANALYSIS,
  claims: [
    forkClaim("c1", "Cook three bases on Sunday and finish them fresh on weeknights.", [1, 2]),
    forkClaim("c2", "Keep to fifteen-minute dishes and cook nothing ahead.", [3, 4]),
  ],
  edges: [{ from: "c1", to: "c2", type: "conflicts", reason: "Sunday is either used or free" }],
  gaps: ["How much freezer room there is"],
  metrics: { ...EMPTY_ANALYSIS.metrics, experts: 4, components: 1, alignment: 0.5, tension: 1 },
  shape: {
    name: "contested",
    confidence: 0.8,
    runnerUp: null,
    data: {
      core: ["c1", "c2"],
      pairs: [{ a: "c1", b: "c2", reason: "Sunday is either used or free" }],
      branches: [],
    },
  },
};

function forkClaim(id: string, text: string, supporters: number[]): AnalyzedClaim {
  return analyzedClaim({ id, label: text, text, supporters, contested: true });
}
