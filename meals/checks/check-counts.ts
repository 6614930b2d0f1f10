import type { Constraint } from "../../state/constraint.ts";
import type { Breach, CheckedContent, CheckFacts } from "../../state/domain.ts";
import { foodWords } from "../food-words.ts";
import { readTextField } from "../read-values.ts";
import { renderMealsSentence } from "../sentences.ts";

const COUNTED: Readonly<Record<string, readonly string[]>> = {
  meal: ["meal", "dinner", "lunch", "breakfast", "supper", "slot"],
  recipe: ["recipe", "dish"],
};

/** "8 meals" and seven drafts: a number that was named in this turn has to be met. */
export function countBreaches(
  drafts: readonly CheckedContent[],
  { constraints, turn }: CheckFacts,
): Breach[] {
  return constraints
    .filter((constraint) => turn === undefined || constraint.turn === turn)
    .flatMap((constraint) => countBreach(drafts, constraint));
}

function countBreach(drafts: readonly CheckedContent[], constraint: Constraint): Breach[] {
  const { count, text } = constraint;
  if (count === null) return [];
  const words = foodWords(text);
  const counted = Object.entries(COUNTED).find(([, names]) =>
    names.some((name) => words.includes(name)),
  );
  if (counted === undefined) return [];
  const [type] = counted;
  const ofType = drafts.filter((draft) => draft.type === type);
  if (ofType.length === 0) return [];
  const found = type === "meal" ? collectSlots(ofType).size : ofType.length;
  if (found === count) return [];
  const id = type === "meal" ? "wrongMealCount" : "wrongRecipeCount";
  return [{ constraint: text, reason: renderMealsSentence(id, { found, wanted: count }) }];
}

/** Two dishes of one dinner are one meal. */
function collectSlots(meals: readonly CheckedContent[]): Set<string> {
  return new Set(
    meals.map(({ values }) => `${readTextField(values, "date")} ${readTextField(values, "slot")}`),
  );
}
