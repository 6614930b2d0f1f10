import { beforeAll, expect, test } from "vitest";
import { readTables, type Tables } from "../../../cli/scenarios/tables.ts";
import { shoppingProblems } from "../../../cli/scenarios/then/shopping.ts";
import { buildShoppingList } from "../../../meals/shopping/build-shopping-list.ts";
import { MEALS_ENTITY_TYPES } from "../../../meals/entity-types.ts";
import type { EntityRow } from "../../../state/entity.ts";
import type { JsonObject } from "../../../state/json.ts";
import { testDatabase } from "../../support/database.ts";
import { openKitchen, seedKitchens } from "../../support/kitchen.ts";

const database = await testDatabase();
let before: Tables = {};
let after: Tables = {};

beforeAll(async () => {
  await seedKitchens(database);
  const demo = { userId: "demo", types: MEALS_ENTITY_TYPES };
  before = await readTables(database.userData, demo);
  const kitchen = openKitchen(database, { userId: "demo", tools: [buildShoppingList] });
  await kitchen.call("build_shopping_list", { recipes: [], from: "2026-01-12", to: "2026-01-18" });
  after = await readTables(database.userData, demo);
});

/** The problems with a list whose line of that name was changed; without change, taken away. */
function problemsWith(name: string, change: ((values: JsonObject) => JsonObject) | null) {
  const lines = (after["shopping_list"] ?? []).flatMap((row): EntityRow[] => {
    if (row.values["name"] !== name) return [row];
    return change === null ? [] : [{ ...row, values: { ...row.values, ...change(row.values) } }];
  });
  return shoppingProblems({ before, after: { ...after, shopping_list: lines } });
}

test("shoppingProblems() finds nothing wrong with the list that the domain builds", () => {
  expect(shoppingProblems({ before, after })).toEqual([]);
});

test.each<[string, ((values: JsonObject) => JsonObject) | null, readonly unknown[]]>([
  [
    "a line that is missing",
    null,
    [expect.stringMatching(/^rice in g: expected about 9\d.*found 0$/u)],
  ],
  [
    "too much",
    ({ quantity }) => ({ quantity: Number(quantity) * 2 }),
    [expect.stringContaining("rice in g: expected")],
  ],
  [
    "a unit of another kind",
    () => ({ unit: "bags" }),
    [expect.stringContaining("found 0"), "rice in bag is not needed"],
  ],
  ["no source", () => ({ sources: [] }), ["rice names no source"]],
  [
    "a source that is not planned",
    () => ({ sources: ["Fish Pie"] }),
    ['"Fish Pie" is named as a source and is not planned'],
  ],
  [
    "a line twice",
    () => ({ name: "onions", unit: null, quantity: 0 }),
    expect.arrayContaining([expect.stringContaining("lines for")]),
  ],
])("shoppingProblems() finds %s", (_, change, problems) => {
  expect(problemsWith("rice", change)).toEqual(problems);
});
