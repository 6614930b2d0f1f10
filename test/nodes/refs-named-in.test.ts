import { fc, test } from "@fast-check/vitest";
import { describe, expect } from "vitest";
import { refsNamedIn } from "../../nodes/reply/refs-named-in.ts";
import type { Registry } from "../../state/registry.ts";
import { anyRegistry, toId, nastyText } from "../support/arbitraries.ts";
import { NARROWED_REGISTRY } from "../support/narrowing.ts";
import { curated, fold, readRecipes } from "../support/registry-events.ts";

/** The refs that a text of a turn after all others names. */
function nameIn(text: string, registry: Registry): readonly string[] {
  return refsNamedIn(text, registry, LAST_TURN).refs;
}

const LAST_TURN = 9;

test.each<[string, string[]]>([
  ["Wings, then Lentil Soup.", ["recipe_6", "recipe_3"]],
  ["LENTIL SOUP and lentil soup", ["recipe_3"]],
  ["Lemon Cod is out, French Toast is in", ["recipe_5"]],
  ["rice, mushrooms and mushrooms", ["inv_1", "inv_34"]],
  ["It is a shame about the price of steaks, instead", []],
  ["レモンにはMushroom Risottoが合う", ["recipe_8"]],
  ["Mushroom Risotto", ["recipe_8"]],
  ["Say “cook the lentil soup”: Mushroom Risotto", ["recipe_8"]],
  ['Do you mean "French Toast" or “Lentil Soup”?', ["recipe_5", "recipe_3"]],
  ["", []],
])("refsNamedIn() finds whole names, in order: %s", (text, refs) => {
  expect(nameIn(text, NARROWED_REGISTRY)).toEqual(refs);
});

test("refsNamedIn() takes the longer of two names at one place", () => {
  const registry = fold([readRecipes(1, ["Rice", "Rice noodles", "Noodles"])]);
  expect(nameIn("Rice noodles with noodles and rice", registry)).toEqual([
    "recipe_2",
    "recipe_3",
    "recipe_1",
  ]);
});

test.prop([anyRegistry, fc.array(nastyText, { maxLength: 4 })])(
  "refsNamedIn() names each ref at most once, and nothing that was deleted",
  (registry, texts) => {
    const names = registry.entries.map(({ label }) => label);
    const text = [...names, ...texts].join(" and ");
    const named = nameIn(text, registry);
    const present = registry.entries.filter(({ action }) => action !== "deleted");
    expect(new Set(named).size).toBe(named.length);
    expect(named.filter((ref) => !present.some((entry) => entry.ref === ref))).toEqual([]);
  },
);

test("refsNamedIn() gives each place one of several things with one name", () => {
  const registry = fold([readRecipes(1, ["Soup", "Stew", "Soup", "Soup"])]);
  expect(nameIn("Soup, stew and another soup", registry)).toEqual([
    "recipe_1",
    "recipe_2",
    "recipe_3",
  ]);
});

test("refsNamedIn() names one thing for each line of a list: the others only describe it", () => {
  const dishes = readRecipes(1, ["Soup", "Stew", "Curry"]);
  const cooks = ["Anna", "Ben"].map((name, index) => ({
    id: toId("item", index),
    rowVersion: 1,
    values: { name },
  }));
  const people = { ...dishes, type: "item", ids: cooks.map(({ id }) => id), rows: cooks };
  const registry = fold([dishes, people]);

  expect(
    nameIn("1. cook Anna, Soup\n2. cook Ben, Stew\n3. Curry by Anna\n\nAsk Ben?", registry),
  ).toEqual(["recipe_1", "recipe_2", "recipe_3"]);
  expect(nameIn("- Soup\n- Anna", registry)).toEqual(["recipe_1", "inv_1"]);
  expect(nameIn("1. Soup: by Anna and Ben", registry)).toEqual(["recipe_1"]);
});

test("refsNamedIn() takes the kind that was referenced last", () => {
  const dish = readRecipes(1, ["Soup"]);
  const item = { id: toId("item", 0), rowVersion: 1, values: { name: "soup" } };
  const shelf = { ...dish, type: "item", ids: [item.id], rows: [item] };
  expect(nameIn("Soup, and soup again", fold([dish, { ...shelf, turn: 2 }]))).toEqual(["inv_1"]);
  expect(nameIn("Soup, and soup again", fold([shelf, { ...dish, turn: 2 }]))).toEqual(["recipe_1"]);
});

test("refsNamedIn() does not find an excluded dish's ingredient in its name", () => {
  const excluded = curated(2, { demote: [{ ref: "recipe_1", reason: "" }] });
  const registry = fold([readRecipes(1, ["Lemon Cod", "Cod"]), excluded]);
  expect(refsNamedIn("No lemon cod then", registry, 2).refs).toEqual([]);
});

describe("refsNamedIn() and what is excluded", () => {
  const registry = fold([
    readRecipes(1, ["Cod Tacos", "Egg Rice", "Lemon Cod", "Risotto"]),
    curated(2, {
      demote: [
        { ref: "recipe_1", reason: "contains cod" },
        { ref: "recipe_3", reason: "contains cod" },
      ],
    }),
  ]);

  test.each<[string, string, string[]]>([
    [
      "in a numbered list",
      "1. Cod Tacos\n2. Egg Rice\n3. Risotto",
      ["recipe_1", "recipe_2", "recipe_4"],
    ],
    [
      "in a list of nothing else",
      "We left out:\n1. Lemon Cod\n2. Cod Tacos",
      ["recipe_3", "recipe_1"],
    ],
    ["in lines of bullets", "- Lemon Cod\n- Cod Tacos", ["recipe_3", "recipe_1"]],
    [
      "in a text about nothing else",
      "Those were Lemon Cod and Cod Tacos.",
      ["recipe_3", "recipe_1"],
    ],
    [
      "not beside what is left",
      "Without Lemon Cod that leaves Egg Rice and Risotto.",
      ["recipe_2", "recipe_4"],
    ],
    [
      "not beside a numbered list",
      "Without Lemon Cod:\n1. Risotto\n2. Egg Rice",
      ["recipe_4", "recipe_2"],
    ],
  ])("it is named %s", (_, text, refs) => {
    expect(nameIn(text, registry)).toEqual(refs);
  });

  test("a text that takes note of an exclusion lists nothing", () => {
    expect(refsNamedIn("Without Lemon Cod and Cod Tacos, then.", registry, 2).refs).toEqual([]);
  });
});

test("refsNamedIn() gives every number of a list its place, and what stands beside it apart", () => {
  const registry = fold([readRecipes(1, ["Soup", "Stew", "Curry"])]);

  expect(
    refsNamedIn("You have the Curry.\n1. Soup\n2. Something new\n3. **Stew**", registry, 2),
  ).toEqual({ refs: ["recipe_1", "", "recipe_2"], isNumbered: true, beside: ["recipe_3"] });
  expect(refsNamedIn("1. Soup, then the rest", registry, 2)).toEqual({
    refs: ["recipe_1"],
    isNumbered: false,
    beside: [],
  });
});
