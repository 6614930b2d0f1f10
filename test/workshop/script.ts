import type { ModelRole } from "../../state/model.ts";
import type { ThinkAnswer } from "../../state/plan.ts";
import type { Narrative } from "../../state/turn-summary.ts";
import type { UnderstandAnswer } from "../../state/understanding.ts";
import { scriptedModel, type ScriptEntry, type ScriptedModel } from "../support/scripted-model.ts";

/** What each role answers in one turn, in order; `summarize` is asked once a turn. */
export interface TurnScript {
  readonly understand: Partial<UnderstandAnswer>;
  readonly think?: Partial<ThinkAnswer>;
  readonly act?: readonly ScriptEntry[];
  readonly reply?: string;
  readonly summary: Partial<Narrative>;
}

/** A model a role that plays the turns one after the other. */
export function playTurns(
  turns: readonly TurnScript[],
): Readonly<Record<ModelRole, ScriptedModel>> {
  const entries = (of: (turn: TurnScript) => readonly ScriptEntry[]): ScriptedModel =>
    scriptedModel(turns.flatMap(of));
  return {
    understand: entries(({ understand }) => [{ json: { ...UNDERSTOOD, ...understand } }]),
    think: entries(({ think }) => (think === undefined ? [] : [{ json: { ...PLAN, ...think } }])),
    act: entries(({ act }) => act ?? []),
    reply: entries(({ reply }) => (reply === undefined ? [] : [{ text: reply }])),
    summarize: entries(({ summary }) => [{ json: { ...NARRATIVE, ...summary } }]),
    concierge: scriptedModel([]),
    expert: scriptedModel([]),
    mapper: scriptedModel([]),
  };
}

const UNDERSTOOD: UnderstandAnswer = {
  reasoning: "As it says.",
  lane: "task",
  journey: "continue",
  references: [],
  curation: { retain: [], demote: [], restore: [], drop: [], clearAll: false, summary: null },
  constraints: [],
  expressed: "Wants something from the shed",
  quick: null,
  clarification: null,
  answersPending: null,
  meta: false,
};

const PLAN: ThinkAnswer = {
  reasoning: "It is clear.",
  goal: "Do what was asked",
  decision: "plan",
  steps: [],
  proposal: null,
  questions: [],
};

const NARRATIVE: Narrative = {
  analysisConclusions: null,
  responseSummary: "Told the person",
  conversationPhase: "exploring",
  tone: "collaborative",
  whatUserExpressed: "Wants something",
  whatWeAcknowledged: "What was done",
  naturalNext: "User goes on",
};
