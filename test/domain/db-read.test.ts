import { beforeAll, describe, expect, test } from "vitest";
import { testDatabase } from "../support/database.ts";
import { openKitchen, seedKitchens, type Kitchen } from "../support/kitchen.ts";
import { rowFields } from "../support/row-fields.ts";

const database = await testDatabase();
beforeAll(() => seedKitchens(database));

const open = (): Kitchen => openKitchen(database, { userId: "demo" });

async function namesOf(kitchen: Kitchen, args: Record<string, unknown>): Promise<unknown[]> {
  const outcome = await kitchen.call("db_read", args);
  return outcome.reads.flatMap((read) => read.rows.map((row) => row.values["name"]));
}

describe("db_read filters", () => {
  test.each([
    ["inventory", ["name", "=", "Eggs"], ["eggs"]],
    ["inventory", ["quantity", "=", 800], ["vegetable stock", "potatoes"]],
    ["inventory", ["expires_on", "=", "2026-01-14"], ["spinach"]],
    ["recipes", ["servings", "!=", 2], ["Fisherman's Stew", "Black Bean Chili"]],
    ["recipes", ["prep_minutes", "<", 10], ["French Toast"]],
    ["recipes", ["cook_minutes", "<=", 10], ["Cod Tacos", "French Toast", "Egg Fried Rice"]],
    ["recipes", ["cook_minutes", ">", 35], ["Sticky Chicken Wings"]],
    ["recipes", ["prep_minutes", ">=", 20], ["Cod Tacos"]],
    ["inventory", ["expires_on", "<", "2026-01-15"], ["spinach"]],
    ["inventory", ["name", "in", ["EGGS", "milk"]], ["eggs", "milk"]],
    ["recipes", ["servings", "in", ["4"]], ["Fisherman's Stew", "Black Bean Chili"]],
    [
      "recipes",
      ["cuisine", "not_in", ["Mexican", "british", "Indian", "Italian"]],
      ["French Toast", "Sticky Chicken Wings", "Fisherman's Stew", "Egg Fried Rice"],
    ],
    ["recipes", ["name", "ilike", "%COD%"], ["Lemon Butter Cod", "Cod Tacos"]],
    ["recipes", ["name", "ilike", "cod%"], ["Cod Tacos"]],
    ["recipes", ["name", "ilike", "stew"], ["Fisherman's Stew"]],
    ["recipes", ["name", "contains", "chick"], ["Chickpea Curry", "Sticky Chicken Wings"]],
    ["recipes", ["name", "contains", "100%"], []],
    ["recipes", ["tags", "contains", "Quick"], ["Cod Tacos", "French Toast", "Egg Fried Rice"]],
    ["recipes", ["tags", "contains", ["quick", "fish"]], ["Cod Tacos"]],
    ["shopping_list", ["unit", "is_null", null], ["oranges", "washing-up liquid"]],
    [
      "shopping_list",
      ["unit", "is_not_null", null],
      ["oat milk", "coffee", "dark chocolate", "kitchen roll"],
    ],
    ["shopping_list", ["purchased", "=", true], ["washing-up liquid"]],
    ["shopping_list", ["purchased", "!=", false], ["washing-up liquid"]],
    [
      "inventory",
      ["location", "=", "Freezer"],
      ["chicken wings", "peas", "berries", "puff pastry", "vanilla ice cream"],
    ],
    ["recipes", ["ingredients.name", "contains", "egg"], ["French Toast", "Egg Fried Rice"]],
    ["recipes", ["ingredients.quantity", ">=", 700], ["Mushroom Risotto"]],
    ["ingredients", ["grams_per_ml", ">", 1.3], ["honey", "maple syrup", "strawberry jam"]],
  ])("%s where %j", async (table, [column, op, value], names) => {
    expect(await namesOf(open(), { table, where: [{ column, op, value }] })).toEqual(names);
  });

  test("!= and not_in on a child list mean that no child is like that", async () => {
    const where = [{ column: "ingredients.name", op: "not_in", value: ["cod fillet", "rice"] }];

    expect(await namesOf(open(), { table: "recipes", where })).toEqual([
      "Mushroom Risotto",
      "French Toast",
      "Sticky Chicken Wings",
    ]);
  });

  test("!= finds rows without a value too", async () => {
    const where = [{ column: "unit", op: "!=", value: "l" }];

    expect(await namesOf(open(), { table: "shopping_list", where })).toContain("oranges");
  });

  test("where and each anyOf group have to hold", async () => {
    const names = await namesOf(open(), {
      table: "recipes",
      where: [{ column: "tags", op: "contains", value: "quick" }],
      anyOf: [
        [
          { column: "ingredients.name", op: "=", value: "eggs" },
          { column: "ingredients.name", op: "=", value: "chickpeas" },
        ],
        [
          { column: "cuisine", op: "=", value: "Chinese" },
          { column: "cuisine", op: "=", value: "Indian" },
        ],
      ],
    });

    expect(names).toEqual(["Egg Fried Rice"]);
  });

  test("refs stand for rows in refs, in id filters and in columns that reference", async () => {
    const demo = open();
    await demo.call("db_read", { table: "recipes" });

    const byRefs = await namesOf(demo, {
      table: "recipes",
      refs: ["recipe_9", "recipe_3"],
      columns: ["*"],
    });
    const byId = await namesOf(demo, {
      table: "recipes",
      where: [{ column: "id", op: "not_in", value: ["recipe_1", "recipe_2", "recipe_7"] }],
      columns: ["*"],
    });
    const meals = await demo.call("db_read", {
      table: "meal_plans",
      where: [{ column: "recipe_id", op: "in", value: ["recipe_9"] }],
    });

    expect(byRefs).toEqual(["Black Bean Chili", "Chickpea Curry"]);
    expect(byId).toHaveLength(6);
    expect(meals.reads[0]?.rows.map((row) => row.values["slot"])).toEqual(["lunch", "dinner"]);
  });
});

