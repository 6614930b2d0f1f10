import type { Models } from "../../cli/open-models.ts";
import type { ModelRequest } from "../../state/model.ts";
import type { Curation } from "../../state/registry.ts";
import type { StepType } from "../../state/plan.ts";
import { scriptedModel, type ScriptedAnswer } from "./scripted-model.ts";

/** What is said in the scenario `narrowing`, and a look that is taken twice. */
export const NARROWING_WORDS = [
  "can you help me plan some meals?",
  "lets not do cod this week?",
  "lets not do the french toast? i also dont feel like doing wings",
  "what is in the fridge?",
  "what is in the fridge?",
];

/** Models that answer the words of `narrowing` as a good model would; each play needs new ones. */
export function narrowingModels(): Models {
  return {
    understand: scriptedModel([
      understood({}),
      understood({ demote: ["recipe_1", "recipe_2", "recipe_7"] }),
      understood({ demote: ["recipe_5", "recipe_6"] }),
      understood({ quick: "inventory" }),
      understood({ quick: "inventory" }),
    ]),
    think: scriptedModel([
      planned([
        ["read", "recipes", 1],
        ["read", "inventory", 1],
        ["analyze", "recipes", 2],
      ]),
      planned([]),
      planned([]),
    ]),
    act: scriptedModel(Array.from({ length: 5 }, () => decide)),
    reply: scriptedModel([
      "Six dishes and what you have: Chickpea Curry, Mushroom Risotto, French Toast and more.",
      "Six dishes are left.",
      "French toast and wings are out. Chickpea Curry, Mushroom Risotto, Egg Fried Rice and Black Bean Chili are left. Shall I put some on the plan?",
    ]),
    summarize: scriptedModel(Array.from({ length: 5 }, () => NARRATIVE)),
  };
}

function decide({ messages }: ModelRequest): ScriptedAnswer {
  const prompt = messages.map(({ text }) => text).join("\n");
  const step = /Step \d of \d.*/u.exec(prompt)?.[0] ?? "";
  if (step.includes("analyze")) {
    const kept = ["3", "4", "5", "6", "8", "9"].map((number) => `recipe_${number}`);
    const args = { resultSummary: "6 viable options", noteForNextStep: null, refs: kept };
    return { toolCalls: [{ name: "complete_step", args }] };
  }
  return { toolCalls: [readOf(step.includes("recipes") ? "recipes" : "inventory")] };
}

function readOf(table: string) {
  const args = {
    table,
    refs: null,
    where: [],
    anyOf: [],
    columns: null,
    orderBy: null,
    limit: null,
  };
  return { name: "db_read", args };
}

function understood(wanted: {
  readonly demote?: readonly string[];
  readonly quick?: string;
}): ScriptedAnswer {
  const demote = (wanted.demote ?? []).map((ref) => ({ ref, reason: "not wanted" }));
  const curation: Curation = {
    retain: [],
    demote,
    restore: [],
    drop: [],
    clearAll: false,
    summary: null,
  };
  return {
    json: {
      reasoning: "It says so.",
      lane: "task",
      journey: "continue",
      references: [],
      curation,
      constraints: [],
      expressed: "Wants to plan meals",
      quick: wanted.quick === undefined ? null : { subdomain: wanted.quick, intent: "the fridge" },
      clarification: null,
      answersPending: null,
      meta: false,
    },
  };
}

function planned(steps: readonly (readonly [StepType, string, number])[]): ScriptedAnswer {
  return {
    json: {
      reasoning: "It is needed.",
      goal: "Show what there is",
      decision: steps.length === 0 ? "answer" : "plan",
      steps: steps.map(([stepType, subdomain, group]) => ({
        description: `${stepType} ${subdomain}`,
        stepType,
        subdomain,
        group,
        refs: [],
      })),
      proposal: null,
      questions: [],
    },
  };
}

const NARRATIVE: ScriptedAnswer = {
  json: {
    analysisConclusions: null,
    responseSummary: "Listed options",
    conversationPhase: "narrowing",
    tone: "collaborative",
    whatUserExpressed: "Wishes",
    whatWeAcknowledged: "Them",
    naturalNext: "Plan",
  },
};
