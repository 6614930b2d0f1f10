import type { Constraint } from "../../state/constraint.ts";
import type { Change, Check, CheckContext, Verdict } from "../../state/change.ts";
import { isJsonObject, type JsonObject } from "../../state/json.ts";
import { readListField, readTextField, readTextListField } from "../read-values.ts";
import { renderMealsSentence } from "../sentences.ts";
import { avoidedIn, findAvoidedFood } from "./allergens.ts";
import { countBreaches } from "./check-counts.ts";
import { gapBreaches } from "./check-gaps.ts";
import { leftoverBreaches, pastBreaches } from "./check-leftovers.ts";

const WRITTEN: Check["actions"] = ["create", "update"];

/** The rules of a kitchen that code can hold: allergies, counts, gaps, leftovers, dates. */
export const MEALS_CHECKS: readonly Check[] = [
  {
    name: "allergies",
    types: ["recipe", "meal", "shopping"],
    actions: WRITTEN,
    links: ["recipe_id"],
    run: checkFood,
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
    run: (changes, { constraints }) => gapBreaches(changes, constraints),
  },
  { name: "leftovers", types: ["meal"], actions: WRITTEN, run: leftoverBreaches },
  { name: "past dates", types: ["meal"], actions: ["create"], run: onDrafts(pastBreaches) },
];

/** A rule about what is planned together; what is stored one by one may differ from it for a while. */
function onDrafts(run: Check["run"]): Check["run"] {
  return (changes, context) => (context.origin === "draft" ? run(changes, context) : []);
}

/** Finds foods that somebody must not have: allergies of the household, and hard wishes that name a food. */
function checkFood(changes: readonly Change[], context: CheckContext): Verdict[] {
  const avoided = [
    ...readTextListField(context.profile, "allergies").map((food) => ({
      food,
      rule: renderMealsSentence("allergy", { food }),
    })),
    ...context.constraints
      .filter(isHard)
      .flatMap((constraint) =>
        avoidedIn(constraint.text).map((food) => ({ food, rule: constraint.text })),
      ),
  ];
  return changes.flatMap((change) => {
    const texts = listEatenTexts(change, context);
    return avoided.flatMap(({ food, rule }): Verdict[] => {
      const found = texts.map((text) => findAvoidedFood(text, food)).find((hit) => hit !== null);
      if (found === undefined) return [];
      const content = `"${change.label}"`;
      const reason = renderMealsSentence("hasAvoidedFood", { content, food: found });
      return [{ kind: "breach", rule, reason, overridable: true }];
    });
  });
}

function isHard(constraint: Constraint): boolean {
  return constraint.kind === "hard";
}

/** The texts that say what would be eaten; a planned dish is what its recipe says. The inventory only records what is there. */
function listEatenTexts(change: Change, { linked }: CheckContext): readonly string[] {
  const values = change.after ?? {};
  switch (change.type) {
    case "recipe":
      return recipeTexts(values);
    case "meal":
      return [
        readTextField(values, "title"),
        readTextField(values, "notes"),
        ...linked(change, "recipe_id").flatMap(recipeTexts),
      ];
    case "shopping":
      return [readTextField(values, "name")];
    default:
      return [];
  }
}

function recipeTexts(recipe: JsonObject): readonly string[] {
  return [
    readTextField(recipe, "name"),
    ...readListField(recipe, "ingredients").flatMap((item) => {
      if (typeof item === "string") return [item];
      return isJsonObject(item) ? [readTextField(item, "name"), readTextField(item, "note")] : [];
    }),
    readTextField(recipe, "instructions"),
  ];
}
