import type { Models } from "../../app/open-models.ts";
import type { ModelRequest } from "../../state/model.ts";
import { NARRATED, planned, understood } from "./scripted-answers.ts";
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
    summarize: scriptedModel(Array.from({ length: 5 }, () => NARRATED)),
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
