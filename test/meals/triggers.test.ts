import { expect, test } from "vitest";
import { testDatabase } from "../support/database.ts";

const database = await testDatabase();

test("the meals' triggers use the kitchen's recipes whatever the caller's search_path names first", async () => {
  const client = await database.owner.connect();
  try {
    await client.query("begin");
    await client.query("select set_config('concierge.user_id', 'anna', true)");
    const recipe = await client.query<{ id: string }>(
      "insert into recipes (name, updated_at) values ('Lentil soup', '2026-01-01') returning id",
    );
    const id = recipe.rows[0]?.id;
    await client.query("create temp table recipes (id uuid, name text, updated_at timestamptz)");
    await client.query("insert into pg_temp.recipes values ($1, 'Another table', null)", [id]);
    await client.query("set local search_path = pg_temp");
    const meal = await client.query(
      `insert into concierge.meal_plans (date, slot, recipe_id) values ('2026-03-02', 'dinner', $1)
       returning title`,
      [id],
    );
    expect(meal.rows).toEqual([{ title: "Lentil soup" }]);
    await client.query(
      "insert into concierge.recipe_ingredients (recipe_id, name) values ($1, 'Lentils')",
      [id],
    );
    const changed = await client.query(
      "select updated_at = now() as changed from concierge.recipes where id = $1",
      [id],
    );
    expect(changed.rows).toEqual([{ changed: true }]);
  } finally {
    await client.query("rollback");
    client.release();
  }
});
