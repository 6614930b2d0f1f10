import { findTerm, foodWords } from "../food-words.ts";

/** The foods that an allergy or a diet rules out, and similar-sounding phrases that it does not. */
interface Family {
  readonly names: readonly string[];
  readonly foods: readonly string[];
  readonly harmless?: readonly string[];
}

const PEANUT = ["peanut", "groundnut", "monkey nut", "satay"];
const TREE_NUT = [
  "nut",
  "almond",
  "hazelnut",
  "walnut",
  "cashew",
  "pecan",
  "pistachio",
  "macadamia",
  "praline",
  "marzipan",
  "nutella",
];
const MILK = [
  "milk",
  "butter",
  "buttermilk",
  "cream",
  "cheese",
  "yoghurt",
  "yogurt",
  "parmesan",
  "cheddar",
  "feta",
  "mozzarella",
  "ricotta",
  "mascarpone",
  "halloumi",
  "brie",
  "ghee",
  "whey",
  "custard",
];
const HARMLESS_MILK = [
  ...["coconut", "almond", "oat", "soy", "soya", "rice", "cashew", "hazelnut", "vegan"].flatMap(
    (plant) =>
      ["milk", "cream", "butter", "cheese", "yoghurt", "yogurt"].map((food) => `${plant} ${food}`),
  ),
  "peanut butter",
  "cocoa butter",
  "butter bean",
  "butter lettuce",
  "cream of tartar",
];
const EGG = ["egg", "mayonnaise", "meringue", "aioli", "omelette", "frittata", "quiche"];
const GLUTEN = [
  "gluten",
  "wheat",
  "flour",
  "bread",
  "breadcrumb",
  "pasta",
  "spaghetti",
  "macaroni",
  "penne",
  "lasagne",
  "noodle",
  "couscous",
  "bulgur",
  "barley",
  "rye",
  "seitan",
  "tortilla",
  "pita",
  "bun",
  "cracker",
  "toast",
  "puff pastry",
];
const FISH = [
  "fish",
  "cod",
  "salmon",
  "tuna",
  "trout",
  "haddock",
  "anchovy",
  "sardine",
  "mackerel",
  "halibut",
  "herring",
  "tilapia",
  "sea bass",
  "fisherman",
];
const SHELLFISH = [
  "shellfish",
  "prawn",
  "shrimp",
  "crab",
  "lobster",
  "crayfish",
  "mussel",
  "clam",
  "oyster",
  "scallop",
  "squid",
];
const MEAT = [
  "meat",
  "beef",
  "pork",
  "chicken",
  "lamb",
  "veal",
  "turkey",
  "duck",
  "bacon",
  "ham",
  "sausage",
  "steak",
  "mince",
  "chorizo",
  "salami",
  "gelatine",
];

const FAMILIES: readonly Family[] = [
  { names: ["peanut"], foods: PEANUT },
  { names: ["nut", "tree nut"], foods: [...TREE_NUT, ...PEANUT] },
  {
    names: ["milk", "dairy", "lactose"],
    foods: MILK,
    harmless: [...HARMLESS_MILK, "lactose free"],
  },
  { names: ["egg"], foods: EGG },
  {
    names: ["gluten", "wheat", "celiac", "coeliac"],
    foods: GLUTEN,
    harmless: ["rice noodle", "rice flour", "almond flour", "coconut flour", "corn tortilla"],
  },
  { names: ["fish"], foods: FISH },
  { names: ["shellfish", "crustacean"], foods: SHELLFISH },
  { names: ["seafood"], foods: [...FISH, ...SHELLFISH, "seafood"] },
  { names: ["soy", "soya"], foods: ["soy", "soya", "tofu", "edamame", "tempeh", "miso"] },
  { names: ["sesame"], foods: ["sesame", "tahini", "halva", "hummus"] },
  { names: ["meat"], foods: MEAT },
  {
    names: ["vegetarian"],
    foods: [...MEAT, ...FISH, ...SHELLFISH],
    harmless: ["vegetarian sausage"],
  },
  {
    names: ["vegan"],
    foods: [...MEAT, ...FISH, ...SHELLFISH, ...MILK, ...EGG, "honey"],
    harmless: [...HARMLESS_MILK, "vegan sausage", "vegan mayonnaise"],
  },
];

/**
 * The first food in a text that someone who must avoid `avoided` cannot have; null where there is none.
 *
 * `avoided` is an allergy ("peanuts"), a diet ("vegan") or any food. "Without", "no" and "free" undo a mention.
 */
export function findAvoidedFood(text: string, avoided: string): string | null {
  const key = foodWords(avoided);
  if (key.length === 0) return null;
  const family = FAMILIES.find(({ names }) => names.some((name) => isSame(foodWords(name), key)));
  const words = hideHarmless(foodWords(text), [...key], family?.harmless ?? []);
  for (const food of [key.join(" "), ...(family?.foods ?? [])]) {
    const term = foodWords(food);
    const isMeant = findTerm(words, term).some((start) => !isUndone(words, start, term.length));
    if (isMeant) return food;
  }
  return null;
}

/** Blanks out phrases that only sound like the food, so that no term is found in them. */
function hideHarmless(
  words: readonly string[],
  avoided: readonly string[],
  harmless: readonly string[],
): readonly string[] {
  const hidden = new Set<number>();
  for (const phrase of harmless) {
    const term = foodWords(phrase);
    // What is avoided by name is never harmless: "coconut milk" to someone who avoids coconut milk.
    if (isSame(term, avoided)) continue;
    for (const start of findTerm(words, term)) {
      for (let offset = 0; offset < term.length; offset += 1) hidden.add(start + offset);
    }
  }
  return words.map((word, index) => (hidden.has(index) ? "" : word));
}

function isUndone(words: readonly string[], start: number, length: number): boolean {
  const before = words[start - 1] === "any" ? words[start - 2] : words[start - 1];
  return ["no", "without", "non"].includes(before ?? "") || words[start + length] === "free";
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((word, index) => word === other[index]);
}

const FILLER = new Set(
  foodWords(
    "any anything with the a an all of this that week today please ever eat eating some more in our my at to for and or i we can cannot t s don kind",
  ),
);

/** Returns the foods that a hard wish rules out, directly or by naming a diet: "no shellfish or nuts" → shellfish, nut. */
export function avoidedIn(wish: string): readonly string[] {
  const text = wish.toLowerCase().replaceAll("’", "'");
  const listed = [
    ...text.matchAll(
      /\b(?:no|without|avoid|avoids|avoiding|never|exclude|skip|allergic to|allergy to|allergies to|intolerant to|intolerance to|can't eat|cannot eat|don't eat|doesn't eat)\s+([^.;:!?()]+)/g,
    ),
  ].map((match) => match[1] ?? "");
  const named = [
    ...text.matchAll(/([\p{L} ]+?)[\s-]+(?:allergy|allergies|intolerance|free)\b/gu),
  ].map((match) => match[1] ?? "");
  const diets = ["vegetarian", "vegan"].filter((diet) => mentionsWord(text, diet));
  const foods = [...listed, ...named].flatMap((list) => list.split(/,|\/|&|\band\b|\bor\b/));
  const terms = foods.map((food) =>
    foodWords(food)
      .filter((word) => !FILLER.has(word))
      .join(" "),
  );
  return [
    ...new Set([...terms.filter((term) => term !== "" && term.split(" ").length <= 3), ...diets]),
  ];
}

function mentionsWord(text: string, word: string): boolean {
  return foodWords(text).includes(word);
}
