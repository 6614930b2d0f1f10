import { Temporal } from "temporal-polyfill";
import type { Queryable } from "../../state/store.ts";
import type { DemoData } from "../../state/domain.ts";
import type { DemoKitchen, DemoRecipe } from "./read-kitchen.ts";

/**
 * Two households: `demo`, which the documentation and the scenarios talk about, and `neighbour`,
 * whose data nobody else may ever see. Their files are read by the first seed: a start needs none.
 */
export const DEMO_KITCHENS: readonly DemoData[] = [
  {
    userId: "demo",
    async seed(tx, options) {
      const { DEMO } = await import("./read-kitchen.ts");
      await seedKitchen(tx, { ...options, kitchen: DEMO });
    },
  },
  {
    userId: "neighbour",
    async seed(tx, options) {
      const { NEIGHBOUR } = await import("./read-kitchen.ts");
      await seedKitchen(tx, { ...options, kitchen: NEIGHBOUR });
    },
  },
];

/** Rows of one table as objects of column values; the first may name columns that others leave out. */
type Rows = readonly Readonly<Record<string, unknown>>[];

const TABLES = [
  "cooking_log",
  "meal_plans",
  "shopping_list",
  "tasks",
  "inventory",
  "recipe_ingredients",
  "recipes",
  "ingredients",
  "members",
  "preferences",
];

/** Returns the rows of each table that need no recipe, for a kitchen as it is on a day. */
function buildTables(kitchen: DemoKitchen, today: Temporal.PlainDate): Record<string, Rows> {
  const onDay = createCalendar(kitchen, today);
  return {
    inventory: kitchen.stock.map(({ keeps, ...item }) => ({
      ...item,
      expires_on: keeps === null ? null : today.add({ days: keeps }).toString(),
    })),
    shopping_list: kitchen.shopping,
    tasks: kitchen.tasks.map(({ day, ...task }) => ({ ...task, due_on: onDay(day) })),
    members: kitchen.members,
    preferences: [kitchen.preferences],
    ingredients: kitchen.catalogue.map(({ gramsPerMl, ...entry }) => ({
      ...entry,
      grams_per_ml: gramsPerMl,
    })),
    meal_plans: kitchen.meals.map(({ day, ...meal }) => ({ ...meal, date: onDay(day) })),
    cooking_log: kitchen.cooked.map(({ day, ...meal }) => ({ ...meal, cooked_on: onDay(day) })),
  };
}

/** Returns the date of a day that the kitchen counts from this week's Monday or from today. */
function createCalendar({ daysFrom }: DemoKitchen, today: Temporal.PlainDate) {
  const first = daysFrom === "today" ? today : today.subtract({ days: today.dayOfWeek - 1 });
  return (days: number | null) => (days === null ? null : first.add({ days }).toString());
}

interface SeedOptions {
  readonly userId: string;
  readonly today: string;
  readonly kitchen: DemoKitchen;
}

async function seedKitchen(tx: Queryable, { userId, today, kitchen }: SeedOptions): Promise<void> {
  for (const table of TABLES) await tx.query(`delete from ${table} where user_id = $1`, [userId]);
  const { recipes } = kitchen;
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
  const tables = buildTables(kitchen, Temporal.PlainDate.from(today));
  for (const [table, rows] of Object.entries(tables)) await insert(table, rows);
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
