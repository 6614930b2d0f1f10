import { HumanMessage, SystemMessage } from "@langchain/core/messages";
import { SIMULATED_WORDS } from "../../meals/simulated.ts";
import { DEMO } from "../../meals/demo/read-kitchen.ts";
import { HEADINGS } from "../../prompts/headings.ts";
import { createSimulatedModel } from "../../simulated-model/index.ts";
import { GivenThinkAnswerSchema, type GivenThinkAnswer } from "../../state/plan.ts";

const model = createSimulatedModel({ words: SIMULATED_WORDS });

const SYSTEM = [
  "You plan the work of a meal-planning assistant for a household.",
  `## ${HEADINGS.subdomains}`,
  "- recipes: the recipe box\n  - can change: recipe (create, update, delete)",
  "- inventory: what is in pantry, fridge, freezer and on the counter\n  - can change: inventory (create, update, delete)",
  "- meal_plans: what is eaten when\n  - can change: meal (create, update, delete)",
  "- shopping: what is to be bought\n  - can change: shopping (create, update, delete)",
  "- tasks: chores\n  - can change: task (create, update, delete)",
].join("\n\n");

const RECIPES = DEMO.recipes.map(
  ({ name, ingredients }, index) =>
    `recipe_${index + 1} ${name}: ${ingredients.map(([ingredient]) => ingredient).join(", ")}`,
);

/** Plans a message in the demo kitchen as the node Think would have it planned, on a Monday. */
export async function thinkAbout(message: string): Promise<GivenThinkAnswer> {
  const user = [
    `## ${HEADINGS.recentContext}\n\n<data>\n${RECIPES.join("\n")}\n</data>`,
    `## ${HEADINGS.thisTurn}\n\nToday is Monday 2026-01-12 (Europe/Berlin).`,
    `## ${HEADINGS.message}\n\n<message>\n${message.replaceAll("\n", " ")}\n</message>`,
  ];
  const answer = await model.invoke([
    new SystemMessage(SYSTEM),
    new HumanMessage(user.join("\n\n")),
  ]);
  return GivenThinkAnswerSchema.parse(JSON.parse(answer.text));
}

/** The commands that a plan carries out at once and that change data; empty for a proposal. */
export function plannedWrites({ decision, steps }: GivenThinkAnswer): string[] {
  const writes = decision === "plan" ? steps.filter(({ stepType }) => stepType === "write") : [];
  return writes.map(({ description }) => description);
}
