import { beforeAll, describe, expect, test } from "vitest";
import type { QuickResult, ReadScope } from "../../state/domain.ts";
import { ConditionSchema, type RowCondition } from "../../state/filter.ts";
import { mealsDomain } from "../../meals/index.ts";
import { profileText } from "../../meals/profile.ts";
import type { JsonObject } from "../../state/json.ts";
import { testDatabase } from "../support/database.ts";
import { tableTool } from "../support/table-tool-names.ts";
import { openKitchen, seedKitchens, TODAY } from "../support/kitchen.ts";

const database = await testDatabase();
beforeAll(() => seedKitchens(database));

/** The scope of a read of a whole table. */
const WHOLE: ReadScope = { refs: [], where: [], all: false, isComplete: true };

/** A quick look as the core hands it over: what the read found, rows and all. */
async function look(
  message: string,
  args: { table: string; where?: unknown[] },
): Promise<string | null> {
  const { table, ...rest } = args;
  const demo = openKitchen(database, { userId: "demo" });
  const outcome = await demo.call(tableTool("read", table), rest);
  const scope = ConditionSchema.array().parse(args.where ?? []);
  const reads = outcome.reads.map((read) =>
    Object.assign({ table, scope: { ...WHOLE, where: scope } }, read),
  );
  return mealsDomain.formatQuick({ subdomain: "", intent: message, message, reads });
}

function createResult(
  table: string,
  message: string,
  more: { rows?: JsonObject[]; total?: number; scope?: Partial<ReadScope> } = {},
): QuickResult {
  const rows = (more.rows ?? []).map((values, index) => ({
    id: String(index),
    rowVersion: 1,
    values,
  }));
  const ids = rows.map((row) => row.id);
  const total = more.total ?? rows.length;
  const scope = { ...WHOLE, isComplete: total === ids.length, ...more.scope };
  const found = { type: "", ids, rows, detail: "summary", total, suppressed: false } as const;
  const read = { ...found, table, scope };
  return { subdomain: "", intent: message, message, reads: [read] };
}

