/** Kinds of food and what belongs to them. */
export const KINDS: Readonly<Record<string, readonly string[]>> = {
  fish: [
    "cod",
    "salmon",
    "tuna",
    "trout",
    "haddock",
    "anchovies",
    "sardines",
    "mackerel",
    "fisherman",
  ],
  seafood: ["cod", "salmon", "tuna", "prawns", "shrimp", "mussels", "squid", "crab", "fisherman"],
  meat: ["chicken", "beef", "pork", "bacon", "lamb", "turkey", "ham", "sausage", "mince", "wings"],
  poultry: ["chicken", "turkey", "duck", "wings"],
  dairy: [
    "milk",
    "butter",
    "cream",
    "yoghurt",
    "cheddar",
    "parmesan",
    "feta",
    "mascarpone",
    "cheese",
  ],
  cheese: ["cheddar", "parmesan", "feta", "mozzarella", "mascarpone"],
  nut: ["almonds", "walnuts", "cashews", "hazelnuts", "peanuts", "pecans"],
  bean: ["black beans", "kidney beans", "chickpeas", "lentils"],
  carb: ["rice", "pasta", "spaghetti", "bread", "potatoes", "noodles"],
  gluten: [
    "bread",
    "pasta",
    "spaghetti",
    "penne",
    "tagliatelle",
    "flour",
    "noodles",
    "puff pastry",
  ],
};

/** Ways to eat and what they leave out. */
export const DIETS: Readonly<Record<string, readonly string[]>> = {
  vegetarian: ["meat", "fish", "seafood"],
  vegan: ["meat", "fish", "seafood", "dairy", "eggs", "honey"],
  pescatarian: ["meat"],
};

/** Food it has a word for. */
export const FOODS: readonly string[] =
  `eggs milk butter cream yoghurt cheese parmesan cheddar feta mascarpone bread rice pasta spaghetti penne noodles flour sugar salt pepper oats honey
  onions garlic ginger carrots potatoes tomatoes mushrooms spinach lettuce cabbage cucumber courgettes aubergines broccoli cauliflower celery leek peas sweetcorn
  peppers coriander parsley lemons limes apples bananas oranges berries pears grapes avocado chickpeas lentils beans tofu chicken beef pork bacon lamb turkey ham
  sausage fish cod salmon tuna prawns wings toast curry risotto tacos stew soup salad omelette shakshuka chili peanuts almonds walnuts cashews hazelnuts olives
  thai aglio olio tagliatelle greek pad stir-fry lasagne burger pizza pie pancakes porridge ratatouille goulash ramen burrito quiche gratin dumplings coffee tea juice water wine beer chocolate jam mustard mayonnaise ketchup oil vinegar cumin paprika cinnamon thyme basil oregano sesame coconut maple`.split(
    /\s+/,
  );

/** How amounts are counted. */
export const UNITS: readonly string[] =
  `g gram grams kg kilo kilos ml l litre litres liter liters can cans tin tins jar jars bottle bottles pack packs packet packets bag bags box boxes bunch bunches
  slice slices clove cloves cup cups tbsp tsp loaf loaves piece pieces bar bars head heads carton cartons tub tubs stick sticks pinch`.split(
    /\s+/,
  );
