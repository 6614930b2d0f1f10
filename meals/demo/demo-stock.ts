/** One thing in a demo kitchen; without a quantity there is some of it. */
export interface DemoItem {
  readonly name: string;
  readonly location: "pantry" | "fridge" | "freezer" | "counter";
  readonly quantity: number | null;
  readonly unit: string | null;
  /** Days from today until it is past its best; null for what keeps. */
  readonly keeps: number | null;
}

type Row = readonly [name: string, quantity?: number | null, unit?: string | null, keeps?: number];

function items(location: DemoItem["location"], rows: readonly Row[]): DemoItem[] {
  return rows.map(([name, quantity = null, unit = null, keeps = null]) => ({
    name,
    location,
    quantity,
    unit,
    keeps,
  }));
}

/** The 59 things in the demo kitchen: enough for each of the six dishes without cod, and no fish. */
export const DEMO_STOCK: readonly DemoItem[] = [
  ...items("pantry", [
    ["rice", 250, "g"],
    ["risotto rice", 400, "g"],
    ["spaghetti", 500, "g"],
    ["chickpeas", 2, "cans"],
    ["black beans", 2, "cans"],
    ["red lentils", 300, "g"],
    ["chopped tomatoes", 2, "cans"],
    ["coconut milk", 1, "can"],
    ["sweetcorn", 1, "can"],
    ["vegetable stock", 800, "ml"],
    ["flour", 1, "kg"],
    ["sugar", 500, "g"],
    ["oats", 600, "g"],
    ["honey", 300, "g"],
    ["maple syrup", 200, "ml"],
    ["soy sauce", 150, "ml"],
    ["sesame oil", 100, "ml"],
    ["olive oil", 500, "ml"],
    ["coffee", 100, "g"],
    ["salt"],
    ["black pepper"],
    ["curry powder"],
    ["paprika"],
    ["cumin"],
    ["cinnamon"],
    ["chilli flakes"],
    ["thyme"],
  ]),
  ...items("fridge", [
    ["eggs", 6, null, 12],
    ["milk", 500, "ml", 4],
    ["butter", 150, "g"],
    ["yoghurt", 400, "g", 6],
    ["parmesan", 100, "g"],
    ["cheddar", 200, "g"],
    ["spinach", 200, "g", 2],
    ["mushrooms", 300, "g", 3],
    ["carrots", 5],
    ["bell peppers", 2, null, 5],
    ["spring onions", 6, null, 4],
    ["ginger", 40, "g"],
    ["coriander", 20, "g", 3],
    ["cucumber", 1],
    ["lettuce", 1, null, 3],
    ["mustard"],
    ["mayonnaise"],
    ["strawberry jam", 1, "jar"],
  ]),
  ...items("freezer", [
    ["chicken wings", 700, "g"],
    ["peas", 500, "g"],
    ["berries", 300, "g"],
    ["puff pastry", 1, "pack"],
    ["vanilla ice cream", 500, "ml"],
  ]),
  ...items("counter", [
    ["onions", 3],
    ["garlic", 8, "cloves"],
    ["lemons", 2],
    ["limes", 2],
    ["bananas", 4, null, 3],
    ["apples", 5],
    ["tomatoes", 3, null, 4],
    ["bread", 8, "slices", 3],
    ["potatoes", 800, "g"],
  ]),
];

/** The stock of another household. */
export const NEIGHBOUR_STOCK: readonly DemoItem[] = [
  ...items("fridge", [
    ["cod fillet", 400, "g", 1],
    ["stewing beef", 800, "g", 2],
  ]),
  ...items("pantry", [
    ["noodles", 400, "g"],
    ["peanut butter", 1, "jar"],
  ]),
];
