import type { Category } from "./categories.ts";

/** An ingredient the catalogue knows. */
export interface CatalogueEntry {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly category: Category | null;
  /** Grams of one millilitre, as it is measured in a kitchen; null where volume and weight must stay apart. */
  readonly gramsPerMl: number | null;
}

type Row = readonly [name: string, gramsPerMl?: number | null, aliases?: readonly string[]];

function entries(category: Category, rows: readonly Row[]): CatalogueEntry[] {
  return rows.map(([name, gramsPerMl = null, aliases = []]) => ({
    name,
    aliases,
    category,
    gramsPerMl,
  }));
}

/** The standard entries of every kitchen's catalogue; a household's own entries take precedence. */
export const STANDARD_CATALOGUE: readonly CatalogueEntry[] = [
  ...entries("produce", [
    ["onions", null, ["yellow onions", "brown onions", "white onions"]],
    ["spring onions", null, ["scallions", "green onions"]],
    ["garlic"],
    ["ginger"],
    ["carrots"],
    ["potatoes"],
    ["tomatoes"],
    ["bell peppers", null, ["red peppers", "green peppers", "capsicums"]],
    ["mushrooms"],
    ["spinach"],
    ["lettuce"],
    ["cabbage"],
    ["cucumber"],
    ["courgettes", null, ["zucchini"]],
    ["aubergines", null, ["eggplants"]],
    ["coriander", null, ["cilantro", "coriander leaves"]],
    ["parsley"],
    ["lemons"],
    ["limes"],
    ["apples"],
    ["bananas"],
  ]),
  ...entries("meat", [["chicken wings"], ["stewing beef"], ["bacon"]]),
  ...entries("fish", [["cod fillet", null, ["cod"]]]),
  ...entries("dairy", [
    ["eggs"],
    ["milk", 1.03],
    ["butter", 0.911, ["unsalted butter", "salted butter"]],
    ["yoghurt", 1.03, ["yogurt"]],
    ["cream", 1],
    ["parmesan"],
    ["cheddar"],
    ["feta"],
  ]),
  ...entries("bakery", [["bread"], ["tortillas"], ["puff pastry"]]),
  ...entries("grains", [
    ["rice", 0.8, ["white rice", "long-grain rice", "basmati rice"]],
    ["risotto rice", 0.85, ["arborio rice"]],
    ["flour", 0.53, ["plain flour", "all-purpose flour"]],
    ["oats", 0.38, ["rolled oats"]],
    ["spaghetti"],
    ["noodles"],
    ["red lentils", 0.8],
  ]),
  ...entries("canned", [
    ["chickpeas", null, ["garbanzo beans"]],
    ["black beans"],
    ["chopped tomatoes", null, ["canned tomatoes", "tinned tomatoes", "diced tomatoes"]],
    ["coconut milk"],
    ["sweetcorn", null, ["corn"]],
    ["vegetable stock", 1, ["vegetable broth"]],
  ]),
  ...entries("spices", [
    ["salt", 1.2],
    ["black pepper"],
    ["sugar", 0.85, ["white sugar", "granulated sugar"]],
    ["curry powder"],
    ["paprika"],
    ["cumin"],
    ["cinnamon"],
    ["chilli flakes", null, ["red pepper flakes"]],
    ["thyme"],
  ]),
  ...entries("condiments", [
    ["honey", 1.42],
    ["maple syrup", 1.32],
    ["soy sauce", 1.15],
    ["olive oil", 0.91],
    ["sesame oil", 0.92],
    ["mustard"],
    ["mayonnaise"],
    ["peanut butter", 1.05],
    ["strawberry jam", 1.33, ["jam"]],
  ]),
  ...entries("frozen", [["peas"], ["berries"], ["vanilla ice cream", null, ["ice cream"]]]),
  ...entries("drinks", [["coffee"], ["tea"]]),
];
