import { Fraction } from "fraction.js";
import { z } from "zod";
import { ToolInputError } from "../../state/tool.ts";
import { defineTool } from "../../domain/define-tool.ts";
import type { DomainTool, ToolContext } from "../../state/domain.ts";
import { resolveSavedRef } from "../../domain/table-tools/refs.ts";
import { amountWords } from "../amount-words.ts";
import { readAmount, scaleAmount, type StoredAmount } from "../amounts.ts";
import { STANDARD_CATALOGUE } from "../catalogue.ts";
import { readDays } from "../days.ts";
import { indexIngredients } from "../ingredient-index.ts";
import {
  loadCatalogue,
  loadListed,
  loadPlanned,
  loadRecipes,
  loadStock,
  type CookableRecipe,
} from "../load-kitchen.ts";
import { joinItems } from "../../text/join-list.ts";
import { renderMealsSentence } from "../sentences.ts";
import { planShopping, type Need, type ShoppingNeed } from "./shopping-math.ts";
import { mergeShopping, type ListChange } from "./shopping-merge.ts";

const Parameters = z.strictObject({
  recipes: z
    .array(
      z.strictObject({
        ref: z.string().describe("ref of type recipe"),
        servings: z.number().nullable().describe("null: the recipe's own"),
      }),
    )
    .describe("dishes to cook"),
  from: z.string().nullable().describe("first planned day, YYYY-MM-DD"),
  to: z.string().nullable().describe("last planned day"),
});

/** Writes what recipes or planned days need, less what the kitchen has, onto the shopping list. */
export const buildShoppingList: DomainTool = defineTool({
  name: "build_shopping_list",
  subdomain: "shopping",
  description: "Add what recipes or the meals planned from/to need, summed, less the inventory.",
  parameters: Parameters,
  effect: "write",
  writes: ["shopping"],
  run: async (args, context) => {
    const wanted = await wantedDishes(args, context);
    if (wanted.dishes.length === 0) return nothingText(wanted);
    const find = indexIngredients(await loadCatalogue(context.tx), STANDARD_CATALOGUE);
    const needs = planShopping(
      wanted.dishes.flatMap(needsOfDish),
      await loadStock(context.tx),
      find,
    );
    const changes = mergeShopping(needs, await loadListed(context.tx), find);
    await storeChanges(changes, context);
    return summaryText({ needs, changes, wanted });
  },
});

/** A recipe that is cooked, for how many, and how its lines on the list name it. */
interface Dish {
  readonly recipe: CookableRecipe;
  readonly servings: number;
  readonly source: string;
}

interface Wanted {
  readonly dishes: readonly Dish[];
  /** Planned meals without a recipe: nobody knows what they need. */
  readonly unknown: readonly string[];
}

async function wantedDishes(
  args: z.output<typeof Parameters>,
  context: ToolContext,
): Promise<Wanted> {
  const days = readDays(args.from, args.to);
  const named = args.recipes.map(({ ref, servings }) => {
    const { id, label } = resolveSavedRef(context.refs, ref, { type: "recipe", place: "recipes" });
    return { ref, id, label, servings: readServings(servings) };
  });
  if (days === null && named.length === 0) {
    throw new ToolInputError(
      "Cannot build a shopping list: neither recipes nor days are named; give recipes, or from and to",
    );
  }
  const planned = days === null ? [] : await loadPlanned(context.tx, days);
  const meals = planned.filter((meal) => !meal.leftovers);
  const ids = [...named.map(({ id }) => id), ...meals.map((meal) => meal.recipe_id ?? "")];
  const recipes = await loadRecipes(context.tx, [...new Set(ids.filter((id) => id !== ""))]);
  const fromRefs = named.flatMap(({ id, ref, servings, label }): Dish[] => {
    const recipe = recipes.get(id);
    if (recipe === undefined) {
      throw new ToolInputError(
        `Cannot shop for "${ref}": "${label}" no longer exists; leave it out`,
      );
    }
    return [{ recipe, servings: servings ?? recipe.servings, source: recipe.name }];
  });
  const fromPlan = meals.flatMap((meal): Dish[] => {
    const recipe = recipes.get(meal.recipe_id ?? "");
    if (recipe === undefined) return [];
    const source = `${recipe.name} (${meal.date})`;
    return [{ recipe, servings: meal.servings ?? recipe.servings, source }];
  });
  const unknown = meals.filter((meal) => meal.recipe_id === null).map((meal) => meal.title ?? "");
  return { dishes: [...fromRefs, ...fromPlan], unknown };
}

