import { join } from "node:path";
import type { Domain } from "../domain.ts";
import { MEALS_CHECKS } from "./checks.ts";
import { DEMO_KITCHENS } from "./demo-kitchen.ts";
import { MEALS_ENTITY_TYPES } from "./entity-types.ts";
import { formatQuick } from "./format-quick.ts";
import { emptyText, RULES, SUBDOMAINS } from "./guidance.ts";
import { loadProfile } from "./profile.ts";
import { loadSnapshot } from "./snapshot.ts";

/** Planning meals: the reference domain. */
export const mealsDomain: Domain = {
  name: "meals",
  persona: "a meal-planning assistant for a household",
  activity: "meal planning",
  rules: RULES,
  entityTypes: MEALS_ENTITY_TYPES,
  subdomains: SUBDOMAINS,
  tools: [],
  checks: MEALS_CHECKS,
  loadProfile,
  loadSnapshot,
  formatQuick,
  emptyText,
  migrations: join(import.meta.dirname, "migrations"),
  demo: DEMO_KITCHENS,
};
