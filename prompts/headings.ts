import { CONVERSATION_FLOW_HEADING } from "../summaries/conversation-flow.ts";
import { LAST_TURN_SUMMARY_HEADING } from "../summaries/last-turn-summary.ts";
import { PRIOR_CONTEXT_HEADING } from "../summaries/prior-context.ts";

/**
 * Every section heading that a prompt prints, without its `## `. A reader of prompts (the simulated
 * model, tests) finds a section by these constants only, so a heading can be reworded here alone.
 */
export const HEADINGS = {
  // Act, Think, Understand, Reply
  rules: "Rules",
  example: "Example",
  profile: "Profile",
  calendar: "Calendar",
  wishes: "Wishes and Rules",
  recentContext: "Recent Context",
  priorContext: PRIOR_CONTEXT_HEADING,
  lastTurnSummary: LAST_TURN_SUMMARY_HEADING,
  conversationFlow: CONVERSATION_FLOW_HEADING,
  activePlan: "Active Plan",
  message: "Message",
  step: "Step",
  earlierTurns: "Earlier turns",
  snapshot: "How things stand",
  recentTurns: "What was said last",
  thisTurn: "This Turn",
  houseRules: "Rules of the house",
  subdomains: "Subdomains",
  columns: "Columns",
  data: "Data",
  lastTurns: "Last turns",
  choices: "Choices",
  drafts: "Drafts",
  rows: "Rows",
  listedLast: "Listed Last",
  outside: "Changed outside this conversation",
  pendingQuestion: "Pending question",
  phase: "Phase",
  conciergeAsked: "The concierge asked last",
  journeys: "Journeys",
  expertsAsked: "What Experts Were Asked",
  execution: "Execution",
  receipts: "Already Shown",
  // Summarize, workflow
  done: "Done",
  decided: "Decided",
  reply: "Said",
  goal: "Goal",
  decisionsMade: "Decisions Already Made",
  wish: "The Wish",
  plan: "Plan",
  // Experts, mapper, roll-over
  expertView: "Your View",
  expertViews: "Your Views",
  question: "Question",
  holds: "Holds for This Person",
  aboutPerson: "About the Person",
  earlier: "Earlier",
  date: "Date",
  request: "Request",
  answers: "Answers",
  language: "Language",
  sentences: "Sentences",
  notes: "Notes So Far",
  messagesSince: "Said Since",
  // Concierges
  person: "The Person",
  user: "The User",
  responseGuide: "Response Guide",
  voice: "Voice",
  never: "Never",
  query: "The Query",
  openingBrief: "What You Know",
  answered: "You Answered",
  currentMessage: "Current Message",
  role: "Your Role",
  whenToTrigger: "When to Trigger Workflow",
  toTrigger: "To Trigger Workflow",
  batchPromptGuide: "Writing the Batch Prompt",
  readiness: "Readiness",
  hypotheses: "Hypotheses",
  nothingNew: "Nothing New",
  learned: "What Was Learned",
  exchange: "The Exchange So Far",
  read: "Your Read",
  task: "Your Task",
  goingForward: "Going Forward",
  behavior: "Behavior",
  capabilities: "Capabilities",
  problem: "The Problem",
  goalHandedOver: "The Goal",
  workflowBrief: "What the Experts Proposed",
  stepBrief: "Step 1 Expert Guidance",
  stepHelpBrief: "What the Experts Said",
  lastEvents: "What Happened Last",
  changedJustNow: "Changed Just Now",
} as const;

/** The heading over a plan that has changed since it was last shown. */
export function planHeading(version: number): string {
  return `The Plan Now, Version ${version}`;
}

/** The heading over what changed in a section since it was first shown. */
export function changedHeading(heading: string): string {
  return `Changed in ${heading}`;
}
