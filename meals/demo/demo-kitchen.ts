import { Temporal } from "temporal-polyfill";
import type { Queryable } from "../../state/store.ts";
import type { DemoData } from "../../state/domain.ts";
import { STANDARD_CATALOGUE } from "../catalogue.ts";
import { DEMO_RECIPES, NEIGHBOUR_RECIPES, type DemoRecipe } from "./demo-recipes.ts";
import { DEMO_STOCK, NEIGHBOUR_STOCK, type DemoItem } from "./demo-stock.ts";

/**
 * Two households: `demo`, which the documentation and the scenarios talk about, and `neighbour`,
 * whose data nobody else may ever see.
 */
export const DEMO_KITCHENS: readonly DemoData[] = [
  { userId: "demo", seed: (tx, options) => seedKitchen(tx, { ...options, kitchen: demoKitchen }) },
  {
    userId: "neighbour",
    seed: (tx, options) => seedKitchen(tx, { ...options, kitchen: neighbourKitchen }),
  },
];

/** Rows of one table as objects of column values; the first may name columns that others leave out. */
type Rows = readonly Readonly<Record<string, unknown>>[];

interface Kitchen {
  readonly recipes: readonly DemoRecipe[];
  readonly tables: Readonly<Record<string, Rows>>;
  readonly meals: readonly PlannedMeal[];
  readonly cooked: Rows;
}

interface PlannedMeal {
  readonly date: string;
  readonly slot: string;
  /** Name of a recipe, or what is eaten instead. */
  readonly title: string;
  readonly servings: number;
  readonly leftovers?: boolean;
}

const TABLES = [
  "cooking_log",
  "meal_plans",
  "shopping_list",
  "tasks",
  "inventory",
  "recipe_ingredients",
  "recipes",
  "ingredients",
  "preferences",
];

function demoKitchen(today: Temporal.PlainDate): Kitchen {
  const monday = today.subtract({ days: today.dayOfWeek - 1 });
  const day = (offset: number): string => monday.add({ days: offset }).toString();
  return {
    recipes: DEMO_RECIPES,
    meals: [
      { date: day(0), slot: "lunch", title: "Chickpea Curry", servings: 2 },
      { date: day(0), slot: "dinner", title: "Mushroom Risotto", servings: 2 },
      { date: day(3), slot: "breakfast", title: "Yoghurt with oats and berries", servings: 2 },
      { date: day(5), slot: "breakfast", title: "French Toast", servings: 2 },
      { date: day(6), slot: "lunch", title: "Black Bean Chili", servings: 4 },
      { date: day(6), slot: "dinner", title: "Black Bean Chili", servings: 2, leftovers: true },
    ],
    cooked: [
      { cooked_on: day(-3), title: "Sticky Chicken Wings", servings: 2, rating: 5 },
      { cooked_on: day(-2), title: "Egg Fried Rice", servings: 2, rating: 4 },
    ],
    tables: {
      inventory: stockRows(DEMO_STOCK, today),
      shopping_list: [
        { name: "oat milk", quantity: 1, unit: "l", category: "drinks", purchased: false },
        { name: "oranges", quantity: 6, unit: null, category: "produce", purchased: false },
        { name: "coffee", quantity: 250, unit: "g", category: "drinks", purchased: false },
        { name: "dark chocolate", quantity: 2, unit: "bars", category: "other", purchased: false },
        {
          name: "kitchen roll",
          quantity: 1,
          unit: "pack",
          category: "household",
          purchased: false,
        },
        {
          name: "washing-up liquid",
          quantity: 1,
          unit: null,
          category: "household",
          purchased: true,
        },
      ],
      tasks: [
        { title: "Defrost the chicken wings", due_on: day(1), category: "prep" },
        { title: "Clean the fridge", due_on: day(5), category: "cleaning" },
        { title: "Return the neighbour's casserole dish", due_on: null, category: "other" },
      ],
      preferences: [
        {
          household_size: 2,
          allergies: ["peanuts"],
          dislikes: ["olives"],
          favourites: ["curry", "mushrooms"],
          equipment: ["oven", "hob", "blender"],
          skill: "intermediate",
        },
      ],
      ingredients: STANDARD_CATALOGUE.map((entry) => ({
        name: entry.name,
        aliases: entry.aliases,
        category: entry.category,
        grams_per_ml: entry.gramsPerMl,
      })),
    },
  };
}

