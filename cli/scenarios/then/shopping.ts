import { z } from "zod";
import type { EntityRow } from "../../../state/entity.ts";
import { changesOf } from "../facts.ts";
import type { Tables } from "../tables.ts";
import { ingredientsOf, textOf, unless, type Ingredient } from "./words.ts";

/**
 * Reckons anew, by a way of its own, what has to be bought for the meals planned in the week of
 * the play, and holds the new lines of the shopping list against it.
 */
export function shoppingProblems(turn: Looks): readonly string[] {
  const lines = (changesOf(turn)["shopping_list"]?.created ?? []).map(({ values }) =>
    LineSchema.parse(values),
  );
  const density = densitiesOf(turn.before["ingredients"] ?? []);
  const bought = sumsOf(lines, density);
  const wanted = wantedOf(turn, density);
  const dishes = plannedDishes(turn).map(({ name }) => name);
  return [
    ...unless(
      bought.size === lines.length,
      `${lines.length} lines for ${bought.size} things: ${lines.map(({ name }) => name).join(", ")}`,
    ),
    ...[...wanted].flatMap(([what, amount]) => {
      const found = bought.get(what) ?? 0;
      return unless(isNear(found, amount), `${what}: expected about ${amount}, found ${found}`);
    }),
    ...[...bought.keys()].flatMap((what) => unless(wanted.has(what), `${what} is not needed`)),
    ...lines.flatMap(({ name, sources }) => unless(sources.length > 0, `${name} names no source`)),
    ...lines
      .flatMap(({ sources }) => sources)
      .flatMap((source) =>
        unless(
          dishes.some((dish) => source.toLowerCase().includes(dish.toLowerCase())),
          `"${source}" is named as a source and is not planned`,
        ),
      ),
  ];
}

/** The user's rows before and after. */
interface Looks {
  readonly before: Tables;
  readonly after: Tables;
}

const LineSchema = z.object({
  name: z.string(),
  quantity: z.number().nullable(),
  unit: z.string().nullable(),
  sources: z.array(z.string()),
});

/** `rice in g` → an amount. */
type Sums = ReadonlyMap<string, number>;

const WEEK = { first: "2026-01-12", last: "2026-01-18" };
const GRAMS: Readonly<Record<string, number>> = { g: 1, kg: 1000 };
const MILLILITRES: Readonly<Record<string, number>> = {
  ml: 1,
  l: 1000,
  tsp: 5,
  tbsp: 15,
  cup: 240,
};

/** People round, and cups differ. */
function isNear(found: number, wanted: number): boolean {
  return Math.abs(found - wanted) <= wanted / 10;
}

function plannedDishes(
  turn: Looks,
): readonly { readonly name: string; readonly ingredients: readonly Ingredient[] }[] {
  const recipes = turn.before["recipes"] ?? [];
  return (turn.before["meal_plans"] ?? [])
    .map(({ values }) => MealSchema.parse(values))
    .filter(({ date, leftovers }) => date >= WEEK.first && date <= WEEK.last && !leftovers)
    .flatMap(({ recipe_id, servings }) => {
      const recipe = recipes.find(({ id }) => id === recipe_id);
      if (recipe === undefined) return [];
      const serves = z.number().parse(recipe.values["servings"]);
      const times = (servings ?? serves) / serves;
      const ingredients = ingredientsOf(recipe.values).map(({ name, quantity, unit }) => ({
        name,
        quantity: quantity === null ? null : quantity * times,
        unit,
      }));
      return [{ name: textOf(recipe.values, "name"), ingredients }];
    });
}

const MealSchema = z.object({
  date: z.string(),
  recipe_id: z.string().nullable(),
  servings: z.number().nullable(),
  leftovers: z.boolean(),
});

function wantedOf(turn: Looks, density: ReadonlyMap<string, number>): Sums {
  const needs = sumsOf(
    plannedDishes(turn).flatMap(({ ingredients }) => ingredients),
    density,
  );
  const rows = (turn.before["inventory"] ?? []).map(({ values }) => StockSchema.parse(values));
  const stock = sumsOf(rows, density);
  // What is there in an unknown amount is taken to be enough.
  const enough = new Set(
    rows.filter(({ quantity }) => quantity === null).map(({ name }) => one(name)),
  );
  return new Map(
    [...needs].flatMap(([what, need]): [string, number][] => {
      const missing = need - (stock.get(what) ?? 0);
      return missing > 0 && !enough.has(what.replace(/ in [^ ]+$/u, "")) ? [[what, missing]] : [];
    }),
  );
}

const StockSchema = z.object({
  name: z.string(),
  quantity: z.number().nullable(),
  unit: z.string().nullable(),
});

function densitiesOf(catalogue: readonly EntityRow[]): ReadonlyMap<string, number> {
  return new Map(
    catalogue.flatMap(({ values }): [string, number][] => {
      const density = values["grams_per_ml"];
      return typeof density === "number" ? [[one(textOf(values, "name")), density]] : [];
    }),
  );
}

/** Amounts of the same thing in the same kind of unit, added up; where a density is known, volume counts as weight. */
function sumsOf(parts: readonly Ingredient[], density: ReadonlyMap<string, number>): Sums {
  const sums = new Map<string, number>();
  for (const { name, quantity, unit } of parts) {
    if (quantity === null) continue;
    const thing = one(name);
    const { kind, amount } = measured(quantity, one(unit ?? "pieces"));
    const grams = density.get(thing);
    const [last, value] =
      kind === "ml" && grams !== undefined ? ["g", amount * grams] : [kind, amount];
    const what = `${thing} in ${last}`;
    sums.set(what, (sums.get(what) ?? 0) + value);
  }
  return sums;
}

function measured(
  quantity: number,
  unit: string,
): { readonly kind: string; readonly amount: number } {
  const grams = GRAMS[unit];
  if (grams !== undefined) return { kind: "g", amount: quantity * grams };
  const millilitres = MILLILITRES[unit];
  if (millilitres !== undefined) return { kind: "ml", amount: quantity * millilitres };
  return { kind: unit, amount: quantity };
}

/** `Cloves` → `clove`: one spelling for singular and plural. */
function one(word: string): string {
  return word
    .toLowerCase()
    .trim()
    .replace(/(?<=[^s])s$/u, "");
}
