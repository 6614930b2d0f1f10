import { randomUUID } from "node:crypto";
import { mealsDomain } from "../../meals/index.ts";
import type { TestDatabase } from "./database.ts";
import { openKitchen, type Kitchen, type KitchenOptions } from "./kitchen.ts";
import { tableTool } from "./table-tool-names.ts";

/** A household of its own with a few rows of every kind, all of them read. */
export interface Household {
  readonly userId: string;
  readonly kitchen: Kitchen;
}

/** Makes a new household and opens its kitchen with the tools of meals. */
export async function openHousehold(
  database: Pick<TestDatabase, "userData">,
  options: Partial<KitchenOptions> = {},
): Promise<Household> {
  const userId = `user-${randomUUID()}`;
  await database.userData.seed(userId, randomUUID(), async (tx) => {
    await tx.query(HOUSEHOLD);
  });
  const { entityTypes, tools } = mealsDomain;
  const kitchen = openKitchen(database, { userId, tools, ...options });
  await Promise.all(entityTypes.map(({ table }) => kitchen.call(tableTool("read", table), {})));
  kitchen.refs.draft("recipe", { name: "Leek soup", ingredients: [{ name: "leek" }] });
  return { userId, kitchen };
}

const HOUSEHOLD = `with dishes as (
    insert into recipes (name, servings) values ('Cod Tacos', 2), ('Pea Soup', 4) returning id, name),
  parts as (
    insert into recipe_ingredients (recipe_id, position, name, quantity, unit)
    select id, n, dishes.name || ' part ' || n, n, 'g' from dishes, generate_series(1, 3) n),
  planned as (
    insert into meal_plans (date, slot, recipe_id, title)
    select date '2026-01-12' + n, 'dinner', id, case n when 2 then 'Date night' end
      from dishes, generate_series(1, 2) n),
  cooked as (
    insert into cooking_log (cooked_on, recipe_id, rating) select '2026-01-10', id, 4 from dishes),
  stock as (
    insert into inventory (name, quantity, unit) values ('Eggs', 8, null), ('Rice', 500, 'g')),
  known as (insert into ingredients (name) values ('egg'), ('rice'), ('leek')),
  bought as (insert into shopping_list (name, quantity) values ('Butter', 1)),
  todo as (insert into tasks (title) values ('Water the herbs'))
  insert into preferences (household_size) values (3)`;
