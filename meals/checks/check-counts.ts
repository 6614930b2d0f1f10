import type { Constraint } from "../../state/constraint.ts";
import type { Breach, Change, CheckContext } from "../../state/change.ts";
import { foodWords } from "../food-words.ts";
import { readTextField } from "../read-values.ts";
import { renderMealsSentence } from "../sentences.ts";

const COUNTED: Readonly<Record<string, readonly string[]>> = {
  meal: ["meal", "dinner", "lunch", "breakfast", "supper", "slot"],
  recipe: ["recipe", "dish"],
};

/** "8 meals" and seven drafts: a number that was named in this turn has to be met. */
export function countBreaches(
  drafts: readonly Change[],
  { constraints, turn }: Pick<CheckContext, "constraints" | "turn">,
): Breach[] {
  return constraints
    .filter((constraint) => turn === null || constraint.turn === turn)
    .flatMap((constraint) => countBreach(drafts, constraint));
}

function countBreach(drafts: readonly Change[], constraint: Constraint): Breach[] {
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
  return [
    {
      kind: "breach",
      rule: text,
      reason: renderMealsSentence(id, { found, wanted: count }),
      overridable: true,
    },
  ];
}

/** Two dishes of one dinner are one meal. */
function collectSlots(meals: readonly Change[]): Set<string> {
  return new Set(
    meals.map(
      ({ after }) => `${readTextField(after ?? {}, "date")} ${readTextField(after ?? {}, "slot")}`,
    ),
  );
}
