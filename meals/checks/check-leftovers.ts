import type { Breach, CheckedContent, CheckFacts } from "../../state/domain.ts";
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
  contents: readonly CheckedContent[],
  { profile }: CheckFacts,
): Breach[] {
  const household = readNumberField(profile, "household_size") ?? 1;
  const meals = readMeals(contents);
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
        constraint: renderMealsSentence("leftoversRule"),
        reason: renderMealsSentence("leftoversTooEarly", place),
      });
    } else if (eaten > left) {
      breaches.push({
        constraint: renderMealsSentence("leftoversRule"),
        reason: renderMealsSentence("leftoversTooMany", { ...place, needed: eaten, left }),
      });
    }
    left = Math.max(0, left - eaten);
  }
  return breaches;
}

/** Meals planned on days that are over. */
export function pastBreaches(contents: readonly CheckedContent[], { today }: CheckFacts): Breach[] {
  return readMeals(contents)
    .filter((meal) => meal.date !== "" && meal.date < today)
    .map((meal) => ({
      constraint: renderMealsSentence("dateRule"),
      reason: renderMealsSentence("mealInThePast", { meal: meal.title, date: meal.date, today }),
    }));
}

function readMeals(contents: readonly CheckedContent[]): Meal[] {
  return contents
    .filter(({ type }) => type === "meal")
    .map(({ values }) => {
      const title = readTextField(values, "title");
      const recipe = readTextField(values, "recipe_id");
      return {
        dish: recipe === "" ? title.toLowerCase() : recipe,
        title: title || recipe || renderMealsSentence("aMeal"),
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
