import { join } from "node:path";
import type { Domain } from "../state/domain.ts";
import { buildShoppingList } from "./shopping/build-shopping-list.ts";
import { MEALS_CHECKS } from "./checks/checks.ts";
import { DEMO_KITCHENS } from "./demo/demo-kitchen.ts";
import { MEALS_ENTITY_TYPES } from "./entity-types.ts";
import { exportCalendar } from "./tools/export-calendar.ts";
import { findRecipes } from "./tools/find-recipes.ts";
import { formatQuick } from "./format-quick.ts";
import { MEALS_EXAMPLES } from "./examples.ts";
import { emptyText, RULES, SUBDOMAINS } from "./guidance.ts";
import { createImportRecipe } from "./import/import-recipe.ts";
import { loadProfile } from "./profile.ts";
import { SIMULATED_WORDS } from "./simulated.ts";
import { loadSnapshot } from "./snapshot.ts";

/** Settings that an operator may enable. */
export interface MealsOptions {
  /** True when `import_recipe` may fetch pages from public addresses. */
  readonly fetchPages: boolean;
}

/**
 * Makes the domain of planning meals: the reference domain.
 *
 * @example
 * createMealsDomain().name; // "meals"
 */
export function createMealsDomain(options: MealsOptions = { fetchPages: false }): Domain {
  return {
    name: "meals",
    persona: "a meal-planning assistant for a household",
    activity: "meal planning",
    rules: RULES,
    entityTypes: MEALS_ENTITY_TYPES,
    subdomains: SUBDOMAINS,
    tools: [findRecipes, buildShoppingList, createImportRecipe(options), exportCalendar],
    checks: MEALS_CHECKS,
    loadProfile,
    loadSnapshot,
    formatQuick,
    emptyText,
    migrations: join(import.meta.dirname, "migrations"),
    demo: DEMO_KITCHENS,
    examples: MEALS_EXAMPLES,
    simulated: SIMULATED_WORDS,
  };
}

/** Planning meals, with nothing fetched from the network. */
export const mealsDomain: Domain = createMealsDomain();
