import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { testDatabase } from "../support/database.ts";
import { openKitchen, seedKitchens, type Kitchen } from "../support/kitchen.ts";
import { rowFields } from "../support/row-fields.ts";
import { readYaml } from "../support/read-yaml.ts";

const CASES = readYaml(
  new URL("db-read.yaml", import.meta.url),
  z.object({
    filters: z.array(
      z.object({
        table: z.string(),
        condition: z.tuple([z.string(), z.string(), z.unknown()]),
        names: z.unknown(),
      }),
    ),
    refused: z.array(z.object({ args: z.unknown(), message: z.string() })),
  }),
);

const database = await testDatabase();
beforeAll(() => seedKitchens(database));

const open = (): Kitchen => openKitchen(database, { userId: "demo" });

async function readNames(kitchen: Kitchen, args: Record<string, unknown>): Promise<unknown[]> {
  const outcome = await kitchen.call("db_read", args);
  return outcome.reads.flatMap((read) => read.rows.map((row) => row.values["name"]));
}

describe("db_read filters", () => {
  test.each(CASES.filters)(
    "$table where $condition",
    async ({ table, condition: [column, op, value], names }) => {
      expect(await readNames(open(), { table, where: [{ column, op, value }] })).toEqual(names);
    },
  );

  test("!= and not_in on a child list mean that no child is like that", async () => {
    const where = [{ column: "ingredients.name", op: "not_in", value: ["cod fillet", "rice"] }];

    expect(await readNames(open(), { table: "recipes", where })).toEqual([
      "Mushroom Risotto",
      "French Toast",
      "Sticky Chicken Wings",
    ]);
  });

  test("!= finds rows without a value too", async () => {
    const where = [{ column: "unit", op: "!=", value: "l" }];

    expect(await readNames(open(), { table: "shopping_list", where })).toContain("oranges");
  });

  test("where and each anyOf group have to hold", async () => {
    const names = await readNames(open(), {
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

    const byRefs = await readNames(demo, {
      table: "recipes",
      refs: ["recipe_9", "recipe_3"],
      columns: ["*"],
    });
    const byId = await readNames(demo, {
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

describe("db_read answers what is right", () => {
  test.each(CASES.refused)("$args", async ({ args, message }) => {
    const demo = open();
    await demo.call("db_read", { table: "recipes" });
    demo.refs.draft("recipe", { name: "Shakshuka" });

    await expect(demo.call("db_read", args)).rejects.toMatchObject({ message });
  });
});
