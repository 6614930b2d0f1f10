import type { Plan } from "../../state/plan.ts";
import type { StepResult } from "../../state/step.ts";
import type { TurnExecutionSummary } from "../../state/turn-summary.ts";
import type { Understanding } from "../../state/understanding.ts";
import type { CurrentTurn } from "../../summaries/current-turn.ts";
import type { TurnFacts } from "../../summaries/turn-facts.ts";
import * as turn from "./turn-state.ts";

function run(prefix: string, last: number): string[] {
  return Array.from({ length: last }, (_, index) => `${prefix}_${index + 1}`);
}

/** The record of turn 2 of the seed's conversation. */
export const codTurn: TurnExecutionSummary = turn.makeRecord(2, {
  userMessage: "lets not do cod this week?",
  goal: "Show recipe options for the week (excluding cod)",
  steps: [
    {
      description: "Read the recipes",
      stepType: "read",
      subdomain: "recipes",
      outcome: "Found 9 recipes",
      note: null,
      entitiesAffected: run("recipe", 9),
      warnings: [],
    },
    {
      description: "Read the inventory",
      stepType: "read",
      subdomain: "inventory",
      outcome: "Found 59 inventory items",
      note: null,
      entitiesAffected: run("inv", 59),
      warnings: [],
    },
    {
      description: "See which recipes can be cooked",
      stepType: "analyze",
      subdomain: "recipes",
      outcome: "Analysis complete",
      note: "All six fit the inventory",
      entitiesAffected: ["recipe_3", "recipe_4", "recipe_5", "recipe_6", "recipe_8", "recipe_9"],
      warnings: [],
    },
  ],
  curationSummary: "Demoted recipe_1, recipe_2, recipe_7 (contain cod)",
  demotedRefs: ["recipe_1", "recipe_2", "recipe_7"],
  analysisConclusions: "6 recipes fit inventory",
  responseSummary: "Listed 6 cod-free options",
  conversationPhase: "narrowing",
  tone: "collaborative",
  whatUserExpressed: "Wanted to exclude cod from options",
  whatWeAcknowledged: "Confirmed exclusion, presented 6 remaining options warmly",
  naturalNext: "User refines further or picks final options",
  decision: "plan",
  reasoning: "Cod is out, so the options have to be judged again",
});

/** The record of a turn before it. */
export const openingTurn: TurnExecutionSummary = {
  ...codTurn,
  turnNumber: 1,
  userMessage: "can you help me plan some meals?",
  goal: "Show what can be cooked",
  steps: codTurn.steps.slice(0, 1),
  curationSummary: null,
  demotedRefs: [],
  analysisConclusions: null,
  responseSummary: "Listed 9 recipes",
  conversationPhase: "exploring",
};

/** Turn 3 of the seed's conversation, after Understand. */
export const toastTurn: CurrentTurn = {
  turn: 3,
  userMessage: "lets not do the french toast? i also dont feel like doing wings",
  curated: {
    demoted: [
      { ref: "recipe_5", label: "French Toast" },
      { ref: "recipe_6", label: "Wings" },
    ],
    restored: [],
    retained: [],
  },
  references: [],
  remaining: ["recipe_3", "recipe_4", "recipe_8", "recipe_9"],
  held: true,
};

/** A plan of Think; what is not given is empty. */
export function makePlan(given: Partial<Plan>): Plan {
  const goal = "Show recipe options for the week (excluding cod)";
  return turn.makePlan({ reasoning: "Because", goal, steps: [], ...given });
}

/** The result of a step that is done; what is not given is empty. */
export function makeResult(given: Partial<StepResult>): StepResult {
  return turn.makeResult(given.step ?? 0, { status: "done", ...given });
}

/** An understanding of a message; what is not given is empty. */
export function makeUnderstanding(given: Partial<Understanding>): Understanding {
  return turn.makeUnderstanding({ reasoning: "Because", expressed: "", ...given });
}

/** The facts of a turn in which nothing happened but what is given. */
export function makeFacts(given: Partial<TurnFacts>): TurnFacts {
  return {
    turn: 4,
    userMessage: "and now?",
    goal: "Say what is next",
    plan: null,
    understanding: null,
    stepResults: [],
    batchSteps: [],
    effects: [],
    notices: [],
    failure: null,
    replies: [],
    receipts: "",
    listed: [],
    question: "",
    namesChoice: false,
    namesDraft: false,
    asksForYes: false,
    labels: {},
    ...given,
  };
}