describe("formatQuick()", () => {
  const fridge = [{ column: "location", op: "=", value: "fridge" }];

  test("one place of the kitchen", async () => {
    const text = await look("what's in my fridge?", { table: "inventory", where: fridge });
    const rows = text?.split("\n") ?? [];

    expect(rows).toHaveLength(19);
    expect(rows.slice(0, 4)).toEqual([
      "**Fridge** (18)",
      "- eggs: 6 (until Sat 24 Jan)",
      "- milk: 500 ml (until Fri 16 Jan)",
      "- butter: 150 g",
    ]);
    expect(rows.slice(-2)).toEqual(["- mayonnaise", "- strawberry jam: 1 jar"]);
  });

  test("only the place that was asked for, when all was read", async () => {
    const text = await look("and the freezer?", { table: "inventory" });

    expect(text?.split("\n")).toEqual([
      "**Freezer** (5)",
      "- chicken wings: 700 g",
      "- peas: 500 g",
      "- berries: 300 g",
      "- puff pastry: 1 pack",
      "- vanilla ice cream: 500 ml",
    ]);
  });

  test("the whole kitchen by place", async () => {
    const text = await look("what do I have?", { table: "inventory" });

    expect(text?.match(/\*\*.*/g)).toEqual([
      "**Pantry** (27)",
      "**Fridge** (18)",
      "**Freezer** (5)",
      "**Counter** (9)",
    ]);
  });

  test("the plan by day", async () => {
    const day = [{ column: "date", op: "=", value: "2026-01-15" }];

    expect(await look("what am I eating on thursday?", { table: "meal_plans", where: day })).toBe(
      "**Thu 15 Jan**\n- Breakfast: Yoghurt with oats and berries (2 servings)",
    );
    expect(
      (await look("what is planned this week?", { table: "meal_plans" }))?.split("\n\n"),
    ).toEqual([
      "**Mon 12 Jan**\n- Lunch: Chickpea Curry (2 servings)\n- Dinner: Mushroom Risotto (2 servings)",
      "**Thu 15 Jan**\n- Breakfast: Yoghurt with oats and berries (2 servings)",
      "**Sat 17 Jan**\n- Breakfast: French Toast (2 servings)",
      "**Sun 18 Jan**\n- Lunch: Black Bean Chili (4 servings)\n- Dinner: Black Bean Chili (leftovers, 2 servings)",
    ]);
  });

  test("the shopping list, what is bought last", async () => {
    expect(await look("show me my shopping list", { table: "shopping_list" })).toBe(
      `**To buy**
- oat milk: 1 l
- oranges: 6
- coffee: 250 g
- dark chocolate: 2 bars
- kitchen roll: 1 pack

Bought: washing-up liquid: 1.`,
    );
  });

  test("tasks and recipes", async () => {
    expect(await look("what are my tasks?", { table: "tasks" })).toBe(
      `**Tasks**
- Defrost the chicken wings (due Tue 13 Jan)
- Clean the fridge (due Sat 17 Jan)
- Return the neighbour's casserole dish`,
    );
    expect((await look("which recipes do I have?", { table: "recipes" }))?.split("\n")[6]).toBe(
      "7. Fisherman's Stew: cod fillet, potatoes, chopped tomatoes, 45 min",
    );
  });

  test("people and preferences", async () => {
    expect(await look("who lives here?", { table: "members" })).toBe(
      `**Household**
- Anna: allergic to peanuts; dislikes olives; likes curry
- Ben: likes mushrooms`,
    );
    const guest = { name: "Tom", diet: ["vegan"], until: "2026-01-18" };
    expect(
      mealsDomain.formatQuick(createResult("members", "who is here?", { rows: [guest] })),
    ).toBe("**Household**\n- Tom: guest until Sun 18 Jan; diet vegan");
    expect(await look("what are my preferences?", { table: "preferences" })).toBe(
      `**Preferences**
- Household: 2 people
- Equipment: oven, hob, blender
- Cooking skill: intermediate

Allergies, diets and tastes are kept for each person: ask “who lives here?”`,
    );
  });

  test.each([
    ["inventory", "what's in the freezer?", "There is nothing in the freezer."],
    [
      "inventory",
      "what's in the fridge or on the counter?",
      "There is nothing in the fridge or on the counter.",
    ],
    ["inventory", "what do I have?", "There is nothing like that in the kitchen."],
    ["meal_plans", "what am I eating on friday?", "Nothing is planned there."],
    [
      "shopping_list",
      "is the shopping list really empty?",
      "There is nothing on the shopping list.",
    ],
    ["tasks", "any tasks?", "There are no tasks to show."],
  ])("nothing in %s: %s", (table, message, text) => {
    expect(mealsDomain.formatQuick(createResult(table, message))).toBe(text);
  });

  const LOCATION = { column: "location", op: "=" } as const;
  const MILK = { column: "name", op: "ilike", value: "%milk%" } as const;
  const inFridge = { name: "milk", location: "fridge", quantity: null, unit: null };

  test.each<[string, string, RowCondition[], JsonObject[], string | null]>([
    [
      "a name in a place that has none of it",
      "do we have milk in the freezer?",
      [MILK],
      [inFridge],
      "I found no milk in the freezer.\n\n**Fridge** (1)\n- milk",
    ],
    [
      "a property in a place that has none of it",
      "what in the freezer do I need to eat soon?",
      [{ column: "expires_on", op: "<", value: "2026-01-20" }],
      [inFridge],
      "I found nothing like that in the freezer.\n\n**Fridge** (1)\n- milk",
    ],
    [
      "one of two places",
      "what is in the fridge and freezer?",
      [{ ...LOCATION, value: "fridge" }],
      [inFridge],
      "**Fridge** (1)\n- milk",
    ],
    [
      "both of two places",
      "what is in the fridge and freezer?",
      [{ column: "location", op: "in", value: ["fridge", "freezer"] }],
      [inFridge],
      "**Fridge** (1)\n- milk\n\nThere is nothing in the freezer.",
    ],
    [
      "all places but one",
      "what is in the fridge and freezer?",
      [{ column: "location", op: "!=", value: "pantry" }],
      [inFridge],
      "**Fridge** (1)\n- milk\n\nThere is nothing in the freezer.",
    ],
    [
      "a name in two places",
      "is there milk in the fridge and freezer?",
      [MILK, { column: "location", op: "in", value: ["fridge", "freezer"] }],
      [inFridge],
      "**Fridge** (1)\n- milk\n\nI found no milk in the freezer.",
    ],
  ])("of a look-up by %s only what was read is said", (_, message, where, rows, text) => {
    const result = createResult("inventory", message, { rows, scope: { where } });
    expect(mealsDomain.formatQuick(result)).toBe(text);
  });

  test("nothing is said of a place of which rows may be missing", () => {
    const more = { rows: [inFridge], scope: { isComplete: false } };
    expect(
      mealsDomain.formatQuick(
        createResult("inventory", "what is in the fridge and freezer?", more),
      ),
    ).toBe("**Fridge** (1)\n- milk");
  });

  test.each<[string, RowCondition[], string]>([
    ["that is bought", [{ column: "purchased", op: "=", value: true }], "Bought: milk."],
    ["of that name", [MILK], "Bought: milk."],
    ["of any kind", [], "Nothing is left to buy.\n\nBought: milk."],
    [
      "whether bought or not",
      [{ column: "purchased", op: "is_not_null", value: null }],
      "Nothing is left to buy.\n\nBought: milk.",
    ],
  ])("of the shopping list with what is on it %s", (_, where, text) => {
    const bought = { name: "milk", purchased: true, quantity: null, unit: null, sources: [] };
    const more = { rows: [bought], scope: { where } };
    expect(
      mealsDomain.formatQuick(createResult("shopping_list", "what is on my shopping list?", more)),
    ).toBe(text);
  });

  test("an empty read of a part of a table is left to others", () => {
    const scope = { where: [{ ...LOCATION, value: "freezer" }] };
    expect(
      mealsDomain.formatQuick(createResult("inventory", "what is in the freezer?", { scope })),
    ).toBeNull();
  });

  test("a limit is told", () => {
    const rows = [{ title: "Sweep", due_on: null, done: false }];

    expect(mealsDomain.formatQuick(createResult("tasks", "my tasks", { rows, total: 12 }))).toBe(
      "**Tasks**\n- Sweep\n\n1 shown, 11 more.",
    );
  });

  test("another language, another table, several reads or missing rows are left to the model", () => {
    const held = createResult("tasks", "my tasks", { rows: [{ title: "Sweep" }] });
    const withoutRows = { ...held, reads: held.reads.map((read) => ({ ...read, rows: [] })) };
    const twice = { ...held, reads: [...held.reads, ...held.reads] };

    expect(
      mealsDomain.formatQuick(createResult("tasks", "was muss ich noch erledigen?")),
    ).toBeNull();
    expect(mealsDomain.formatQuick(createResult("ingredients", "what do we know?"))).toBeNull();
    expect(mealsDomain.formatQuick(withoutRows)).toBeNull();
    expect(mealsDomain.formatQuick(twice)).toBeNull();
  });
});

