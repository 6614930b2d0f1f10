import { beforeAll, expect, test } from "vitest";
import { MEALS_ENTITY_TYPES } from "../../meals/entity-types.ts";
import { testDatabase } from "../support/database.ts";
import { openKitchen, seedKitchens } from "../support/kitchen.ts";

const database = await testDatabase();
beforeAll(() => seedKitchens(database));

const RECIPE = MEALS_ENTITY_TYPES.find(({ type }) => type === "recipe");

test("the demo kitchen reads as nine recipes, cod in the first, second and seventh", async () => {
  const demo = openKitchen(database, { userId: "demo" });

  const outcome = await demo.call("read_recipes", {});

  const lines = outcome.reads[0]?.rows.map(
    (row) =>
      `${demo.refs.refFor("recipe", row.id)}: ${RECIPE?.label(row.values)} · ${RECIPE?.facts?.(row.values)}`,
  );
  expect(lines).toEqual([
    "recipe_1: Lemon Butter Cod · cod fillet, potatoes, lemons, 35 min",
    "recipe_2: Cod Tacos · cod fillet, tortillas, cabbage, 30 min",
    "recipe_3: Chickpea Curry · chickpeas, coconut milk, spinach, 35 min",
    "recipe_4: Mushroom Risotto · mushrooms, risotto rice, parmesan, 40 min",
    "recipe_5: French Toast · bread, eggs, milk, 15 min",
    "recipe_6: Sticky Chicken Wings · chicken wings, honey, soy sauce, 50 min",
    "recipe_7: Fisherman's Stew · cod fillet, potatoes, chopped tomatoes, 45 min",
    "recipe_8: Egg Fried Rice · eggs, rice, peas, 20 min",
    "recipe_9: Black Bean Chili · black beans, chopped tomatoes, bell peppers, 50 min",
  ]);
});

test("the demo kitchen holds 59 things, none of them fish or peanuts", async () => {
  const demo = openKitchen(database, { userId: "demo" });

  const refs = await demo.readRefs("read_inventory_items", {});
  const forbidden = await demo.call("read_inventory_items", {
    anyOf: [["cod", "fish", "peanut"].map((value) => ({ column: "name", op: "contains", value }))],
  });

  expect(refs).toEqual(Array.from({ length: 59 }, (_, index) => `inv_${index + 1}`));
  expect(forbidden.reads[0]?.total).toBe(0);
});