describe("db_read results", () => {
  test("a limit cuts the rows and not the total; an order puts missing values last", async () => {
    const outcome = await open().call("db_read", {
      table: "tasks",
      orderBy: "due_on desc",
      limit: 2,
    });

    expect(outcome.reads[0]?.total).toBe(3);
    expect(outcome.reads[0]?.rows.map((row) => row.values["title"])).toEqual([
      "Clean the fridge",
      "Defrost the chicken wings",
    ]);
  });

  test("choices sort in the order in which the type lists them", async () => {
    const outcome = await open().call("db_read", { table: "meal_plans" });

    expect(
      outcome.reads[0]?.rows.map(({ values }) => [values["date"], values["slot"], values["title"]]),
    ).toEqual([
      ["2026-01-12", "lunch", "Chickpea Curry"],
      ["2026-01-12", "dinner", "Mushroom Risotto"],
      ["2026-01-15", "breakfast", "Yoghurt with oats and berries"],
      ["2026-01-17", "breakfast", "French Toast"],
      ["2026-01-18", "lunch", "Black Bean Chili"],
      ["2026-01-18", "dinner", "Black Bean Chili"],
    ]);
  });

  test("a summary has the children's names, everything has the children", async () => {
    const where = [{ column: "name", op: "=", value: "French Toast" }];

    const summary = await open().call("db_read", { table: "recipes", where });
    const full = await open().call("db_read", { table: "recipes", where, columns: ["*"] });

    expect(summary.reads[0]).toMatchObject({ detail: "summary" });
    expect(summary.reads[0]?.rows[0]?.values).toEqual({
      name: "French Toast",
      servings: 2,
      prep_minutes: 5,
      cook_minutes: 10,
      tags: ["breakfast", "vegetarian", "quick"],
      ingredients: ["bread", "eggs", "milk", "butter", "cinnamon", "maple syrup"],
    });
    expect(full.reads[0]).toMatchObject({ detail: "full" });
    expect(full.reads[0]?.rows[0]?.values).toMatchObject({
      cuisine: "French",
      parent_id: null,
      ingredients: [
        { name: "bread", quantity: 4, unit: "slices", note: null, optional: false },
        ...["eggs", "milk", "butter", "cinnamon", "maple syrup"].map((name) => ({ name })),
      ],
    });
  });

  test("rows that foreign keys point at come with their label and facts", async () => {
    const outcome = await open().call("db_read", {
      table: "meal_plans",
      where: [{ column: "date", op: "=", value: "2026-01-18" }],
    });

    expect(
      outcome.linked.map(({ type, rows }) => [type, rows.map((row) => row.values["name"])]),
    ).toEqual([["recipe", ["Black Bean Chili"]]]);
    expect(outcome.linked[0]?.rows[0]?.id).toBe(outcome.reads[0]?.rows[0]?.values["recipe_id"]);
  });

  test("refs whose rows are gone are named", async () => {
    const demo = open();
    await demo.call("db_create", {
      table: "tasks",
      rows: [{ fields: [{ name: "title", value: "Vanish" }], children: [] }],
    });
    await database.owner.query("delete from tasks where title = 'Vanish'");

    const outcome = await demo.call("db_read", { table: "tasks", refs: ["task_1"] });

    expect(outcome.text).toBe("No longer there: task_1 (Vanish)");
    expect(outcome.reads[0]).toMatchObject({ ids: [], total: 0, suppressed: false });
  });
});

