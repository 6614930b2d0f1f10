import { indexOfWords, stems } from "../language/words.ts";
import { fillSlots } from "./fill-slots.ts";
import { DIETS, FOODS, KINDS, UNITS } from "./food-words.ts";
import { alterDish, makeDish, namesFood } from "./make-dish.ts";
import type { JudgeRequest, World } from "./world.ts";

/** What the rehearsal model knows of kitchens. */
export const KITCHEN: World = {
  parts: {
    choices: "recipes",
    made: "recipes",
    stock: "inventory",
    schedule: "meal_plans",
    wanted: "shopping",
  },
  nouns: {
    list: "shopping",
    groceries: "shopping",
    "grocery list": "shopping",
    "to buy": "shopping",
    kitchen: "inventory",
    stock: "inventory",
    cupboard: "inventory",
    larder: "inventory",
    refrigerator: "inventory",
    icebox: "inventory",
    "at home": "inventory",
    ingredients: "inventory",
    cookbook: "recipes",
    menu: "meal_plans",
    dinner: "meal_plans",
    lunch: "meal_plans",
    breakfast: "meal_plans",
    supper: "meal_plans",
    eat: "meal_plans",
    eating: "meal_plans",
    having: "meal_plans",
    planned: "meal_plans",
    todo: "tasks",
    todos: "tasks",
    "to do": "tasks",
    "to dos": "tasks",
    remind: "tasks",
    reminder: "tasks",
    chore: "tasks",
    allergies: "preferences",
  },
  values: {
    breakfast: "breakfast",
    lunch: "lunch",
    lunchtime: "lunch",
    midday: "lunch",
    noon: "lunch",
    dinner: "dinner",
    supper: "dinner",
    evening: "dinner",
    night: "dinner",
    tonight: "dinner",
    snack: "snack",
    refrigerator: "fridge",
    icebox: "fridge",
    cupboard: "pantry",
    larder: "pantry",
  },
  choiceWords: ["recipe", "dish", "meal", "dinner", "lunch"],
  uses: ["cook", "eat", "make", "prepare"],
  kinds: KINDS,
  diets: DIETS,
  things: FOODS,
  tags: ["vegetarian", "vegan", "quick"],
  units: UNITS,
  size: { column: "servings", usual: 4 },
  usualTime: "dinner",
  groupedBy: ["location"],
  examples: [
    "what could I cook this week?",
    "what's in my fridge?",
    "no fish this week",
    "plan 4 dinners from tuesday to friday",
    "draft a lentil soup",
    "add two cans of tomatoes to the shopping list",
  ],
  find: ({ terms, tags, minutes, name }) => ({
    name: "find_recipes",
    args: { text: name, use: terms, avoid: [], maxMinutes: minutes, tags, limit: null },
  }),
  collect: ({ refs, from, to }) => ({
    name: "build_shopping_list",
    args: { recipes: refs.map((ref) => ({ ref, servings: null })), from, to },
  }),
  makeUp: makeDish,
  alter: alterDish,
  fillSlots,
  names: namesFood,
  isPossible,
  minutesOf,
};

/** Main ingredients stand first; what stands after them (spices, salt) is not looked for. */
const MAIN = 5;

function isPossible({ cells, stock }: JudgeRequest): boolean {
  const needed = (cells["ingredients"] ?? "")
    .split(/, |\n/)
    .filter((name) => name !== "")
    .slice(0, MAIN);
  const there = stock.map(stems);
  return (
    needed.length > 0 &&
    needed.every((name) => there.some((item) => indexOfWords(item, stems(name)) !== -1))
  );
}

function minutesOf(cells: Readonly<Record<string, string>>): number | null {
  const minutes = [cells["prep_minutes"], cells["cook_minutes"]].map((cell) => Number(cell ?? ""));
  const known = minutes.filter((value, index) => {
    const cell = [cells["prep_minutes"], cells["cook_minutes"]][index];
    return cell !== undefined && cell !== "" && Number.isFinite(value);
  });
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0);
}
