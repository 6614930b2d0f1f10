/** An amount as the demo data writes it: quantity and unit, both null for "to taste". */
type Amount = readonly [name: string, quantity?: number, unit?: string];

/** One recipe of the demo kitchen. */
export interface DemoRecipe {
  readonly name: string;
  readonly servings: number;
  readonly prep: number;
  readonly cook: number;
  readonly cuisine: string;
  readonly tags: readonly string[];
  readonly instructions: string;
  /** The main ingredients first. */
  readonly ingredients: readonly Amount[];
}

/** The nine recipes of the demo kitchen, in the order in which they are read. */
export const DEMO_RECIPES: readonly DemoRecipe[] = [
  {
    name: "Lemon Butter Cod",
    servings: 2,
    prep: 10,
    cook: 25,
    cuisine: "British",
    tags: ["fish"],
    instructions:
      "Boil the potatoes. Fry the cod in butter, skin down, for 6 minutes. Add lemon juice and spoon the butter over it.",
    ingredients: [
      ["cod fillet", 350, "g"],
      ["potatoes", 400, "g"],
      ["lemons", 1],
      ["butter", 2, "tbsp"],
      ["salt"],
    ],
  },
  {
    name: "Cod Tacos",
    servings: 2,
    prep: 20,
    cook: 10,
    cuisine: "Mexican",
    tags: ["fish", "quick"],
    instructions:
      "Dust the cod with paprika and fry it. Shred the cabbage, dress it with lime and yoghurt. Fill the warm tortillas.",
    ingredients: [
      ["cod fillet", 300, "g"],
      ["tortillas", 6],
      ["cabbage", 200, "g"],
      ["yoghurt", 100, "g"],
      ["limes", 1],
      ["paprika", 1, "tsp"],
    ],
  },
  {
    name: "Chickpea Curry",
    servings: 2,
    prep: 10,
    cook: 25,
    cuisine: "Indian",
    tags: ["vegan"],
    instructions:
      "Soften onion, garlic and ginger. Toast the curry powder, add chickpeas and coconut milk, simmer 15 minutes. Stir in spinach and coriander. Serve with rice.",
    ingredients: [
      ["chickpeas", 1, "can"],
      ["coconut milk", 1, "can"],
      ["spinach", 100, "g"],
      ["rice", 150, "g"],
      ["onions", 1],
      ["garlic", 2, "cloves"],
      ["ginger", 15, "g"],
      ["curry powder", 1, "tbsp"],
      ["coriander", 10, "g"],
    ],
  },
  {
    name: "Mushroom Risotto",
    servings: 2,
    prep: 10,
    cook: 30,
    cuisine: "Italian",
    tags: ["vegetarian"],
    instructions:
      "Fry the mushrooms and set them aside. Soften onion and garlic in butter, toast the rice, add hot stock ladle by ladle for 18 minutes. Stir in mushrooms, thyme and parmesan.",
    ingredients: [
      ["mushrooms", 250, "g"],
      ["risotto rice", 160, "g"],
      ["parmesan", 40, "g"],
      ["vegetable stock", 750, "ml"],
      ["onions", 1],
      ["butter", 30, "g"],
      ["garlic", 1, "clove"],
      ["thyme", 1, "tsp"],
    ],
  },
  {
    name: "French Toast",
    servings: 2,
    prep: 5,
    cook: 10,
    cuisine: "French",
    tags: ["breakfast", "vegetarian", "quick"],
    instructions:
      "Whisk eggs, milk and cinnamon. Soak the bread, fry it golden in butter. Serve with maple syrup.",
    ingredients: [
      ["bread", 4, "slices"],
      ["eggs", 2],
      ["milk", 120, "ml"],
      ["butter", 1, "tbsp"],
      ["cinnamon", 1, "tsp"],
      ["maple syrup", 2, "tbsp"],
    ],
  },
  {
    name: "Sticky Chicken Wings",
    servings: 2,
    prep: 10,
    cook: 40,
    cuisine: "American",
    tags: ["oven"],
    instructions:
      "Roast the wings at 200 °C for 30 minutes. Boil honey, soy sauce, garlic and lime to a glaze, toss the wings in it, roast 10 minutes more.",
    ingredients: [
      ["chicken wings", 600, "g"],
      ["honey", 2, "tbsp"],
      ["soy sauce", 3, "tbsp"],
      ["garlic", 2, "cloves"],
      ["limes", 1],
      ["paprika", 1, "tsp"],
    ],
  },
  {
    name: "Fisherman's Stew",
    servings: 4,
    prep: 15,
    cook: 30,
    cuisine: "Portuguese",
    tags: ["fish", "one pot"],
    instructions:
      "Soften the onions in oil. Add potatoes, tomatoes and stock, simmer 20 minutes. Lay the fish on top and let it steam for 8 minutes.",
    ingredients: [
      ["cod fillet", 500, "g"],
      ["potatoes", 500, "g"],
      ["chopped tomatoes", 1, "can"],
      ["vegetable stock", 500, "ml"],
      ["onions", 2],
      ["olive oil", 2, "tbsp"],
    ],
  },
  {
    name: "Egg Fried Rice",
    servings: 2,
    prep: 10,
    cook: 10,
    cuisine: "Chinese",
    tags: ["quick", "vegetarian"],
    instructions:
      "Scramble the eggs and set them aside. Fry carrot and spring onions, add cooked rice, peas and soy sauce. Fold in the eggs, finish with sesame oil.",
    ingredients: [
      ["eggs", 3],
      ["rice", 200, "g"],
      ["peas", 100, "g"],
      ["carrots", 1],
      ["spring onions", 3],
      ["soy sauce", 2, "tbsp"],
      ["sesame oil", 1, "tsp"],
    ],
  },
  {
    name: "Black Bean Chili",
    servings: 4,
    prep: 15,
    cook: 35,
    cuisine: "Mexican",
    tags: ["vegan", "one pot"],
    instructions:
      "Soften onions, peppers and garlic. Add cumin and chilli flakes, then beans, tomatoes, sweetcorn and stock. Simmer 30 minutes. Serve with rice and coriander.",
    ingredients: [
      ["black beans", 2, "cans"],
      ["chopped tomatoes", 1, "can"],
      ["bell peppers", 2],
      ["rice", 1, "cup"],
      ["sweetcorn", 1, "can"],
      ["vegetable stock", 1, "cup"],
      ["onions", 2],
      ["garlic", 3, "cloves"],
      ["olive oil", 2, "tbsp"],
      ["cumin", 2, "tsp"],
      ["chilli flakes", 1, "tsp"],
      ["coriander", 2, "tbsp"],
    ],
  },
];

/** The recipes of another household. */
export const NEIGHBOUR_RECIPES: readonly DemoRecipe[] = [
  {
    name: "Beef Goulash",
    servings: 4,
    prep: 20,
    cook: 120,
    cuisine: "Hungarian",
    tags: ["meat"],
    instructions: "Brown the beef, add onions and paprika, braise for two hours.",
    ingredients: [
      ["stewing beef", 800, "g"],
      ["onions", 4],
      ["paprika", 3, "tbsp"],
    ],
  },
  {
    name: "Satay Noodles",
    servings: 2,
    prep: 10,
    cook: 10,
    cuisine: "Thai",
    tags: ["quick"],
    instructions: "Boil the noodles, toss them in peanut butter, soy sauce and lime.",
    ingredients: [
      ["noodles", 200, "g"],
      ["peanut butter", 4, "tbsp"],
      ["soy sauce", 2, "tbsp"],
      ["limes", 1],
    ],
  },
];