function neighbourKitchen(today: Temporal.PlainDate): Kitchen {
  return {
    recipes: NEIGHBOUR_RECIPES,
    meals: [{ date: today.toString(), slot: "dinner", title: "Beef Goulash", servings: 4 }],
    cooked: [{ cooked_on: today.toString(), title: "Satay Noodles", servings: 2, rating: 3 }],
    tables: {
      inventory: stockRows(NEIGHBOUR_STOCK, today),
      shopping_list: [{ name: "red wine", quantity: 1, unit: "bottle", category: "drinks" }],
      tasks: [{ title: "Book a table for Friday", due_on: today.toString(), category: "other" }],
      preferences: [{ household_size: 4, allergies: ["shellfish"] }],
      ingredients: [{ name: "goulash spice", category: "spices", grams_per_ml: 0.5 }],
    },
  };
}

function stockRows(stock: readonly DemoItem[], today: Temporal.PlainDate): Rows {
  return stock.map(({ name, quantity, unit, location, keeps }) => ({
    name,
    quantity,
    unit,
    location,
    expires_on: keeps === null ? null : today.add({ days: keeps }).toString(),
  }));
}

interface SeedOptions {
  readonly userId: string;
  readonly today: string;
  readonly kitchen: (today: Temporal.PlainDate) => Kitchen;
}

async function seedKitchen(tx: Queryable, { userId, today, kitchen }: SeedOptions): Promise<void> {
  for (const table of TABLES) await tx.query(`delete from ${table} where user_id = $1`, [userId]);
  const { recipes, meals, cooked, tables } = kitchen(Temporal.PlainDate.from(today));
  const insert = (table: string, rows: Rows): Promise<unknown> =>
    insertRows(
      tx,
      table,
      rows.map((row) => ({ user_id: userId, ...row })),
    );
  await insert("recipes", recipes.map(recipeRow));
  for (const recipe of recipes) {
    await tx.query(
      `insert into recipe_ingredients (user_id, recipe_id, position, name, quantity, unit)
       select $1, (select id from recipes where user_id = $1 and name = $2), part.position,
              part.name, part.quantity, part.unit
         from unnest($3::text[], $4::numeric[], $5::text[])
              with ordinality as part (name, quantity, unit, position)`,
      [
        userId,
        recipe.name,
        recipe.ingredients.map(([name]) => name),
        recipe.ingredients.map(([, quantity]) => quantity ?? null),
        recipe.ingredients.map(([, , unit]) => unit ?? null),
      ],
    );
  }
  for (const [table, rows] of Object.entries(tables)) await insert(table, rows);
  await insert(
    "meal_plans",
    meals.map(({ date, slot, title, servings, leftovers }) => ({
      date,
      slot,
      title,
      servings,
      leftovers: leftovers ?? false,
    })),
  );
  await insert("cooking_log", cooked);
  for (const table of ["meal_plans", "cooking_log"]) {
    await tx.query(
      `update ${table} set recipe_id = recipes.id from recipes
        where recipes.user_id = $1 and ${table}.user_id = $1 and recipes.name = ${table}.title`,
      [userId],
    );
  }
}

function recipeRow(recipe: DemoRecipe): Rows[number] {
  return {
    name: recipe.name,
    servings: recipe.servings,
    prep_minutes: recipe.prep,
    cook_minutes: recipe.cook,
    cuisine: recipe.cuisine,
    tags: recipe.tags,
    instructions: recipe.instructions,
  };
}

/** One statement a table; the database fills in what a row leaves out. */
async function insertRows(tx: Queryable, table: string, rows: Rows): Promise<void> {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const values: unknown[] = [];
  const tuples = rows.map((row) => {
    const cells = columns.map((column) =>
      row[column] === undefined ? "default" : `$${values.push(row[column])}`,
    );
    return `(${cells.join(", ")})`;
  });
  await tx.query(
    `insert into ${table} (${columns.join(", ")}) values ${tuples.join(", ")}`,
    values,
  );
}
