import { test as lawTest, fc } from "@fast-check/vitest";
import { expect, test } from "vitest";
import { readIngredientLine } from "../../meals/import/ingredient-lines.ts";

test.each([
  // The three gaps of the library.
  ["1 (14 oz) can chickpeas", "1 can | chickpeas | 14 oz each"],
  ["two 14-ounce cans beans, drained", "2 cans | beans | 14 ounce each, drained"],
  ["2 x 400g cans chickpeas", "2 cans | chickpeas | 400 g each"],
  ["400 g can chickpeas", "1 can | chickpeas | 400 g each"],
  ["one large onion", "1 | onion | large"],
  ["a dozen eggs", "12 | eggs"],
  ["half a lemon", "0.5 | lemon"],
  ["a pinch of salt", "1 pinch | salt"],
  ["2 tbsp plus 1 tsp soy sauce", "7 tsp | soy sauce"],
  ["1/4 cup plus 2 tablespoons honey", "6 tbsp | honey"],
  // What it can do, kept.
  ["1 1/2 cups rice, rinsed", "1.5 cups | rice | rinsed"],
  ["½ cup milk", "0.5 cup | milk"],
  ["2-3 cloves garlic, minced", "3 cloves | garlic | minced"],
  ["1 can (400 g) chopped tomatoes", "1 can | chopped tomatoes | 400 g"],
  ["4 slices bread", "4 slices | bread"],
  ["a handful of parsley", "1 handful | parsley"],
  ["200g spinach", "200 g | spinach"],
  ["1,5 kg potatoes", "1.5 kg | potatoes"],
  ["1,000 g flour", "1000 g | flour"],
  ["• 2 carrots", "2 | carrots"],
  ["salt to taste", " | salt | to taste"],
  ["1/3 cup feta (optional)", "0.3333333333333333 cup | feta | optional"],
  ["500 ml / 2 cups stock", "500 ml | stock"],
])("%s", (line, expected) => {
  const read = readIngredientLine(line);
  const amount = [read?.quantity ?? "", read?.unit ?? ""].join(" ").trimEnd();
  const notes = [read?.note, read?.optional === true ? "optional" : null];
  const text = [amount, read?.name, ...notes.filter((note) => note !== null)].join(" | ");

  expect(text).toBe(expected);
});

test.each(["", "   ", "For the sauce:", "---"])("%j names no ingredient", (line) => {
  expect(readIngredientLine(line)).toBeNull();
});

lawTest.prop([fc.string({ unit: "grapheme" })])("any text is read or passed over", (line) => {
  const read = readIngredientLine(line);

  expect(read === null || read.name.trim() !== "").toBe(true);
  expect(read?.quantity ?? 0).toBeGreaterThanOrEqual(0);
});
