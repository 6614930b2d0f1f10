import { fc, test } from "@fast-check/vitest";
import { expect } from "vitest";
import { refsNamedIn } from "../../nodes/reply/refs-named-in.ts";
import { anyRegistry, toId, nastyText } from "../support/arbitraries.ts";
import { NARROWED_REGISTRY } from "../support/narrowing.ts";
import { curated, fold, readRecipes } from "../support/registry-events.ts";

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
  expect(refsNamedIn(text, NARROWED_REGISTRY)).toEqual(refs);
});

test("refsNamedIn() takes the longer of two names at one place", () => {
  const registry = fold([readRecipes(1, ["Rice", "Rice noodles", "Noodles"])]);
  expect(refsNamedIn("Rice noodles with noodles and rice", registry)).toEqual([
    "recipe_2",
    "recipe_3",
    "recipe_1",
  ]);
});

test.prop([anyRegistry, fc.array(nastyText, { maxLength: 4 })])(
  "refsNamedIn() names each ref at most once, and only what can still be chosen",
  (registry, texts) => {
    const names = registry.entries.map(({ label }) => label);
    const text = [...names, ...texts].join(" and ");
    const named = refsNamedIn(text, registry);
    const choosable = registry.entries.filter(
      ({ demotion, action }) => demotion === null && action !== "deleted",
    );
    expect(new Set(named).size).toBe(named.length);
    expect(named.filter((ref) => !choosable.some((entry) => entry.ref === ref))).toEqual([]);
  },
);

test("refsNamedIn() gives each place one of several things with one name", () => {
  const registry = fold([readRecipes(1, ["Soup", "Stew", "Soup", "Soup"])]);
  expect(refsNamedIn("Soup, stew and another soup", registry)).toEqual([
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
    refsNamedIn("1. cook Anna, Soup\n2. cook Ben, Stew\n3. Curry by Anna\n\nAsk Ben?", registry),
  ).toEqual(["recipe_1", "recipe_2", "recipe_3"]);
  expect(refsNamedIn("- Soup\n- Anna", registry)).toEqual(["recipe_1", "inv_1"]);
  expect(refsNamedIn("1. Soup: by Anna and Ben", registry)).toEqual(["recipe_1"]);
});

test("refsNamedIn() takes the kind that was referenced last", () => {
  const dish = readRecipes(1, ["Soup"]);
  const item = { id: toId("item", 0), rowVersion: 1, values: { name: "soup" } };
  const shelf = { ...dish, type: "item", ids: [item.id], rows: [item] };
  expect(refsNamedIn("Soup, and soup again", fold([dish, { ...shelf, turn: 2 }]))).toEqual([
    "inv_1",
  ]);
  expect(refsNamedIn("Soup, and soup again", fold([shelf, { ...dish, turn: 2 }]))).toEqual([
    "recipe_1",
  ]);
});

test("refsNamedIn() does not find an excluded dish's ingredient in its name", () => {
  const excluded = curated(2, { demote: [{ ref: "recipe_1", reason: "" }] });
  expect(
    refsNamedIn("No lemon cod then", fold([readRecipes(1, ["Lemon Cod", "Cod"]), excluded])),
  ).toEqual([]);
});
