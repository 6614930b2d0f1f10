import type { Breach, Change, CheckContext } from "../../state/change.ts";
import { SLOTS } from "../entity-types.ts";
import { dayWords, readNumberField, readTextField } from "../read-values.ts";
import { renderMealsSentence } from "../sentences.ts";

interface Meal {
  readonly dish: string;
  readonly title: string;
  readonly date: string;
  readonly slot: string;
  readonly servings: number | null;
  readonly leftovers: boolean;
}

/**
 * Leftovers that are eaten before they are cooked, or that are more than was left.
 *
 * Dishes that are not cooked among these meals are taken to be cooked already.
 */
export function leftoverBreaches(
  changes: readonly Change[],
  { profile }: Pick<CheckContext, "profile">,
): Breach[] {
  const household = readNumberField(profile, "household_size") ?? 1;
  const meals = readMeals(changes);
  const dishes = new Set(meals.filter((meal) => meal.leftovers).map((meal) => meal.dish));
  return [...dishes].flatMap((dish) => {
    const ofDish = meals.filter((meal) => meal.dish === dish).toSorted(byTime);
    return ofDish.some((meal) => !meal.leftovers) ? dishBreaches(ofDish, household) : [];
  });
}

function dishBreaches(meals: readonly Meal[], household: number): Breach[] {
  let cooked = false;
  let left = 0;
  const breaches: Breach[] = [];
  for (const meal of meals) {
    if (!meal.leftovers) {
      cooked = true;
      left += Math.max(0, (meal.servings ?? household) - household);
      continue;
    }
    const eaten = meal.servings ?? household;
    const place = { meal: meal.title, day: dayWords(meal.date), slot: meal.slot };
    if (!cooked) {
      breaches.push({
        kind: "breach",
        rule: renderMealsSentence("leftoversRule"),
        reason: renderMealsSentence("leftoversTooEarly", place),
        overridable: true,
      });
    } else if (eaten > left) {
      breaches.push({
        kind: "breach",
        rule: renderMealsSentence("leftoversRule"),
        reason: renderMealsSentence("leftoversTooMany", { ...place, needed: eaten, left }),
        overridable: true,
      });
    }
    left = Math.max(0, left - eaten);
  }
  return breaches;
}

/** Meals planned on days that are over. */
export function pastBreaches(
  changes: readonly Change[],
  { today }: Pick<CheckContext, "today">,
): Breach[] {
  return readMeals(changes)
    .filter((meal) => meal.date !== "" && meal.date < today)
    .map((meal) => ({
      kind: "breach",
      rule: renderMealsSentence("dateRule"),
      reason: renderMealsSentence("mealInThePast", { meal: meal.title, date: meal.date, today }),
      overridable: true,
    }));
}

function readMeals(changes: readonly Change[]): Meal[] {
  return changes
    .filter(({ type }) => type === "meal")
    .map(({ after }) => {
      const values = after ?? {};
      const title = readTextField(values, "title");
      const recipe = readTextField(values, "recipe_id");
      return {
        dish: recipe === "" ? title.toLowerCase() : recipe,
        title: title || renderMealsSentence("aMeal"),
        date: readTextField(values, "date"),
        slot: readTextField(values, "slot"),
        servings: readNumberField(values, "servings"),
        leftovers: values["leftovers"] === true,
      };
    });
}

function byTime(one: Meal, other: Meal): number {
  const slots: readonly string[] = SLOTS;
  return one.date.localeCompare(other.date) || slots.indexOf(one.slot) - slots.indexOf(other.slot);
}