describe("profile and snapshot", () => {
  test("of the demo household", async () => {
    const { profile, snapshot } = await database.userData.read("demo", async (tx) => ({
      profile: await mealsDomain.loadProfile(tx, "demo"),
      snapshot: await mealsDomain.loadSnapshot(tx, { userId: "demo", today: TODAY }),
    }));

    expect(profile.text).toBe(
      "Household of 2: Anna (ALLERGIES (hard): peanuts; dislikes olives; likes curry), Ben (likes mushrooms). Has: oven, hob, blender. Skill: intermediate.",
    );
    expect(profile.forExperts).toBe("Household of 2. One person has allergies: peanuts.");
    expect(profile.facts).toMatchObject({
      household_size: 2,
      members: [{ name: "Anna", allergies: ["peanuts"], until: null }, { name: "Ben" }],
    });
    expect(snapshot).toBe(
      `9 recipes, 59 inventory items, 5 things to buy, 3 open tasks, 6 planned meals from today.
Next meal: Chickpea Curry, Mon 12 Jan lunch.
Use soon: spinach, bananas, bread, coriander, lettuce, mushrooms.`,
    );
  });

  test("of somebody without any data", async () => {
    const { profile, snapshot } = await database.userData.read("nobody", async (tx) => ({
      profile: await mealsDomain.loadProfile(tx, "nobody"),
      snapshot: await mealsDomain.loadSnapshot(tx, { userId: "nobody", today: TODAY }),
    }));

    expect(profile).toEqual({ text: "", forExperts: "", facts: { members: [] } });
    expect(snapshot).toBe(
      "0 recipes, 0 inventory items, 0 things to buy, 0 open tasks, 0 planned meals from today.",
    );
    expect(profileText({ household_size: 1, members: [] })).toBe("Household of 1.");
  });
});
