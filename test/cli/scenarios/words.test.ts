import { expect, test } from "vitest";
import { leftOutOf, namesIn } from "../../../cli/scenarios/then/words.ts";

test.each<[string, readonly string[], readonly string[]]>([
  ["First eggs, then Rice.", ["rice", "eggs"], ["eggs", "rice"]],
  ["Risotto rice and chickpeas", ["rice", "peas", "risotto rice"], ["risotto rice"]],
  ["Risotto rice, plain rice", ["rice", "risotto rice"], ["risotto rice", "rice"]],
  ["**Crème (brûlée)**", ["crème (brûlée)", "cr"], ["crème (brûlée)"]],
  ["", ["rice"], []],
])("namesIn(%o) of %o is %o", (text, names, found) => {
  expect(namesIn(text, names)).toEqual(found);
});

const SOUP = {
  name: "Lentil Soup",
  instructions: "Soften the onion.\n2. Add lentils; simmer 20 minutes.",
  ingredients: [{ name: "red lentils", quantity: 200, unit: "g" }, { name: "onion" }],
};

test("leftOutOf() does not mind Markdown, numbering and line breaks", () => {
  const text =
    "## Lentil soup\n- 200 g **red lentils**\n- 1 onion\n\n1. Soften the onion\n2. Add lentils; simmer 20\nminutes.";
  expect(leftOutOf(text, SOUP)).toEqual([]);
});

test("leftOutOf() names what is missing", () => {
  expect(leftOutOf("Lentil soup with onion. Soften the onion.", SOUP)).toEqual([
    "red lentils",
    "add lentils simmer 20 minutes",
  ]);
});
