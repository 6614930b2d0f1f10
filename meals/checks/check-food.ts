import type { Constraint } from "../../state/constraint.ts";
import type { Breach, Change, CheckContext, Verdict } from "../../state/change.ts";
import { isJsonObject, type JsonObject } from "../../state/json.ts";
import { mealsEntityType, SLOTS } from "../entity-types.ts";
import { isEater, readMember, readMembers, type Member } from "../members.ts";
import { dayWords, readListField, readTextField } from "../read-values.ts";
import { joinItems } from "../../text/join-list.ts";
import { renderMealsSentence } from "../sentences.ts";
import { avoidedIn, findAvoidedFood } from "./allergens.ts";

/** A food that a person must not eat, by allergy or diet. */
interface Ban {
  readonly person: string;
  readonly food: string;
  readonly rule: string;
}

/** Something that is eaten or bought, as its texts say. */
interface Dish {
  /** The name under which a reason speaks of it. */
  readonly content: string;
  readonly texts: readonly string[];
  /** Its texts before the change: what they have already is no news. Default: none. */
  readonly before?: readonly string[];
}

/** Finds, in the meals that change, what an eater must not eat and what a hard wish rules out. */
export function checkMealFood(changes: readonly Change[], context: CheckContext): Verdict[] {
  const members = readMembers(context.profile);
  return changes.flatMap((change) => {
    const [before, after] = [change.before ?? {}, change.after ?? {}];
    const dish = readMealDish(change, context);
    const isOtherDish =
      change.before === null ||
      ["recipe_id", "title", "notes"].some((name) => change.changed.includes(name));
    // What a person ate before the change has been decided on.
    const eaters = members.filter(
      (member) => isEater(member, after) && (isOtherDish || !isEater(member, before)),
    );
    const wishes = isOtherDish ? listHardWishes(context, readTextField(after, "date")) : [];
    return findBanned(dish, eaters).concat(findUnwanted(dish, wishes));
  });
}

/**
 * Finds what a changed recipe newly has that somebody must not eat: those who eat it where it is
 * planned, else everybody who is there.
 */
export function checkRecipeFood(changes: readonly Change[], context: CheckContext): Verdict[] {
  const members = readMembers(context.profile);
  return changes.flatMap((change) => {
    const planned = listPlanned(context.linked(change, "meal<recipe_id"), context.today);
    const meals = planned.length === 0 ? [{ date: context.today }] : planned;
    const eaters = members.filter((member) => meals.some((meal) => isEater(member, meal)));
    const dish: Dish = {
      content: nameRecipe(change, planned),
      texts: listRecipeTexts(change.after ?? {}),
      before: change.before === null ? [] : listRecipeTexts(change.before),
    };
    return [
      ...findBanned(dish, eaters),
      ...findUnwanted(dish, listHardWishes(context, context.today)),
    ];
  });
}

/** Finds what is to be bought although somebody who is there must not eat it. */
export function checkShoppingFood(changes: readonly Change[], context: CheckContext): Verdict[] {
  const eaters = readMembers(context.profile).filter((member) =>
    isEater(member, { date: context.today }),
  );
  const wishes = listHardWishes(context, context.today);
  return changes
    .filter(({ changed }) => changed.includes("name"))
    .flatMap((change) => {
      const texts = [readTextField(change.after ?? {}, "name")];
      const dish = { content: quote(change.label), texts };
      return findBanned(dish, eaters).concat(findUnwanted(dish, wishes));
    });
}

/** Most planned meals that a warning names. */
const NAMED_MEALS = 8;

/** Warns of the planned meals that a person must not eat, after a new allergy or diet or a longer stay. */
export function checkPlannedForMember(
  changes: readonly Change[],
  { linked, today }: CheckContext,
): Verdict[] {
  return changes.flatMap((change): Verdict[] => {
    const recipes = new Map(
      linked(change, "meal<*.recipe_id").map((recipe) => [readTextField(recipe, "id"), recipe]),
    );
    const planned = listPlanned(linked(change, "meal<*"), today).map((meal) => {
      const recipe = recipes.get(readTextField(meal, "recipe_id"));
      return { meal, texts: listMealTexts(meal, recipe === undefined ? [] : [recipe]) };
    });
    const findMeals = (values: JsonObject | null): string[] => {
      if (values === null) return [];
      const member = { ...readMember(values), id: change.id };
      const bans = listBans(member);
      return planned.flatMap(({ meal, texts }) => {
        if (!isEater(member, meal)) return [];
        const dish = mealsEntityType("meal").label(meal);
        const foods = new Set(bans.flatMap(({ food }) => findFood(texts, food) ?? []));
        return [...foods].map((food) => renderMealsSentence("dishWithFood", { dish, food }));
      });
    };
    const known = new Set(findMeals(change.before));
    const meals = findMeals(change.after).filter((meal) => !known.has(meal));
    if (meals.length === 0) return [];
    const more = meals.length - NAMED_MEALS;
    const reason = renderMealsSentence(more > 0 ? "plannedAgainstMore" : "plannedAgainst", {
      person: change.label,
      meals: joinItems(meals.slice(0, NAMED_MEALS)),
      more,
    });
    return [{ kind: "warning", rule: renderMealsSentence("plannedRule"), reason }];
  });
}

