import { createSentenceRenderer } from "../text/fill-template.ts";

/** Every sentence that the kitchen's code writes into a reply, by id. */
export const MEALS_SENTENCES = {
  // Nothing was found
  noRecipes: "There are no recipes like that.",
  noInventory: "There is nothing like that in the kitchen.",
  noMealPlans: "Nothing is planned there.",
  noShoppingList: "The shopping list is empty, or has nothing like that.",
  noTasks: "There are no tasks like that.",
  noMembers: "Nobody is stored yet.",
  noPreferences: "No preferences are stored yet.",
  noCookingLog: "The cooking log has nothing like that.",
  noIngredients: "The catalogue has no such ingredient.",
  noRows: "There is nothing like that.",
  emptyPlaces: "There is nothing {places}.",
  notFoundThere: "I found no {name} {places}.",
  nothingFoundThere: "I found nothing like that {places}.",
  emptyShoppingList: "There is nothing on the shopping list.",
  noTasksToShow: "There are no tasks to show.",

  // Quick answers
  inPantry: "in the pantry",
  inFridge: "in the fridge",
  inFreezer: "in the freezer",
  onCounter: "on the counter",
  orPlace: " or ",
  placeHeading: "**{place}** ({count})",
  dayHeading: "**{day}**",
  itemUntil: "{item} (until {day})",
  aMeal: "a meal",
  leftovers: "leftovers",
  servings: "{count} {count|serving|servings}",
  toBuyHeading: "**To buy**",
  itemForDishes: "{item} (for {dishes})",
  nothingToBuy: "Nothing is left to buy.",
  bought: "Bought: {items}.",
  tasksHeading: "**Tasks**",
  taskDone: "done",
  taskDue: "due {day}",
  preferencesHeading: "**Preferences**",
  household: "Household: {count} {count|person|people}",
  membersHeading: "**Household**",
  guestUntil: "guest until {day}",
  allergies: "allergic to {items}",
  diet: "diet {items}",
  dislikes: "dislikes {items}",
  favourites: "likes {items}",
  whoLivesHere: "Allergies, diets and tastes are kept for each person: ask “who lives here?”",
  equipment: "Equipment: {items}",
  skill: "Cooking skill: {skill}",
  moreRows: "{shown} shown, {more} more.",

  // The shopping list that was built
  shoppingFor: "For {dishes}.",
  dishForServings: "{dish} for {servings}",
  nothingHasToBeBought: "Nothing has to be bought.",
  inKitchenAlready: "In the kitchen already: {items}.",
  optionalLeftOut: "Optional, left out: {items}.",
  notCounted: "Not counted, without a recipe: {meals}.",
  nothingPlanned: "Nothing is planned on these days.",
  nothingToAdd: "Nothing to add: what is planned has no recipe ({meals}).",
  someAmount: "some",
  lineAdded: "- {item}: {amount} ({dishes}){doubt}",
  lineChanged: "- {item}: {amount}, was {before} ({dishes}){doubt}",
  lineKept: "- {item}: {amount} is on the list already and enough ({dishes})",
  incomparable: "; the kitchen has {amounts}, which cannot be compared",

  // What speaks against a draft or a write
  hasAvoidedFood: "{content} has {food}",
  hasFoodAgainst: "{content} has {food}, which {person} must not eat",
  plannedDish: "{content}, planned for {days},",
  allergy: "{person}'s allergy: {food}",
  dietRule: "{person}'s diet: {diet}",
  dislikesRule: "what the eaters dislike",
  dislikedBy: "{food} (disliked by {person})",
  plannedRule: "allergies and diets hold for meals that are planned already",
  plannedAgainst: "{person} must not eat what is planned: {meals}",
  plannedAgainstMore: "{person} must not eat what is planned: {meals}, and {more} more",
  dishWithFood: '"{dish}" ({food})',
  wrongMealCount: "there {found|is|are} {found} {found|meal|meals} instead of {wanted}",
  wrongRecipeCount: "there {found|is|are} {found} {found|recipe|recipes} instead of {wanted}",
  slotToStayEmpty: '{day} {slot} is to stay empty, but "{meal}" is planned there',
  leftoversRule: "a fresh cook comes before its leftovers, and the portions add up",
  leftoversTooEarly: 'leftovers of "{meal}" on {day} {slot} come before it is cooked',
  leftoversTooMany:
    'leftovers of "{meal}" on {day} {slot} need {needed} {needed|portion|portions}, but {left} {left|is|are} left',
  dateRule: "a meal's date is the day it is eaten",
  mealInThePast: '"{meal}" is planned for {date}, which is before today ({today})',
} as const satisfies Readonly<Record<string, string>>;

/** The id of a sentence of the kitchen. */
export type MealsSentenceId = keyof typeof MEALS_SENTENCES;

/** Renders a sentence of the kitchen with its values filled in. */
export const renderMealsSentence = createSentenceRenderer(MEALS_SENTENCES);