describe("db_read is not repeated", () => {
  const read = { table: "inventory", where: [{ column: "location", op: "=", value: "freezer" }] };

  async function isSuppressed(demo: Kitchen, args: unknown = read): Promise<boolean | undefined> {
    return (await demo.call("db_read", args)).reads[0]?.suppressed;
  }

  test("a read of held rows is suppressed and still names them in order", async () => {
    const demo = open();
    const first = await demo.call("db_read", read);

    const second = await demo.call("db_read", read);

    expect(second).toMatchObject({
      reads: [{ ids: first.reads[0]?.ids, rows: [], total: 5, suppressed: true }],
      linked: [],
    });
  });

  test("other filters over held rows are suppressed as well", async () => {
    const demo = open();
    await demo.call("db_read", { table: "inventory" });

    expect(await isSuppressed(demo)).toBe(true);
  });

  test("a changed row, a new row and a deleted row are seen", async () => {
    const demo = open();
    const other = open();
    await demo.call("db_read", read);
    const [peas] = await other.refsOf("db_read", {
      table: "inventory",
      where: [{ column: "name", op: "=", value: "peas" }],
    });

    const change = { table: "inventory", refs: [peas], fields: [{ name: "quantity", value: 499 }] };
    await other.call("db_update", change);
    expect(await isSuppressed(demo)).toBe(false);
    expect(await isSuppressed(demo)).toBe(true);

    const fields = rowFields({ name: "ice cubes", location: "freezer" });
    const [ice] = await other.refsOf("db_create", {
      table: "inventory",
      rows: [{ fields, children: [] }],
    });
    expect(await isSuppressed(demo)).toBe(false);
    expect(await isSuppressed(demo)).toBe(true);

    await other.call("db_delete", { table: "inventory", refs: [ice] });
    const after = await demo.call("db_read", read);
    expect(after.reads[0]).toMatchObject({ suppressed: true, total: 5 });
    expect(after.reads[0]?.ids).toHaveLength(5);
  });

  test("a change of a child counts as a change of its row", async () => {
    const demo = open();
    const other = open();
    const recipes = { table: "recipes" };
    await demo.call("db_read", recipes);
    const [stew] = await other.refsOf("db_read", {
      table: "recipes",
      where: [{ column: "name", op: "ilike", value: "Fisherman%" }],
    });

    await database.owner.query(
      "update recipe_ingredients set note = 'skinless' where name = 'cod fillet'",
    );

    expect(stew).toBe("recipe_1");
    expect(await isSuppressed(demo, recipes)).toBe(false);
    expect(await isSuppressed(demo, recipes)).toBe(true);
  });

  test("more detail than is held has to be fetched, and then covers less", async () => {
    const demo = open();
    await demo.call("db_read", { table: "recipes" });

    expect(await isSuppressed(demo, { table: "recipes", columns: ["name", "instructions"] })).toBe(
      false,
    );
    expect(await isSuppressed(demo, { table: "recipes", columns: ["*"] })).toBe(true);
    expect(await isSuppressed(demo, { table: "recipes", columns: ["name", "servings"] })).toBe(
      true,
    );
  });

  test("finding nothing is never suppressed", async () => {
    const demo = open();
    const none = { table: "recipes", where: [{ column: "name", op: "=", value: "Borscht" }] };
    await demo.call("db_read", { table: "recipes" });

    expect((await demo.call("db_read", none)).reads[0]).toMatchObject({
      ids: [],
      total: 0,
      suppressed: false,
    });
  });
});

