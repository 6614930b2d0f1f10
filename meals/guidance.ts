import { z } from "zod";
import type { Subdomain } from "../state/domain.ts";
import { StepTypeSchema } from "../state/plan.ts";
import { readYaml } from "./read-yaml.ts";
import { MEALS_SENTENCES, type MealsSentenceId } from "./sentences.ts";

const SubdomainSchema = z.strictObject({
  name: z.string(),
  type: z.string(),
  reads: z.array(z.string()).default([]),
  about: z.string(),
  guidance: z.partialRecord(StepTypeSchema, z.string()).default({}),
});

const GUIDANCE = readYaml(
  new URL("guidance.yaml", import.meta.url),
  z.strictObject({ rules: z.array(z.string()), subdomains: z.array(SubdomainSchema) }),
);

/** The rules of the house, for every prompt. */
export const RULES: readonly string[] = GUIDANCE.rules;

/** The parts of the domain, each with how its steps are done well. */
export const SUBDOMAINS: readonly Subdomain[] = GUIDANCE.subdomains;

const EMPTY: Readonly<Record<string, MealsSentenceId>> = {
  recipes: "noRecipes",
  inventory: "noInventory",
  meal_plans: "noMealPlans",
  shopping_list: "noShoppingList",
  tasks: "noTasks",
  members: "noMembers",
  preferences: "noPreferences",
  cooking_log: "noCookingLog",
  ingredients: "noIngredients",
};

/** Returns the message for a read that found nothing in a table. */
export function emptyText(table: string): string {
  return MEALS_SENTENCES[EMPTY[table] ?? "noRows"];
}
