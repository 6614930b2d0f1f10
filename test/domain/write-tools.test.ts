import { beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { defineTool } from "../../domain/define-tool.ts";
import { MEALS_ENTITY_TYPES } from "../../meals/entity-types.ts";
import type { Column, EntityType } from "../../state/entity.ts";
import type { Json } from "../../state/json.ts";
import { testDatabase } from "../support/database.ts";
import { openKitchen, seedKitchens, type Kitchen } from "../support/kitchen.ts";
import { readYaml } from "../support/read-yaml.ts";
import { tableTool } from "../support/table-tool-names.ts";

const CASES = readYaml(
  new URL("write-tools.yaml", import.meta.url),
  z.object({
    impossible: z.array(
      z.object({ table: z.string(), values: z.record(z.string(), z.json()), text: z.string() }),
    ),
    refused: z.array(z.object({ tool: z.string(), args: z.unknown(), message: z.string() })),
  }),
);

/** A domain's own tool, which may set any column. */
const EMPTY_NOTE = defineTool({
  name: "empty_note",
  subdomain: "tasks",
  description: "Empties the note of a task.",
  parameters: z.strictObject({ task: z.string().describe("its ref") }),
  effect: "write",
  writes: ["task"],
  run: async ({ task }, tool) => {
    await tool.update(task, { note: "" });
    return null;
  },
});

const database = await testDatabase();
beforeEach(() => seedKitchens(database));

const open = (): Kitchen => openKitchen(database, { userId: "demo" });

interface Values {
  readonly [name: string]: Json;
}

function makeRow(values: Values, ingredients: readonly Values[] = []) {
  return { ...values, ...(ingredients.length === 0 ? {} : { ingredients }) };
}

async function countRows(table: string, user = "demo"): Promise<unknown> {
  const { rows } = await database.owner.query(
    `select count(*)::int as count from ${table} where user_id = $1`,
    [user],
  );
  return rows[0]?.["count"];
}

async function namesIn(table: string, column = "name"): Promise<unknown[]> {
  const { rows } = await database.owner.query(
    `select ${column} as name from ${table} where user_id = 'demo' order by created_at`,
  );
  return rows.map((row) => row["name"]);
}

/** Makes the table refuse rows of one name, as a rule of the database would. */
async function refuse(table: string, options: { name: string; on: string; column?: string }) {
  const { name, on, column = "name" } = options;
  await database.owner.query(`
    create or replace function refuse_row() returns trigger language plpgsql as $$
    begin raise exception 'the kitchen says no'; end $$;
    create trigger refuse_row before ${on} on ${table} for each row
      when (${on === "insert" ? "new" : "old"}.${column} = '${name}') execute function refuse_row();`);
  return async (): Promise<void> => {
    await database.owner.query(`drop trigger refuse_row on ${table}`);
  };
}

describe("the empty text in a column that takes no null", () => {
  const note: Column = {
    name: "note",
    kind: "text",
    nullable: false,
    hasDefault: true,
    set: "always",
  };
  const entityTypes = MEALS_ENTITY_TYPES.map((type): EntityType => {
    const columns = type.type === "task" ? [...type.columns, note] : type.columns;
    return Object.assign({}, type, { columns });
  });
  const title = "Defrost the chicken wings";
  const where = [{ column: "title", op: "=", value: title }];

  async function openNotes() {
    await database.owner.query(
      "alter table tasks add column if not exists note text not null default 'as written'",
    );
    const notes = openKitchen(database, { userId: "demo", entityTypes, tools: [EMPTY_NOTE] });
    await notes.call("read_tasks", { where });
    const readNote = async () => {
      const { rows } = await database.owner.query(
        "select note from tasks where user_id = 'demo' and title = $1",
        [title],
      );
      return rows[0]?.["note"];
    };
    return { notes, readNote };
  }

  test.each([
    ["update_tasks", { refs: ["task_1"], set: { note: "" }, clear: [] }],
    ["update_tasks", { refs: ["task_1"], set: {}, clear: ["note"] }],
    ["empty_note", { task: "task_1" }],
  ])("is stored by %s %j", async (tool, args) => {
    const { notes, readNote } = await openNotes();

    await notes.call(tool, args);

    expect(await readNote()).toBe("");
  });

  test("is no value where a creation must give one", async () => {
    const { notes } = await openNotes();

    await expect(
      notes.call("create_tasks", { rows: [{ title: " " }], drafts: [] }),
    ).rejects.toThrow('Cannot make a task without "title": give a value');
  });
});

describe("createCreateTool", () => {
  test("creates rows with their children and reports them in full", async () => {
    const demo = open();

    const outcome = await demo.call("create_recipes", {
      rows: [
        makeRow({ name: "Shakshuka", servings: 2, tags: ["quick"], cook_minutes: 20 }, [
          { name: "eggs", quantity: 4 },
          { name: "chopped tomatoes", quantity: 1, unit: "can" },
          { name: "feta", optional: true },
        ]),
      ],
    });

    expect(outcome.failures).toEqual([]);
    expect(outcome.writes.map(({ action, type, draft }) => [action, type, draft])).toEqual([
      ["created", "recipe", null],
    ]);
    expect(outcome.writes[0]?.row.values).toEqual({
      name: "Shakshuka",
      servings: 2,
      prep_minutes: null,
      cook_minutes: 20,
      cuisine: null,
      tags: ["quick"],
      instructions: null,
      source_url: null,
      parent_id: null,
      ingredients: [
        { name: "eggs", quantity: 4, unit: null, note: null, optional: false },
        { name: "chopped tomatoes", quantity: 1, unit: "can", note: null, optional: false },
        { name: "feta", quantity: null, unit: null, note: null, optional: true },
      ],
    });
  });

  test("a created row is held: reading it again is suppressed", async () => {
    const demo = open();
    const [ref] = await demo.readRefs("create_recipes", {
      rows: [makeRow({ name: "Soup" }, [{ name: "leeks" }])],
    });

    const read = await demo.call("read_recipes", { refs: [ref], whole: true });

    expect(read.reads[0]).toMatchObject({ suppressed: true, total: 1 });
  });

  test("saves drafts as they are and names the draft each row saves", async () => {
    const demo = open();
    const first = demo.refs.draft("recipe", {
      name: "Pasta al limone",
      ingredients: [{ name: "spaghetti", quantity: 200, unit: "g" }, "lemons"],
    });
    const second = demo.refs.draft("recipe", { name: "Aglio e olio", ingredients: [] });

    const outcome = await demo.call("create_recipes", { drafts: [first, second] });

    expect(outcome.writes.map((write) => [write.draft, write.row.values["name"]])).toEqual([
      ["gen_recipe_1", "Pasta al limone"],
      ["gen_recipe_2", "Aglio e olio"],
    ]);
    expect(outcome.writes[0]?.row.values["ingredients"]).toMatchObject([
      { name: "spaghetti", quantity: 200, unit: "g" },
      { name: "lemons", quantity: null, unit: null },
    ]);
  });

  test("a draft that is saved already is reported and not saved twice", async () => {
    const demo = open();
    const draft = demo.refs.draft("recipe", { name: "Toast" });
    await demo.call("create_recipes", { drafts: [draft] });

    const again = await demo.call("create_recipes", { drafts: [draft] });

    expect(again.writes).toEqual([]);
    expect(again.failures).toEqual([
      { label: "Toast", ref: "gen_recipe_1", reason: "it is saved already" },
    ]);
    expect(await countRows("recipes")).toBe(10);
  });

  test("one row of three that the database refuses leaves the other two", async () => {
    const allow = await refuse("recipes", { name: "Penne", on: "insert" });
    const demo = open();
    const drafts = ["Linguine", "Penne", "Rigatoni"].map((name) =>
      demo.refs.draft("recipe", { name, ingredients: [{ name: "pasta" }] }),
    );

    const outcome = await demo.call("create_recipes", { drafts });
    await allow();
    const retry = await demo.call("create_recipes", { drafts: ["gen_recipe_2"] });

    expect(outcome.writes.map((write) => write.draft)).toEqual(["gen_recipe_1", "gen_recipe_3"]);
    expect(outcome.failures).toEqual([
      { label: "Penne", ref: "gen_recipe_2", reason: "the kitchen says no" },
    ]);
    expect(retry.writes.map((write) => write.draft)).toEqual(["gen_recipe_2"]);
    expect((await namesIn("recipes")).slice(9)).toEqual(["Linguine", "Rigatoni", "Penne"]);
  });

  test("a refused child takes its row with it", async () => {
    const allow = await refuse("recipe_ingredients", { name: "gravel", on: "insert" });

    const outcome = await open().call("create_recipes", {
      rows: [
        makeRow({ name: "Road" }, [{ name: "tar" }, { name: "gravel" }]),
        makeRow({ name: "Path" }, [{ name: "sand" }]),
      ],
    });
    await allow();

    expect(outcome.failures).toEqual([{ label: "Road", ref: null, reason: "the kitchen says no" }]);
    expect((await namesIn("recipes")).slice(9)).toEqual(["Path"]);
  });

  test.each(CASES.impossible)(
    "$table refuses $values in words",
    async ({ table, values, text }) => {
      const outcome = await open().call(tableTool("create", table), { rows: [makeRow(values)] });

      expect(outcome.writes).toEqual([]);
      expect(outcome.failures.map(({ label, reason }) => `${label}: ${reason}`)).toEqual([text]);
    },
  );

  test("a meal that names only its recipe is called after it", async () => {
    const demo = open();
    await demo.call("read_recipes", {});

    const outcome = await demo.call("create_planned_meals", {
      rows: [makeRow({ date: "2026-01-13", slot: "dinner", recipe_id: "recipe_3" })],
    });

    expect(outcome.writes[0]?.row.values["title"]).toBe("Chickpea Curry");
    expect(outcome.linked.map(({ type }) => type)).toEqual(["recipe"]);
  });

  test.each(CASES.refused)(
    "$tool refuses $args and writes nothing",
    async ({ tool, args, message }) => {
      const demo = open();
      demo.refs.draft("recipe", { name: "Stew" });
      demo.refs.draft("recipe", { name: "Mystery", colour: "green" });

      await expect(demo.call(tool, args)).rejects.toMatchObject({ message });
    },
  );

  test("one wrong row among right ones writes none of them", async () => {
    const rows = [makeRow({ title: "right" }), makeRow({ title: "wrong", due_on: "soon" })];

    await expect(open().call("create_tasks", { rows })).rejects.toMatchObject({
      code: "tool_input_invalid",
    });
    expect(await countRows("tasks")).toBe(3);
  });
});

describe("createUpdateTool", () => {
  test("sets fields of every row that is named, and raises their versions", async () => {
    const demo = open();
    const before = await demo.call("read_tasks", {});

    const outcome = await demo.call("update_tasks", {
      refs: ["task_1", "task_3"],
      set: { done: true },
    });

    expect(
      outcome.writes.map(({ action, row }) => [action, row.values["title"], row.values["done"]]),
    ).toEqual([
      ["updated", "Defrost the chicken wings", true],
      ["updated", "Return the neighbour's casserole dish", true],
    ]);
    expect(outcome.writes.map((write) => write.row.rowVersion)).toEqual(
      [0, 2].map((index) => (before.reads[0]?.rows[index]?.rowVersion ?? 0) + 1),
    );
  });

  test("children are replaced as a whole, kept by null and removed by an empty list", async () => {
    const demo = open();
    await demo.call("read_recipes", {});
    const ingredientsAfter = async (set: Values): Promise<unknown> => {
      const outcome = await demo.call("update_recipes", {
        refs: ["recipe_5"],
        set,
      });
      return outcome.writes[0]?.row.values["ingredients"];
    };
    const toast = [{ name: "bread", quantity: 4 }, { name: "feta" }];

    const kept = await ingredientsAfter({ servings: 3, ingredients: null });
    const replaced = await ingredientsAfter({ ingredients: toast });
    const removed = await ingredientsAfter({ ingredients: [] });

    expect(kept).toHaveLength(6);
    expect(replaced).toMatchObject(toast);
    expect(removed).toEqual([]);
  });

  test("a row that is gone is reported, the others are changed", async () => {
    const demo = open();
    await demo.call("read_tasks", {});
    await database.owner.query("delete from tasks where title = 'Clean the fridge'");

    const outcome = await demo.call("update_tasks", {
      refs: ["task_1", "task_2"],
      set: { done: true },
    });

    expect(outcome.writes.map((write) => write.row.values["title"])).toEqual([
      "Defrost the chicken wings",
    ]);
    expect(outcome.failures).toEqual([
      { label: "Clean the fridge", ref: "task_2", reason: "it no longer exists" },
    ]);
  });

  test("a meal follows its recipe's name when it gets another recipe", async () => {
    const demo = open();
    await demo.call("read_recipes", {});
    const [meal] = await demo.readRefs("read_planned_meals", {
      where: [{ column: "slot", op: "=", value: "lunch" }],
    });

    const outcome = await demo.call("update_planned_meals", {
      refs: [meal],
      set: { recipe_id: "recipe_8" },
    });

    expect(outcome.writes[0]?.row.values["title"]).toBe("Egg Fried Rice");
  });

  test("empties the columns of clear, and refuses one that is set as well", async () => {
    const demo = open();
    await demo.call("read_tasks", {});
    const change = { refs: ["task_1"], set: { title: "Defrost" }, clear: ["due_on"] };

    const outcome = await demo.call("update_tasks", change);
    const both = { refs: ["task_1"], set: { due_on: "2026-01-20" }, clear: ["due_on"] };

    expect(outcome.writes[0]?.row.values).toMatchObject({ title: "Defrost", due_on: null });
    await expect(demo.call("update_tasks", both)).rejects.toMatchObject({
      message: 'Cannot change "due_on": it is in set and in clear; give it in one of them',
    });
  });

  test("refuses to change nothing", async () => {
    const args = { refs: [], set: {}, clear: [] };

    await expect(open().call("update_tasks", args)).rejects.toMatchObject({
      message: "Cannot update tasks: nothing is named; give refs and what to set or clear",
    });
  });
});

describe("createDeleteTool", () => {
  test("deletes the row that is named and no other of the same name", async () => {
    const demo = open();
    const [eggs] = await demo.readRefs("create_inventory_items", {
      rows: [makeRow({ name: "eggs", quantity: 12, location: "fridge" })],
    });

    const outcome = await demo.call("delete_rows", { refs: [eggs] });

    expect(outcome.writes.map(({ action, row }) => [action, row.values["quantity"]])).toEqual([
      ["deleted", 12],
    ]);
    const left = await database.owner.query(
      "select quantity from inventory where user_id = 'demo' and name = 'eggs'",
    );
    expect(left.rows).toEqual([{ quantity: 6 }]);
  });

  test("all empties the user's table and nothing else", async () => {
    const outcome = await open().call("delete_rows", { all: "shopping" });

    expect(outcome.writes).toHaveLength(6);
    expect(await countRows("shopping_list")).toBe(0);
    expect(await countRows("shopping_list", "neighbour")).toBe(1);
    expect(await countRows("recipes")).toBe(9);
    expect(await countRows("meal_plans")).toBe(6);
  });

  test("a refused row stays and is reported, the others go", async () => {
    const allow = await refuse("tasks", {
      name: "Clean the fridge",
      on: "delete",
      column: "title",
    });

    const outcome = await open().call("delete_rows", { all: "task" });
    await allow();

    expect(outcome.writes).toHaveLength(2);
    expect(outcome.failures).toEqual([
      { label: "Clean the fridge", ref: null, reason: "the kitchen says no" },
    ]);
    expect(await namesIn("tasks", "title")).toEqual(["Clean the fridge"]);
  });

  test("a deleted recipe leaves its meals with their titles", async () => {
    const demo = open();
    await demo.call("read_recipes", {});

    await demo.call("delete_rows", { refs: ["recipe_9"] });

    const { rows } = await database.owner.query(
      "select recipe_id from meal_plans where title = 'Black Bean Chili' and user_id = 'demo'",
    );
    expect(rows).toEqual([{ recipe_id: null }, { recipe_id: null }]);
    expect(await countRows("recipe_ingredients")).toBe(53);
  });

  test("a row that is gone already is reported", async () => {
    const demo = open();
    await demo.call("read_tasks", {});
    await database.owner.query("delete from tasks where user_id = 'demo'");

    const outcome = await demo.call("delete_rows", { refs: ["task_1"] });

    expect(outcome.failures).toEqual([
      { label: "Defrost the chicken wings", ref: "task_1", reason: "it no longer exists" },
    ]);
  });

  test("deletes rows of several types at once", async () => {
    const demo = open();
    await demo.call("read_tasks", {});
    await demo.call("read_recipes", {});

    const outcome = await demo.call("delete_rows", { refs: ["task_1", "recipe_2"] });

    expect(outcome.writes.map(({ type }) => type)).toEqual(["recipe", "task"]);
  });

  test.each([
    [{}, "Cannot delete: nothing is named; give refs or all"],
    [{ refs: [], all: null }, "Cannot delete: nothing is named; give refs or all"],
    [
      { refs: ["task_1"], all: "task" },
      "Cannot delete: more than one way is named; give refs or all",
    ],
  ])("refuses %j", async (args, message) => {
    await expect(open().call("delete_rows", args)).rejects.toMatchObject({ message });
    expect(await countRows("tasks")).toBe(3);
  });
});