function condition(column: string, op: string, value: unknown) {
  return { table: "recipes", where: [{ column, op, value }] };
}

describe("db_read answers what is right", () => {
  test.each([
    [
      { table: "pantry" },
      'Cannot use table "pantry": there is no such table; use one of recipes, inventory, meal_plans, shopping_list, tasks, preferences, cooking_log, ingredients',
    ],
    [
      { table: "recipes", filter: [] },
      'Cannot call tool "db_read": the argument object has the unknown key "filter"; leave it out',
    ],
    [
      condition("title", "=", "x"),
      'Cannot use column "title": "recipes" has no such column; it has id, name, servings, prep_minutes, cook_minutes, cuisine, tags, instructions, source_url, parent_id, ingredients.name, ingredients.quantity, ingredients.unit, ingredients.note, ingredients.optional',
    ],
    [
      condition("name", "like", "x"),
      'Cannot call tool "db_read": where.0.op is "like"; give one of =, !=, <, <=, >, >=, in, not_in, ilike, contains, is_null, is_not_null',
    ],
    [
      condition("tags", "=", "quick"),
      'Cannot use operator "=" on column "tags": it holds a list of texts; use one of contains, is_null, is_not_null',
    ],
    [
      condition("servings", "=", "two"),
      'Cannot use value "two" for column "servings": it does not fit; give a whole number',
    ],
    [
      condition("servings", "in", []),
      'Cannot use value "[]" with operator "in" on column "servings": it does not fit; give a list with at least one value',
    ],
    [
      condition("name", "=", null),
      'Cannot use value "null" with operator "=" on column "name": it does not fit; give a value, or use is_null or is_not_null',
    ],
    [
      condition("name", "is_null", "yes"),
      'Cannot use value "yes" with operator "is_null" on column "name": it does not fit; give null',
    ],
    [
      { table: "meal_plans", where: [{ column: "date", op: ">=", value: "2026-02-30" }] },
      'Cannot use value "2026-02-30" for column "date": it does not fit; give a date as YYYY-MM-DD; that day does not exist',
    ],
    [
      { table: "meal_plans", where: [{ column: "slot", op: "=", value: "brunch" }] },
      'Cannot use value "brunch" for column "slot": it does not fit; give one of breakfast, lunch, dinner, snack, other',
    ],
    [
      condition("name", "contains", "a\0b"),
      'Cannot use value "…" for column "name": it does not fit; give a text without NUL characters',
    ],
    [
      condition("id", "=", "3f0a1b1e-0000-4000-8000-000000000000"),
      'Cannot use a database id in "id": rows are named by their refs here; give the ref',
    ],
    [
      { table: "recipes", refs: ["recipe_77"] },
      'Cannot use ref "recipe_77": it does not exist in this conversation; known refs near it: recipe_1, recipe_2, recipe_3',
    ],
    [
      { table: "inventory", refs: ["recipe_1"] },
      'Cannot use ref "recipe_1" in "refs": it is of type recipe; give a ref of type inventory',
    ],
    [
      { table: "recipes", refs: ["gen_recipe_1"] },
      'Cannot use ref "gen_recipe_1" in "refs": recipe "Shakshuka" is a draft that is not saved; save it first',
    ],
    [
      { table: "recipes", limit: 0 },
      'Cannot use limit "0": it does not fit; give a whole number from 1 to 200, or null',
    ],
    [
      { table: "recipes", orderBy: "tags" },
      'Cannot order by "tags": rows cannot be ordered by it; use one of name, servings, prep_minutes, cook_minutes, cuisine, instructions, source_url',
    ],
    [
      { table: "recipes", anyOf: [[]] },
      'Cannot filter "recipes": a group of anyOf is empty; leave the group out',
    ],
  ])("%j", async (args, message) => {
    const demo = open();
    await demo.call("db_read", { table: "recipes" });
    demo.refs.draft("recipe", { name: "Shakshuka" });

    await expect(demo.call("db_read", args)).rejects.toMatchObject({ message });
  });
});
