import type { Subdomain } from "../state/domain.ts";
import { MEALS_SENTENCES, type MealsSentenceId } from "./sentences.ts";

/** The rules of the house, for every prompt. */
export const RULES: readonly string[] = [
  "Allergies are hard limits; wishes are soft.",
  "A meal's date is the day it is eaten.",
  "A fresh cook comes before its leftovers, and the portions add up.",
  "A gap the person asked for stays empty.",
  "Only what is in the inventory counts as being there.",
  "Show a draft in full before saving it, unless saving was asked for; one confirmation is enough.",
];

/** The parts of the domain, each with how its steps are done well. */
export const SUBDOMAINS: readonly Subdomain[] = [
  {
    name: "recipes",
    tables: ["recipes", "ingredients"],
    about: "the recipe box and the ingredient catalogue",
    guidance: {
      read: "find_recipes for words, ingredients, time or tags; db_read for the rest.",
      analyze: "Viable: every main ingredient is in the inventory.",
      generate: "Give name, servings, minutes, ingredients with quantity and unit, instructions.",
    },
  },
  {
    name: "inventory",
    tables: ["inventory"],
    about: "what is in pantry, fridge, freezer and on the counter",
    guidance: { write: "One row a thing, with location; delete only the row that is meant." },
  },
  {
    name: "meal_plans",
    tables: ["meal_plans", "cooking_log"],
    about: "what is eaten when, and what was cooked",
    guidance: {
      read: "Filter by date.",
      generate:
        "One meal a slot. A cook that feeds a later meal has servings for both; that meal has leftovers: true.",
    },
  },
  {
    name: "shopping",
    tables: ["shopping_list"],
    about: "what is to be bought",
    guidance: {
      write: "build_shopping_list for recipes or planned days; db_create for single things.",
    },
  },
  { name: "tasks", tables: ["tasks"], about: "chores with due dates", guidance: {} },
  {
    name: "preferences",
    tables: ["preferences"],
    about: "household, diet, allergies, likes, equipment (one row)",
    guidance: { write: "Update the one row; a list replaces the old one." },
  },
];

const EMPTY: Readonly<Record<string, MealsSentenceId>> = {
  recipes: "noRecipes",
  inventory: "noInventory",
  meal_plans: "noMealPlans",
  shopping_list: "noShoppingList",
  tasks: "noTasks",
  preferences: "noPreferences",
  cooking_log: "noCookingLog",
  ingredients: "noIngredients",
};

/** Returns the message for a read that found nothing in a table. */
export function emptyText(table: string): string {
  return MEALS_SENTENCES[EMPTY[table] ?? "noRows"];
}
