import type { Constraint } from "../../state/constraint.ts";
import type { Breach, CheckedContent, CheckFacts, DomainChecks } from "../../state/domain.ts";
import { avoidedIn, findAvoidedFood } from "./allergens.ts";
import { isJsonObject } from "../../state/json.ts";
import { readListField, readTextField, readTextListField } from "../read-values.ts";
import { renderMealsSentence } from "../sentences.ts";
import { countBreaches } from "./check-counts.ts";
import { gapBreaches } from "./check-gaps.ts";
import { leftoverBreaches, pastBreaches } from "./check-leftovers.ts";

/** The rules of a kitchen that code can hold: allergies, counts, gaps, leftovers, dates. */
export const MEALS_CHECKS: DomainChecks = {
  drafts: (drafts, facts) => [
    ...foodBreaches(drafts, facts),
    ...countBreaches(drafts, facts),
    ...gapBreaches(drafts, facts.constraints),
    ...leftoverBreaches(drafts, facts),
    ...pastBreaches(drafts, facts),
  ],
  write: (rows, facts) => [
    ...foodBreaches(rows, facts),
    ...gapBreaches(rows, facts.constraints),
    ...leftoverBreaches(rows, facts),
  ],
};

/** Foods that somebody must not have: allergies of the household, and hard wishes that name a food. */
function foodBreaches(contents: readonly CheckedContent[], facts: CheckFacts): Breach[] {
  const avoided = [
    ...readTextListField(facts.profile, "allergies").map((food) => ({
      food,
      constraint: renderMealsSentence("allergy", { food }),
    })),
    ...facts.constraints
      .filter(isHard)
      .flatMap((constraint) =>
        avoidedIn(constraint.text).map((food) => ({ food, constraint: constraint.text })),
      ),
  ];
  return contents.flatMap((content) => {
    const texts = eatenTexts(content);
    return avoided.flatMap(({ food, constraint }) => {
      const found = texts.map((text) => findAvoidedFood(text, food)).find((hit) => hit !== null);
      if (found === undefined) return [];
      const reason = renderMealsSentence("hasAvoidedFood", {
        content: describeContent(content),
        food: found,
      });
      return [{ constraint, reason }];
    });
  });
}

function isHard(constraint: Constraint): boolean {
  return constraint.kind === "hard";
}

/** The texts that say what would be eaten. The inventory only records what is there. */
function eatenTexts({ type, values }: CheckedContent): readonly string[] {
  switch (type) {
    case "recipe":
      return [
        readTextField(values, "name"),
        ...readListField(values, "ingredients").flatMap((item) => {
          if (typeof item === "string") return [item];
          return isJsonObject(item)
            ? [readTextField(item, "name"), readTextField(item, "note")]
            : [];
        }),
        readTextField(values, "instructions"),
      ];
    case "meal":
      return [readTextField(values, "title"), readTextField(values, "notes")];
    case "shopping":
      return [readTextField(values, "name")];
    default:
      return [];
  }
}

function describeContent({ type, ref, values }: CheckedContent): string {
  const name = readTextField(values, "name") || readTextField(values, "title") || type;
  return ref === null ? `"${name}"` : `${ref} "${name}"`;
}
