import { beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { readAmount } from "../../meals/amounts.ts";
import { buildShoppingList } from "../../meals/shopping/build-shopping-list.ts";
import { STANDARD_CATALOGUE } from "../../meals/catalogue.ts";
import { DEMO } from "../../meals/demo/read-kitchen.ts";
import { indexIngredients } from "../../meals/ingredient-index.ts";
import {
  planShopping,
  storedAmount,
  type Need,
  type StockItem,
} from "../../meals/shopping/shopping-math.ts";
import { testDatabase } from "../support/database.ts";
import { openKitchen, seedKitchens } from "../support/kitchen.ts";
import { readYaml } from "../support/read-yaml.ts";
import { renderMealsSentence } from "../../meals/sentences.ts";

const RowSchema = z.tuple([
  z.string(),
  z.number().nullable(),
  z.string().nullable(),
  z.string().optional(),
]);
type Row = z.infer<typeof RowSchema>;

const CASES = readYaml(
  new URL("shopping.yaml", import.meta.url),
  z.object({
    plans: z.array(
      z.object({
        name: z.string(),
        needs: z.array(RowSchema),
        stock: z.array(RowSchema).optional(),
        lines: z.array(z.string()),
      }),
    ),
    refused: z.array(z.object({ args: z.unknown(), message: z.string() })),
  }),
);

const find = indexIngredients(STANDARD_CATALOGUE);

function makeNeed([name, quantity, unit, source = "Dish"]: Row): Need {
  return { name, amount: readAmount({ quantity, unit }), source };
}

function makeStock([name, quantity, unit]: Row): StockItem {
  return { name, quantity, unit };
}

/** The plan as lines: `name quantity unit`, with what stands in the way of certainty. */
function planned(needs: readonly Row[], stock: readonly Row[] = []): string[] {
  return planShopping(needs.map(makeNeed), stock.map(makeStock), find).map((need) => {
    const { quantity, unit } = storedAmount(need.net);
    const amount = need.covered ? "covered" : [quantity ?? "some", unit].filter(Boolean).join(" ");
    const doubt = need.incomparable.map((one) => `? ${one.quantity} ${one.unit}`);
    return [need.ingredient.name, amount, ...doubt, `(${need.sources.join(", ")})`].join(" ");
  });
}

test.each(CASES.plans)("planShopping() $name", ({ needs, stock, lines }) => {
  expect(planned(needs, stock)).toEqual(lines);
});

test("the demo kitchen's stock makes exactly the six dishes without cod", () => {
  const cookable = DEMO.recipes.filter((recipe) => {
    const needs = recipe.ingredients.map(([name, quantity, unit]) =>
      makeNeed([name, quantity ?? null, unit ?? null]),
    );
    const plan = planShopping(needs, DEMO.stock, find);
    return plan.every((need) => need.covered || need.incomparable.length > 0);
  });

  expect(cookable.map(({ name }) => name)).toEqual([
    "Chickpea Curry",
    "Mushroom Risotto",
    "French Toast",
    "Sticky Chicken Wings",
    "Egg Fried Rice",
    "Black Bean Chili",
  ]);
});

describe("build_shopping_list", async () => {
  const database = await testDatabase();
  beforeEach(() => seedKitchens(database));
  const open = (userId = "demo") => openKitchen(database, { userId, tools: [buildShoppingList] });
  const week = { recipes: [], from: "2026-01-12", to: "2026-01-18" };

  async function readList(userId = "demo"): Promise<string[]> {
    const { rows } = await database.owner.query(
      `select name, quantity, unit, sources from shopping_list
        where user_id = $1 and not purchased order by created_at`,
      [userId],
    );
    return rows.map((row) =>
      [row["name"], row["quantity"], row["unit"], `[${row["sources"].join(", ")}]`]
        .filter((part) => part !== null)
        .join(" "),
    );
  }

  const ADDED = [
    // 150 g + 1 cup (189.27 g) − 250 g
    "rice 90 g [Chickpea Curry (2026-01-12), Black Bean Chili (2026-01-18)]",
    // 1 + 1 + 2 − 3
    "onions 1 [Chickpea Curry (2026-01-12), Mushroom Risotto (2026-01-12), Black Bean Chili (2026-01-18)]",
    "coriander 2 tbsp [Black Bean Chili (2026-01-18)]",
    // 750 ml + 1 cup − 800 ml
    "vegetable stock 187 ml [Mushroom Risotto (2026-01-12), Black Bean Chili (2026-01-18)]",
  ];

  test("a week's plan: summed, less the stock, leftovers not cooked again, sources named", async () => {
    const before = await readList();

    const outcome = await open().call("build_shopping_list", week);

    expect(await readList()).toEqual([...before, ...ADDED]);
    expect(outcome.writes.map(({ action }) => action)).toEqual(Array(4).fill("created"));
    expect(outcome.text).toBe(
      [
        "For Chickpea Curry (2026-01-12) for 2, Mushroom Risotto (2026-01-12) for 2, French Toast (2026-01-17) for 2, Black Bean Chili (2026-01-18) for 4.",
        "- rice: 90 g (Chickpea Curry (2026-01-12), Black Bean Chili (2026-01-18))",
        "- onions: 1 (Chickpea Curry (2026-01-12), Mushroom Risotto (2026-01-12), Black Bean Chili (2026-01-18))",
        "- coriander: 2 tbsp (Black Bean Chili (2026-01-18)); the kitchen has 20 g, which cannot be compared",
        "- vegetable stock: 187 ml (Mushroom Risotto (2026-01-12), Black Bean Chili (2026-01-18))",
        "In the kitchen already: chickpeas, coconut milk, spinach, garlic, ginger, curry powder, mushrooms, risotto rice, parmesan, butter, thyme, bread, eggs, milk, cinnamon, maple syrup, black beans, chopped tomatoes, bell peppers, sweetcorn, olive oil, cumin, chilli flakes.",
        "Not counted, without a recipe: Yoghurt with oats and berries.",
      ].join("\n"),
    );
  });

  test("asking twice changes nothing", async () => {
    const demo = open();
    await demo.call("build_shopping_list", week);
    const before = await readList();

    const again = await demo.call("build_shopping_list", week);

    expect(again.writes).toEqual([]);
    expect(again.text).toContain("- rice: 90 g is on the list already and enough");
    expect(await readList()).toEqual(before);
  });

  test("portions scale, and another dish adds to a line without taking the stock off again", async () => {
    const demo = open();
    await demo.call("read_recipes", {});
    await demo.call("build_shopping_list", week);

    // Six portions of egg fried rice: 600 g rice, 9 eggs (6 there), 3 carrots (5 there).
    const outcome = await demo.call("build_shopping_list", {
      recipes: [{ ref: "recipe_8", servings: 6 }],
    });

    expect(outcome.text).toContain("- rice: 690 g, was 90 g");
    expect(outcome.text).toContain("- eggs: 3 (Egg Fried Rice)");
    expect((await readList()).filter((line) => /^(rice|eggs|carrots)/.test(line))).toEqual([
      "rice 690 g [Chickpea Curry (2026-01-12), Black Bean Chili (2026-01-18), Egg Fried Rice]",
      "eggs 3 [Egg Fried Rice]",
    ]);
  });

  test("a line that a person wrote is raised where it is too small and kept where it is enough", async () => {
    const demo = open();
    await demo.call("create_shopping_list_lines", {
      rows: [
        { name: "onion", quantity: 5 },
        { name: "rice", quantity: 50, unit: "g" },
      ],
    });

    const outcome = await demo.call("build_shopping_list", week);

    expect(outcome.text).toContain("- onion: 5 is on the list already and enough");
    expect(outcome.text).toContain("- rice: 90 g, was 50 g");
    expect((await readList()).filter((text) => /^(rice|onion)/.test(text))).toEqual([
      "onion 5 []",
      "rice 90 g [Chickpea Curry (2026-01-12), Black Bean Chili (2026-01-18)]",
    ]);
  });

  test("nothing planned is said, and no one else's plan is shopped for", async () => {
    const empty = await open().call("build_shopping_list", {
      recipes: [],
      from: "2026-02-01",
      to: "2026-02-07",
    });
    const before = await readList();
    await open("neighbour").call("build_shopping_list", week);

    expect(empty.text).toBe(renderMealsSentence("nothingPlanned"));
    expect(await readList()).toEqual(before);
    expect(await readList("neighbour")).toEqual([
      "red wine 1 bottle []",
      "onions 4 [Beef Goulash (2026-01-12)]",
      "paprika 3 tbsp [Beef Goulash (2026-01-12)]",
    ]);
  });

  test.each(CASES.refused)("refuses $args", async ({ args, message }) => {
    const demo = open();
    await demo.call("read_recipes", {});

    await expect(demo.call("build_shopping_list", args)).rejects.toMatchObject({ message });
  });
});
