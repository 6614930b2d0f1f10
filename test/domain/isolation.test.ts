import { beforeAll, describe, expect, test } from "vitest";
import { testDatabase } from "../support/database.ts";
import { openKitchen, seedKitchens, type Kitchen } from "../support/kitchen.ts";

const database = await testDatabase();
beforeAll(() => seedKitchens(database));

const TABLES = [
  "recipes",
  "inventory",
  "meal_plans",
  "shopping_list",
  "tasks",
  "preferences",
  "cooking_log",
  "ingredients",
];

/** A kitchen whose ref book wrongly holds another person's rows, as nothing but a defect could bring about. */
async function withStolenRefs(): Promise<{ demo: Kitchen; refs: ReadonlyMap<string, string> }> {
  const demo = openKitchen(database, { userId: "demo" });
  const neighbour = openKitchen(database, { userId: "neighbour" });
  const refs = new Map<string, string>();
  for (const table of TABLES) {
    const outcome = await neighbour.call("db_read", { table, columns: ["*"] });
    const [ref] = demo.refs.take(outcome);
    if (ref !== undefined) refs.set(table, ref);
  }
  demo.refs.forget();
  return { demo, refs };
}

async function neighbourRows(): Promise<unknown> {
  const texts = [...TABLES, "recipe_ingredients"].map(
    (table) => `select row_to_json(t)::text as row from ${table} t where user_id = 'neighbour'`,
  );
  const { rows } = await database.owner.query(`${texts.join(" union all ")} order by 1`);
  return rows;
}

describe.each(TABLES)("%s of another person", (table) => {
  test("are in no unfiltered read", async () => {
    const { demo, refs } = await withStolenRefs();

    const read = await demo.call("db_read", { table, limit: 200 });

    const found = read.reads[0]?.ids.map((id) => demo.refs.refOf(id)) ?? [];
    expect(found).not.toContain(refs.get(table));
    expect(read.reads[0]?.total).toBe(found.length);
  });

  test("cannot be read, changed or deleted by ref", async () => {
    const { demo, refs } = await withStolenRefs();
    const before = await neighbourRows();
    const ref = refs.get(table);
    const field = { recipes: "name", inventory: "name", meal_plans: "notes", tasks: "title" };
    const name = Object.entries(field).find(([key]) => key === table)?.[1];

    const read = await demo.call("db_read", { table, refs: [ref] });
    const filtered = await demo.call("db_read", {
      table,
      where: [{ column: "id", op: "=", value: ref }],
    });
    const deleted = await demo.call("db_delete", { table, refs: [ref] });
    const updated =
      name === undefined
        ? null
        : await demo.call("db_update", { table, refs: [ref], fields: [{ name, value: "mine" }] });

    expect(read.reads[0]).toMatchObject({ ids: [], total: 0 });
    expect(filtered.reads[0]).toMatchObject({ ids: [], total: 0 });
    expect(deleted.writes).toEqual([]);
    expect(deleted.failures.map(({ reason }) => reason)).toEqual(["it no longer exists"]);
    expect(updated?.failures.map(({ reason }) => reason) ?? ["it no longer exists"]).toEqual([
      "it no longer exists",
    ]);
    expect(await neighbourRows()).toEqual(before);
  });
});

test("rows cannot point at another person's rows", async () => {
  const { demo, refs } = await withStolenRefs();
  const recipe = refs.get("recipes");

  const meal = await demo.call("db_create", {
    table: "meal_plans",
    rows: [
      {
        fields: [
          { name: "date", value: "2026-01-13" },
          { name: "slot", value: "dinner" },
          { name: "title", value: "Stolen goulash" },
          { name: "recipe_id", value: recipe },
        ],
        children: [],
      },
    ],
  });
  const variant = await demo.call("db_create", {
    table: "recipes",
    rows: [
      {
        fields: [
          { name: "name", value: "Copied goulash" },
          { name: "parent_id", value: recipe },
        ],
        children: [{ list: null, fields: [{ name: "name", value: "stewing beef" }] }],
      },
    ],
  });

  expect([...meal.failures, ...variant.failures].map(({ reason }) => reason)).toEqual([
    '"recipe_id" points at something that no longer exists',
    '"parent_id" points at something that no longer exists',
  ]);
});

test("deleting all of one's own leaves the other person's rows", async () => {
  const before = await neighbourRows();
  const demo = openKitchen(database, { userId: "demo" });

  for (const table of TABLES) await demo.call("db_delete", { table, all: true });

  expect(await neighbourRows()).toEqual(before);
});

test("control: the owner's connection sees both people's rows", async () => {
  const { rows } = await database.owner.query("select distinct user_id from tasks");
  const plain = await database.pool.query("select count(*)::int as count from recipes");

  expect(rows).toEqual([{ user_id: "neighbour" }]);
  expect(plain.rows).toEqual([{ count: 0 }]);
});