function readServings(servings: number | null): number | null {
  if (servings === null || (servings > 0 && servings <= 1000)) return servings;
  throw new ToolInputError(
    `Cannot cook for "${servings}": that is no number of portions; give 1 to 1000, or null`,
  );
}

function needsOfDish({ recipe, servings, source }: Dish): Need[] {
  const factor = new Fraction(servings).div(recipe.servings);
  return recipe.ingredients
    .filter((ingredient) => !ingredient.optional)
    .map((ingredient) => {
      const amount = readAmount(ingredient);
      return {
        name: ingredient.name,
        amount: amount === null ? null : scaleAmount(amount, factor),
        source,
      };
    });
}

async function storeChanges(changes: readonly ListChange[], tool: ToolContext): Promise<void> {
  for (const change of changes) {
    if (change.kind === "keep") continue;
    const { ingredient, sources } = change.need;
    await tool.attempt({ label: ingredient.name, ref: null }, () => {
      if (change.kind === "change") {
        const line = { type: "shopping", id: change.line.id };
        return tool.update(line, { ...change.amount, sources: change.sources });
      }
      const { name, category } = ingredient;
      return tool.create("shopping", { name, ...change.amount, category, sources });
    });
  }
}

interface ShoppingResult {
  readonly needs: readonly ShoppingNeed[];
  readonly changes: readonly ListChange[];
  readonly wanted: Wanted;
}

function summaryText(result: ShoppingResult): string {
  const { needs, changes, wanted } = result;
  const touched = new Set(changes.map((change) => needName(change.need)));
  const covered = needs.filter((need) => need.covered && !touched.has(needName(need)));
  const optional = wanted.dishes.flatMap(({ recipe }) =>
    recipe.ingredients.filter((one) => one.optional).map((one) => one.name),
  );
  const lines = [
    renderMealsSentence("shoppingFor", { dishes: list(wanted.dishes.map(dishWords)) }),
    ...changes.map(changeText),
    ...(changes.length === 0 ? [renderMealsSentence("nothingHasToBeBought")] : []),
    ...(covered.length === 0
      ? []
      : [renderMealsSentence("inKitchenAlready", { items: list(covered.map(needName)) })]),
    ...(optional.length === 0
      ? []
      : [renderMealsSentence("optionalLeftOut", { items: list(optional) })]),
    ...(wanted.unknown.length === 0
      ? []
      : [renderMealsSentence("notCounted", { meals: list(wanted.unknown) })]),
  ];
  return lines.join("\n");
}

function nothingText({ unknown }: Wanted): string {
  return unknown.length === 0
    ? renderMealsSentence("nothingPlanned")
    : renderMealsSentence("nothingToAdd", { meals: list(unknown) });
}

function dishWords({ source, servings }: Dish): string {
  return renderMealsSentence("dishForServings", { dish: source, servings });
}

function changeText(change: ListChange): string {
  const { need } = change;
  const amounts = need.incomparable.map(words).join(" and ");
  const doubt = amounts === "" ? "" : renderMealsSentence("incomparable", { amounts });
  switch (change.kind) {
    case "add":
      return renderMealsSentence("lineAdded", {
        item: needName(need),
        amount: amountOrSome(change.amount),
        dishes: list(need.sources),
        doubt,
      });
    case "change":
      return renderMealsSentence("lineChanged", {
        item: change.line.name,
        amount: words(change.amount),
        before: amountOrSome(change.line),
        dishes: list(change.sources),
        doubt,
      });
    case "keep":
      return renderMealsSentence("lineKept", {
        item: change.line.name,
        amount: amountOrSome(change.line),
        dishes: list(need.sources),
      });
  }
  return change satisfies never;
}

function needName(need: ShoppingNeed): string {
  return need.ingredient.name;
}

function amountOrSome(amount: StoredAmount): string {
  return words(amount) || renderMealsSentence("someAmount");
}

function words({ quantity, unit }: StoredAmount): string {
  return amountWords(quantity, unit);
}

function list(texts: readonly string[]): string {
  return joinItems([...new Set(texts)]);
}
