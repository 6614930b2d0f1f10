import { beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { defineTool } from "../../domain/define-tool.ts";
import { MEALS_CHECKS } from "../../meals/checks/checks.ts";
import { mealsEntityType } from "../../meals/entity-types.ts";
import { rowWithRefs } from "../../registry/translate.ts";
import type { ToolWrite } from "../../state/tool.ts";
import { testDatabase } from "../support/database.ts";
import { openKitchen, seedKitchens, type Kitchen } from "../support/kitchen.ts";
import { wholeDatabase } from "../support/whole-database.ts";

const database = await testDatabase();
beforeEach(() => seedKitchens(database));

/** Plans in SQL of its own, past the generic tools. */
const planRecipe = defineTool({
  name: "plan_recipe",
  subdomain: "meal_plans",
  description: "Plan a recipe for a day.",
  parameters: z.strictObject({
    recipe: z.string().describe("its ref"),
    date: z.string().describe("its day"),
  }),
  effect: "write",
  writes: ["meal"],
  run: async ({ recipe, date }, { tx, refs }) => {
    await tx.query("insert into meal_plans (date, slot, recipe_id) values ($1, 'dinner', $2)", [
      date,
      refs.resolve(recipe).id,
    ]);
    return null;
  },
});

async function openDemo(): Promise<Kitchen> {
  const kitchen = openKitchen(database, {
    userId: "demo",
    tools: [planRecipe],
    checks: MEALS_CHECKS,
  });
  for (const table of ["recipes", "members"]) await kitchen.call(`read_${table}`, {});
  return kitchen;
}

function addAllergy(kitchen: Kitchen, ref: string, allergies: string[]) {
  return kitchen.call("update_members", { refs: [ref], set: { allergies } });
}

/** Plans a recipe for a dinner of the eaters named. */
function plan(kitchen: Kitchen, recipe: string, eaters: readonly string[] = []) {
  const row = { date: "2026-01-14", slot: "dinner", recipe_id: recipe };
  return kitchen.call("create_planned_meals", { rows: [{ ...row, eaters }] });
}

function setIngredients(kitchen: Kitchen, recipe: string, names: readonly string[]) {
  const ingredients = names.map((name) => ({ name }));
  return kitchen.call("update_recipes", { refs: [recipe], set: { ingredients } });
}

const FRENCH_TOAST = "recipe_5";
const CURRY = "recipe_3";
const NOT_FOR_ANNA = /French Toast, Wed 14 Jan dinner.* has egg, which Anna must not eat/u;

const summarize = (writes: readonly ToolWrite[]) =>
  writes.map(({ action, type, follows }) => `${action} ${type}${follows ? " as well" : ""}`);

function findBen(type: string, id: string): string | null {
  return type === "member" && id === "id of Ben" ? "member_2" : null;
}

test.each([
  ["whole", [{ member_id: "id of Ben" }], [{ member_id: "member_2" }]],
  ["in summary", ["id of Ben", "id of nobody"], ["member_2", null]],
])("rowWithRefs() gives the eaters of a row that is %s as refs", (_detail, eaters, refs) => {
  const translation = { type: mealsEntityType("meal"), findRef: findBen };
  expect(rowWithRefs({ eaters }, translation)).toEqual({ eaters: refs });
});

describe("an allergy to eggs", () => {
  test("catches the French toast by its recipe, whoever plans it, and stores nothing", async () => {
    const kitchen = await openDemo();
    await addAllergy(kitchen, "member_1", ["peanuts", "eggs"]);
    const before = await wholeDatabase(database);

    await expect(plan(kitchen, FRENCH_TOAST)).rejects.toThrow(NOT_FOR_ANNA);
    await expect(
      kitchen.call("plan_recipe", { recipe: FRENCH_TOAST, date: "2026-01-14" }),
    ).rejects.toThrow(NOT_FOR_ANNA);
    expect(await wholeDatabase(database)).toEqual(before);
  });

  test("lets it pass for those who may eat it, and for a guest who has left", async () => {
    const kitchen = await openDemo();
    await addAllergy(kitchen, "member_1", ["eggs"]);

    const { writes } = await plan(kitchen, FRENCH_TOAST, ["member_2"]);
    const leaving = { refs: ["member_1"], set: { until: "2026-01-13" } };
    await kitchen.call("update_members", leaving);
    await plan(kitchen, FRENCH_TOAST);

    expect(writes[0]?.row.values).toMatchObject({ eaters: [{ member_id: expect.any(String) }] });
  });

  test("catches eggs that are added to a recipe under a planned meal, unless its eaters may have them", async () => {
    const kitchen = await openDemo();
    await addAllergy(kitchen, "member_1", ["eggs"]);
    const added = () => setIngredients(kitchen, CURRY, ["chickpeas", "eggs"]);

    await expect(added()).rejects.toThrow(
      /Chickpea Curry.*, planned for Mon 12 Jan lunch, has egg, which Anna must not eat/u,
    );
    const [lunch = ""] = await kitchen.readRefs("read_planned_meals", {
      where: [{ column: "title", op: "=", value: "Chickpea Curry" }],
    });
    await kitchen.call("update_planned_meals", {
      refs: [lunch],
      set: { eaters: ["member_2"] },
    });
    expect(summarize((await added()).writes)).toEqual(["updated recipe"]);
  });

  test("is stored with a warning that names the planned meals it concerns", async () => {
    const kitchen = await openDemo();
    await plan(kitchen, FRENCH_TOAST, ["member_2"]);

    const { writes, warnings } = await addAllergy(kitchen, "member_1", ["peanuts", "eggs"]);
    const again = await addAllergy(kitchen, "member_1", ["eggs"]);

    expect(summarize(writes)).toEqual(["updated member"]);
    expect(warnings).toEqual([
      'Anna must not eat what is planned: "French Toast, Sat 17 Jan breakfast" (egg)',
    ]);
    expect(again.warnings).toEqual([]);
  });

  test("of a guest concerns the meals of their days", async () => {
    const kitchen = await openDemo();
    const add = (name: string, until: string) =>
      kitchen.call("create_members", { rows: [{ name, diet: ["vegan"], until }] });

    expect((await add("Tom", "2026-01-12")).warnings).toEqual([
      'Tom must not eat what is planned: "Mushroom Risotto, Mon 12 Jan dinner" (parmesan)',
    ]);
    expect((await add("Lea", "2026-01-11")).warnings).toEqual([]);
  });

  test("concerns everybody who is left, once the only eater is deleted", async () => {
    const kitchen = await openDemo();
    await addAllergy(kitchen, "member_1", ["eggs"]);
    await plan(kitchen, FRENCH_TOAST, ["member_2"]);
    const remove = (ref: string) => kitchen.call("delete_rows", { refs: [ref] });

    await expect(remove("member_2")).rejects.toThrow(NOT_FOR_ANNA);
    await plan(kitchen, CURRY, ["member_1", "member_2"]);
    expect(summarize((await remove("member_1")).writes)).toEqual([
      "updated meal as well",
      "deleted member",
    ]);
  });
});
