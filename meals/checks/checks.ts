import type { Check } from "../../state/change.ts";
import { countBreaches } from "./check-counts.ts";
import {
  checkDislikes,
  checkMealFood,
  checkPlannedForMember,
  checkRecipeFood,
  checkShoppingFood,
} from "./check-food.ts";
import { readTextField } from "../read-values.ts";
import { gapBreaches } from "./check-gaps.ts";
import { leftoverBreaches, pastBreaches } from "./check-leftovers.ts";

const WRITTEN: Check["actions"] = ["create", "update"];

/** The rules of a kitchen that code can hold: allergies, diets and hard wishes, dislikes, counts, gaps, leftovers, dates. */
export const MEALS_CHECKS: readonly Check[] = [
  {
    name: "food of meals",
    types: ["meal"],
    actions: WRITTEN,
    links: ["recipe_id"],
    run: onOpenDays(checkMealFood),
  },
  {
    name: "food of recipes",
    types: ["recipe"],
    actions: WRITTEN,
    links: ["meal<recipe_id"],
    run: checkRecipeFood,
  },
  { name: "food to buy", types: ["shopping"], actions: WRITTEN, run: checkShoppingFood },
  {
    name: "planned meals of members",
    types: ["member"],
    actions: WRITTEN,
    links: ["meal<*", "meal<*.recipe_id"],
    run: checkPlannedForMember,
  },
  {
    name: "dislikes",
    types: ["meal"],
    actions: WRITTEN,
    links: ["recipe_id"],
    run: onOpenDays(checkDislikes),
  },
  {
    name: "counts",
    types: ["recipe", "meal"],
    actions: ["create"],
    run: onDrafts(countBreaches),
  },
  {
    name: "gaps",
    types: ["meal"],
    actions: WRITTEN,
    run: onOpenDays((changes, { constraints }) => gapBreaches(changes, constraints)),
  },
  { name: "leftovers", types: ["meal"], actions: WRITTEN, run: onOpenDays(leftoverBreaches) },
  { name: "past dates", types: ["meal"], actions: ["create"], run: onDrafts(pastBreaches) },
];

/** A rule about what is planned together; what is stored one by one may differ from it for a while. */
function onDrafts(run: Check["run"]): Check["run"] {
  return (changes, context) => (context.origin === "draft" ? run(changes, context) : []);
}

/** A rule about meals to come: an undo may bring back what was eaten on a day that is over. */
function onOpenDays(run: Check["run"]): Check["run"] {
  return (changes, context) => {
    if (context.origin !== "undo") return run(changes, context);
    const { today } = context;
    return run(
      changes.filter(({ after }) => readTextField(after ?? {}, "date") >= today),
      context,
    );
  };
}
