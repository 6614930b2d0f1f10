import { fc, test as lawTest } from "@fast-check/vitest";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { testDatabase } from "../support/database.ts";
import { openKitchen, seedKitchens, type Kitchen } from "../support/kitchen.ts";
import { readYaml } from "../support/read-yaml.ts";
import { tableTool } from "../support/table-tool-names.ts";
import type { ToolOutcome } from "../../state/tool.ts";

const CASES = readYaml(
  new URL("read-tool.yaml", import.meta.url),
  z.object({
    filters: z.array(
      z.object({
        table: z.string(),
        condition: z.tuple([z.string(), z.string(), z.unknown()]),
        names: z.unknown(),
      }),
    ),
    refused: z.array(z.object({ args: z.looseObject({ table: z.string() }), message: z.string() })),
  }),
);

const database = await testDatabase();
beforeAll(() => seedKitchens(database));

const open = (): Kitchen => openKitchen(database, { userId: "demo" });

interface ReadArguments {
  readonly table: string;
  readonly [argument: string]: unknown;
}

function read(kitchen: Kitchen, { table, ...args }: ReadArguments): Promise<ToolOutcome> {
  return kitchen.call(tableTool("read", table), args);
}

async function readNames(kitchen: Kitchen, args: ReadArguments): Promise<unknown[]> {
  const outcome = await read(kitchen, args);
  return outcome.reads.flatMap((read) => read.rows.map((row) => row.values["name"]));
}