/** Warns of what the eaters of a meal dislike, in one line a meal. */
export function checkDislikes(changes: readonly Change[], context: CheckContext): Verdict[] {
  const members = readMembers(context.profile);
  return changes.flatMap((change): Verdict[] => {
    const { content, texts } = readMealDish(change, context);
    const foods = members
      .filter((member) => isEater(member, change.after ?? {}))
      .flatMap(({ name: person, dislikes }) =>
        dislikes.flatMap((disliked) => {
          const food = findNamedFood({ content, texts }, disliked);
          return food === null
            ? []
            : [renderMealsSentence("dislikedBy", { food, person, disliked })];
        }),
      );
    if (foods.length === 0) return [];
    const reason = renderMealsSentence("hasAvoidedFood", { content, food: joinItems(foods) });
    return [{ kind: "warning", rule: renderMealsSentence("dislikesRule"), reason }];
  });
}

function findBanned(dish: Dish, eaters: readonly Member[]): readonly Breach[] {
  return eaters.flatMap(listBans).flatMap(({ food, person, rule }): Breach[] => {
    const found = findNewFood(dish, food);
    if (found === null) return [];
    const { content } = dish;
    const reason = renderMealsSentence("hasFoodAgainst", { content, food: found, person });
    return [{ kind: "breach", rule, reason, overridable: true }];
  });
}

function findUnwanted(dish: Dish, wishes: readonly Constraint[]): readonly Breach[] {
  return wishes.flatMap(({ text }) =>
    avoidedIn(text).flatMap((avoided): Breach[] => {
      const food = findNewFood(dish, avoided);
      if (food === null) return [];
      const reason = renderMealsSentence("hasAvoidedFood", { content: dish.content, food });
      return [{ kind: "breach", rule: text, reason, overridable: true }];
    }),
  );
}

function findNewFood({ texts, before = [] }: Dish, avoided: string): string | null {
  return findFood(before, avoided) === null ? findFood(texts, avoided) : null;
}

function findFood(texts: readonly string[], avoided: string): string | null {
  const [found] = texts.flatMap((text) => findAvoidedFood(text, avoided) ?? []);
  return found ?? null;
}

/** Most words of a text that is the name of a food. */
const NAME_WORDS = 3;

/** The food as the dish lists it: olive oil, where olives are avoided. */
function findNamedFood({ content, texts }: Dish, avoided: string): string | null {
  const [first] = texts.flatMap((text) => {
    const food = findAvoidedFood(text, avoided);
    if (food === null) return [];
    return text.split(" ").length <= NAME_WORDS && !content.includes(text) ? text : food;
  });
  return first ?? null;
}

function listBans({ name: person, allergies, diet: diets }: Member): Ban[] {
  return [
    ...allergies.map((food) => ({
      person,
      food,
      rule: renderMealsSentence("allergy", { person, food }),
    })),
    ...diets.flatMap((diet) =>
      avoidedIn(diet).map((food) => ({
        person,
        food,
        rule: renderMealsSentence("dietRule", { person, diet }),
      })),
    ),
  ];
}

function listHardWishes(
  { constraints }: Pick<CheckContext, "constraints">,
  date: string,
): readonly Constraint[] {
  return constraints.filter(
    ({ kind, until }) => kind === "hard" && (until === null || date <= until),
  );
}

function listPlanned(meals: readonly JsonObject[], today: string): readonly JsonObject[] {
  return meals.filter((meal) => readTextField(meal, "date") >= today).toSorted(byTime);
}

function byTime(one: JsonObject, other: JsonObject): number {
  const slots: readonly string[] = SLOTS;
  const [slot, otherSlot] = [one, other].map((meal) => slots.indexOf(readTextField(meal, "slot")));
  return (
    readTextField(one, "date").localeCompare(readTextField(other, "date")) ||
    (slot ?? 0) - (otherSlot ?? 0)
  );
}

function quote(label: string): string {
  return `"${label}"`;
}

/** A recipe's name, with the days for which it is planned. */
function nameRecipe({ label }: Change, planned: readonly JsonObject[]): string {
  const content = quote(label);
  if (planned.length === 0) return content;
  const days = planned.map(
    (meal) => `${dayWords(readTextField(meal, "date"))} ${readTextField(meal, "slot")}`,
  );
  return renderMealsSentence("plannedDish", { content, days: joinItems([...new Set(days)]) });
}

/** A planned meal as a dish. A draft without a title goes by the name of its recipe. */
function readMealDish(change: Change, { linked }: CheckContext): Dish {
  const after = change.after ?? {};
  const recipes = linked(change, "recipe_id");
  const [recipe = {}] = recipes;
  const own = readTextField(after, "title") === "" ? readTextField(recipe, "name") : "";
  const label = [own, change.label].filter((part) => part !== "").join(", ");
  return { content: quote(label), texts: listMealTexts(after, recipes) };
}

/** The texts that say what is eaten at a meal, ingredients first: a reason names the first. */
function listMealTexts(meal: JsonObject, recipes: readonly JsonObject[]): readonly string[] {
  return [
    ...recipes.flatMap(listRecipeTexts),
    readTextField(meal, "title"),
    readTextField(meal, "notes"),
  ];
}

function listRecipeTexts(recipe: JsonObject): readonly string[] {
  return [
    ...readListField(recipe, "ingredients").flatMap((item) => {
      if (typeof item === "string") return [item];
      return isJsonObject(item) ? [readTextField(item, "name"), readTextField(item, "note")] : [];
    }),
    readTextField(recipe, "name"),
    readTextField(recipe, "instructions"),
  ];
}
