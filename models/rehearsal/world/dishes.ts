/** An ingredient for one portion. Without a quantity there is some of it. */
export type DishPart = readonly [name: string, quantity?: number, unit?: string, note?: string];

/** A dish the rehearsal model can make up. */
export interface Dish {
  readonly name: string;
  /** Words that call for it, beside those of its name. */
  readonly words: readonly string[];
  readonly prep: number;
  readonly cook: number;
  readonly parts: readonly DishPart[];
  readonly steps: string;
  /** What to take where something must not be in it. */
  readonly swaps: Readonly<Record<string, DishPart>>;
}

/** The few dishes it knows. */
export const DISHES: readonly Dish[] = [
  {
    name: "Shakshuka",
    words: ["eggs in tomato sauce", "egg", "brunch"],
    prep: 10,
    cook: 20,
    parts: [
      ["eggs", 2],
      ["chopped tomatoes", 0.5, "can"],
      ["bell peppers", 0.5],
      ["onions", 0.5],
      ["garlic", 1, "cloves"],
      ["olive oil", 1, "tbsp"],
      ["cumin", 0.5, "tsp"],
      ["paprika", 0.5, "tsp"],
    ],
    steps:
      "Soften onion, pepper and garlic in the oil. Stir in the spices, add the tomatoes and simmer 10 minutes. Make hollows, break in the eggs, cover and cook until they are set.",
    swaps: {},
  },
  {
    name: "Lentil Soup",
    words: ["soup", "lentils"],
    prep: 10,
    cook: 30,
    parts: [
      ["red lentils", 80, "g"],
      ["carrots", 1],
      ["onions", 0.5],
      ["garlic", 1, "cloves"],
      ["vegetable stock", 400, "ml"],
      ["olive oil", 0.5, "tbsp"],
      ["cumin", 0.5, "tsp"],
    ],
    steps:
      "Soften onion, carrot and garlic in the oil. Add cumin, lentils and stock, simmer 25 minutes. Blend half of it and season.",
    swaps: {},
  },
  {
    name: "Spaghetti Aglio e Olio",
    words: ["pasta", "spaghetti", "quick"],
    prep: 5,
    cook: 12,
    parts: [
      ["spaghetti", 100, "g"],
      ["garlic", 2, "cloves"],
      ["olive oil", 2, "tbsp"],
      ["chilli flakes", 0.25, "tsp"],
      ["parmesan", 15, "g"],
    ],
    steps:
      "Boil the spaghetti. Warm sliced garlic and chilli in the oil, toss with spaghetti and a ladle of its water. Finish with parmesan.",
    swaps: { parmesan: ["breadcrumbs", 10, "g"] },
  },
  {
    name: "Lemon Pea Pasta",
    words: ["pasta", "quick", "vegetarian"],
    prep: 5,
    cook: 12,
    parts: [
      ["spaghetti", 100, "g"],
      ["peas", 80, "g"],
      ["lemons", 0.5],
      ["butter", 15, "g"],
      ["parmesan", 15, "g"],
    ],
    steps:
      "Boil the pasta, with the peas for the last 2 minutes. Toss with butter, lemon juice, zest and parmesan.",
    swaps: { parmesan: ["breadcrumbs", 10, "g"], butter: ["olive oil", 1, "tbsp"] },
  },
  {
    name: "Tomato Mascarpone Penne",
    words: ["pasta", "penne", "quick", "vegetarian"],
    prep: 5,
    cook: 15,
    parts: [
      ["penne", 100, "g"],
      ["chopped tomatoes", 0.5, "can"],
      ["mascarpone", 40, "g"],
      ["garlic", 1, "cloves"],
      ["olive oil", 0.5, "tbsp"],
    ],
    steps:
      "Boil the penne. Soften garlic in the oil, simmer the tomatoes 10 minutes, melt in the mascarpone and toss.",
    swaps: { mascarpone: ["coconut milk", 40, "ml"] },
  },
  {
    name: "Mushroom Tagliatelle",
    words: ["pasta", "tagliatelle", "quick", "vegetarian"],
    prep: 5,
    cook: 15,
    parts: [
      ["tagliatelle", 100, "g"],
      ["mushrooms", 120, "g"],
      ["cream", 50, "ml"],
      ["garlic", 1, "cloves"],
      ["thyme", 0.5, "tsp"],
    ],
    steps: "Boil the tagliatelle. Fry the mushrooms brown, add garlic, thyme and cream, toss.",
    swaps: { cream: ["coconut milk", 50, "ml"] },
  },
  {
    name: "Pad Thai",
    words: ["thai", "noodles"],
    prep: 15,
    cook: 10,
    parts: [
      ["rice noodles", 90, "g"],
      ["eggs", 1],
      ["spring onions", 2],
      ["peanuts", 20, "g"],
      ["soy sauce", 1, "tbsp"],
      ["limes", 0.5],
    ],
    steps:
      "Soak the noodles. Scramble the eggs, add noodles, soy sauce and lime, toss with spring onions and finish with the crunchy topping.",
    swaps: { peanuts: ["toasted sunflower seeds", 15, "g"], eggs: ["tofu", 80, "g"] },
  },
  {
    name: "Vegetable Omelette",
    words: ["omelette", "egg", "quick", "breakfast"],
    prep: 5,
    cook: 8,
    parts: [
      ["eggs", 3],
      ["bell peppers", 0.5],
      ["cheddar", 20, "g"],
      ["butter", 5, "g"],
    ],
    steps: "Fry the pepper in butter, pour in the beaten eggs, add cheddar, fold when it is set.",
    swaps: { cheddar: ["spinach", 30, "g"], butter: ["olive oil", 0.5, "tbsp"] },
  },
  {
    name: "Greek Salad",
    words: ["salad", "quick", "vegetarian", "light"],
    prep: 15,
    cook: 0,
    parts: [
      ["tomatoes", 2],
      ["cucumber", 0.5],
      ["feta", 60, "g"],
      ["olives", 30, "g"],
      ["olive oil", 1, "tbsp"],
    ],
    steps: "Cut the vegetables, crumble the feta over them, dress with oil and a little lemon.",
    swaps: { olives: ["capers", 5, "g"], feta: ["chickpeas", 0.5, "can"] },
  },
];