describe("createReadTool filters", () => {
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

  test("the conditions of `where` and of each `anyOf` group have to hold", async () => {
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

  test("refs stand for rows in refs and in columns that reference", async () => {
    const demo = open();
    await demo.call("read_recipes", {});

    const byRefs = await readNames(demo, {
      table: "recipes",
      refs: ["recipe_9", "recipe_3"],
      whole: true,
    });
    const meals = await demo.call("read_planned_meals", {
      where: [{ column: "recipe_id", op: "in", value: ["recipe_9"] }],
    });

    expect(byRefs).toEqual(["Black Bean Chili", "Chickpea Curry"]);
    expect(meals.reads[0]?.rows.map((row) => row.values["slot"])).toEqual(["lunch", "dinner"]);
  });
});

describe("createReadTool results", () => {
  test("a limit cuts the rows and not the total; an order puts missing values last", async () => {
    const outcome = await open().call("read_tasks", {
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
    const outcome = await open().call("read_planned_meals", {});

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

    const summary = await open().call("read_recipes", { where });
    const full = await open().call("read_recipes", { where, whole: true });

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
    const outcome = await open().call("read_planned_meals", {
      where: [{ column: "date", op: "=", value: "2026-01-18" }],
    });

    expect(
      outcome.linked.map(({ type, rows }) => [type, rows.map((row) => row.values["name"])]),
    ).toEqual([["recipe", ["Black Bean Chili"]]]);
    expect(outcome.linked[0]?.rows[0]?.id).toBe(outcome.reads[0]?.rows[0]?.values["recipe_id"]);
  });

  test("refs whose rows are gone are named", async () => {
    const demo = open();
    await demo.call("create_tasks", {
      rows: [{ title: "Vanish" }],
    });
    await database.owner.query("delete from tasks where title = 'Vanish'");

    const outcome = await demo.call("read_tasks", { refs: ["task_1"] });

    expect(outcome.text).toBe("No longer there: task_1 (Vanish)");
    expect(outcome.reads[0]).toMatchObject({ ids: [], total: 0, suppressed: false });
  });
});

describe("createReadTool pages", () => {
  const task = fc.record({
    title: fc.constantFrom("sweep", "Mop", "dust"),
    due_on: fc.constantFrom(null, "2026-01-12", "2026-01-13"),
    category: fc.constantFrom("other", "cleaning", "prep"),
    done: fc.boolean(),
  });

  lawTest.prop(
    [
      fc.array(task, { maxLength: 12 }),
      fc.constantFrom(null, "due_on", "due_on desc", "category", "category desc", "title desc"),
      fc.integer({ min: 1, max: 5 }),
    ],
    { numRuns: 60 },
  )(
    "with after until nothing is left, every row comes once, in order",
    async (tasks, orderBy, limit) => {
      await database.owner.query("delete from tasks where user_id = 'pager'");
      await database.owner.query(
        `insert into tasks (user_id, title, due_on, category, done, created_at)
       select 'pager', title, due_on, category, done, '2026-01-01'
         from jsonb_to_recordset($1) as task (title text, due_on date, category text, done boolean)`,
        [JSON.stringify(tasks)],
      );
      const pager = openKitchen(database, { userId: "pager" });
      const all = await pager.readRefs("read_tasks", { orderBy });

      const pages: string[] = [];
      for (let page = all; page.length > 0 && pages.length <= all.length;) {
        page = await pager.readRefs("read_tasks", { orderBy, limit, after: pages.at(-1) ?? null });
        pages.push(...page);
      }

      expect(all).toHaveLength(tasks.length);
      expect(pages).toEqual(all);
    },
  );

  test("after a row that is gone, the call is refused: nothing comes after it", async () => {
    const demo = open();
    await demo.call("create_tasks", { rows: [{ title: "Vanish" }] });
    await database.owner.query("delete from tasks where title = 'Vanish'");

    await expect(demo.call("read_tasks", { after: "task_1" })).rejects.toMatchObject({
      message:
        'Cannot go on after "task_1": Vanish no longer exists; go on after the row before it',
    });
  });
});

describe("createReadTool does not repeat", () => {
  const FREEZER = {
    table: "inventory",
    where: [{ column: "location", op: "=", value: "freezer" }],
  };

  async function isSuppressed(
    demo: Kitchen,
    args: ReadArguments = FREEZER,
  ): Promise<boolean | undefined> {
    return (await read(demo, args)).reads[0]?.suppressed;
  }

  test("a read of held rows is suppressed and still names them in order", async () => {
    const demo = open();
    const first = await read(demo, FREEZER);

    const second = await read(demo, FREEZER);

    expect(second).toMatchObject({
      reads: [{ ids: first.reads[0]?.ids, rows: [], total: 5, suppressed: true }],
      linked: [],
    });
  });

  test("other filters over held rows are suppressed as well", async () => {
    const demo = open();
    await demo.call("read_inventory_items", {});

    expect(await isSuppressed(demo)).toBe(true);
  });

  test("a changed row, a new row and a deleted row are seen", async () => {
    const demo = open();
    const other = open();
    await read(demo, FREEZER);
    const [peas] = await other.readRefs("read_inventory_items", {
      where: [{ column: "name", op: "=", value: "peas" }],
    });

    const change = { refs: [peas], set: { quantity: 499 } };
    await other.call("update_inventory_items", change);
    expect(await isSuppressed(demo)).toBe(false);
    expect(await isSuppressed(demo)).toBe(true);

    const [ice] = await other.readRefs("create_inventory_items", {
      rows: [{ name: "ice cubes", location: "freezer" }],
    });
    expect(await isSuppressed(demo)).toBe(false);
    expect(await isSuppressed(demo)).toBe(true);

    await other.call("delete_rows", { refs: [ice] });
    const after = await read(demo, FREEZER);
    expect(after.reads[0]).toMatchObject({ suppressed: true, total: 5 });
    expect(after.reads[0]?.ids).toHaveLength(5);
  });

  test("a change of a child counts as a change of its row", async () => {
    const demo = open();
    const other = open();
    const recipes = { table: "recipes" };
    await read(demo, recipes);
    const [stew] = await other.readRefs("read_recipes", {
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
    await demo.call("read_recipes", {});

    expect(await isSuppressed(demo, { table: "recipes", whole: true })).toBe(false);
    expect(await isSuppressed(demo, { table: "recipes", whole: true })).toBe(true);
    expect(await isSuppressed(demo, { table: "recipes" })).toBe(true);
  });

  test("finding nothing is never suppressed", async () => {
    const demo = open();
    const none = { table: "recipes", where: [{ column: "name", op: "=", value: "Borscht" }] };
    await demo.call("read_recipes", {});

    expect((await read(demo, none)).reads[0]).toMatchObject({
      ids: [],
      total: 0,
      suppressed: false,
    });
  });
});

describe("createReadTool answers what is right", () => {
  test.each(CASES.refused)("$args", async ({ args, message }) => {
    const demo = open();
    await demo.call("read_recipes", {});
    demo.refs.draft("recipe", { name: "Shakshuka" });

    await expect(read(demo, args)).rejects.toMatchObject({ message });
  });
});
