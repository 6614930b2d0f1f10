import { z } from "zod";
import type { Queryable } from "../state/store.ts";
import type { CatalogueEntry } from "./catalogue.ts";
import { CATEGORIES } from "./categories.ts";
import type { ListedLine } from "./shopping/shopping-merge.ts";
import type { StockItem } from "./shopping/shopping-math.ts";

const CatalogueRow = z.object({
  name: z.string(),
  aliases: z.array(z.string()),
  category: z.enum(CATEGORIES).nullable(),
  grams_per_ml: z.number().nullable(),
});

/** Loads the user's own catalogue. */
export async function loadCatalogue(tx: Queryable): Promise<CatalogueEntry[]> {
  const { rows } = await tx.query(
    "select name, aliases, category, grams_per_ml::float8 as grams_per_ml from ingredients order by name",
  );
  return rows.map((row) => {
    const { name, aliases, category, grams_per_ml: gramsPerMl } = CatalogueRow.parse(row);
    return { name, aliases, category, gramsPerMl };
  });
}

const StockRow = z.object({
  name: z.string(),
  quantity: z.number().nullable(),
  unit: z.string().nullable(),
});

/** Loads what is in the kitchen. */
export async function loadStock(tx: Queryable): Promise<StockItem[]> {
  const { rows } = await tx.query(
    "select name, quantity::float8 as quantity, unit from inventory order by created_at, id",
  );
  return rows.map((row) => StockRow.parse(row));
}

const ListedRow = StockRow.extend({ id: z.string(), sources: z.array(z.string()) });

/** Loads the lines of the shopping list that are still to be bought. */
export async function loadListed(tx: Queryable): Promise<ListedLine[]> {
  const { rows } = await tx.query(
    `select id::text as id, name, quantity::float8 as quantity, unit, sources
       from shopping_list where not purchased order by created_at, id`,
  );
  return rows.map((row) => ListedRow.parse(row));
}

const IngredientRow = z.object({
  recipe_id: z.string(),
  name: z.string(),
  quantity: z.number().nullable(),
  unit: z.string().nullable(),
  optional: z.boolean(),
});
const RecipeRow = z.object({
  id: z.string(),
  name: z.string(),
  servings: z.number().int(),
});

/** A recipe as shopping needs it. */
export interface CookableRecipe extends z.infer<typeof RecipeRow> {
  readonly ingredients: readonly z.infer<typeof IngredientRow>[];
}

/** Loads recipes with their ingredients, by id. */
export async function loadRecipes(
  tx: Queryable,
  ids: readonly string[],
): Promise<ReadonlyMap<string, CookableRecipe>> {
  const recipes = await tx.query(
    "select id::text as id, name, servings from recipes where id = any($1::uuid[])",
    [ids],
  );
  const ingredients = await tx.query(
    `select recipe_id::text as recipe_id, name, quantity::float8 as quantity, unit, optional
       from recipe_ingredients where recipe_id = any($1::uuid[]) order by position, id`,
    [ids],
  );
  const lines = ingredients.rows.map((row) => IngredientRow.parse(row));
  return new Map(
    recipes.rows.map((row) => {
      const { id, name, servings } = RecipeRow.parse(row);
      const own = lines.filter((line) => line.recipe_id === id);
      return [id, { id, name, servings, ingredients: own }];
    }),
  );
}

const PlannedRow = z.object({
  recipe_id: z.string().nullable(),
  title: z.string().nullable(),
  date: z.string(),
  servings: z.number().int().nullable(),
  leftovers: z.boolean(),
});
/** A planned meal as shopping and calendars need it. */
export type PlannedRow = z.infer<typeof PlannedRow>;

/** Loads the meals planned from one day to another, both included. */
export async function loadPlanned(
  tx: Queryable,
  days: { readonly from: string; readonly to: string },
): Promise<PlannedRow[]> {
  const { rows } = await tx.query(
    `select recipe_id::text as recipe_id, title, date::text as date, servings, leftovers
       from meal_plans where date between $1::date and $2::date
      order by date, created_at, id`,
    [days.from, days.to],
  );
  return rows.map((row) => PlannedRow.parse(row));
}
