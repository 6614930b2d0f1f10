import { AIMessage, HumanMessage } from "@langchain/core/messages";
import { foldRegistry } from "../../registry/apply-event.ts";
import { EMPTY_REGISTRY } from "../../registry/entries.ts";
import { renderRegistryTable } from "../../registry/render-registry-table.ts";
import { MEALS_ENTITY_TYPES } from "../../meals/entity-types.ts";
import type { EntityRow } from "../../state/entity.ts";
import type { Registry, RegistryEvent, TableLine } from "../../state/registry.ts";
import type { TurnExecutionSummary } from "../../state/turn-summary.ts";
import type { Effect } from "../../state/step.ts";
import type { TurnState } from "../../state/turn.ts";
import { codTurn } from "./seed-turns.ts";
import { makeCuration, TEST_RUN, turnState, makeUnderstanding } from "./turn-state.ts";

/** The dishes of the conversation: three with cod, one of them without saying so in its name. */
const DISHES: readonly (readonly [
  name: string,
  minutes: number,
  ingredients: readonly string[],
])[] = [
  ["Lemon Cod", 25, ["cod", "lemon", "butter"]],
  ["Cod Tacos", 30, ["cod", "tortillas", "cabbage"]],
  ["Lentil Soup", 40, ["red lentils", "carrots", "onions"]],
  ["Chickpea Curry", 35, ["chickpeas", "coconut milk", "spinach"]],
  ["French Toast", 15, ["eggs", "bread", "milk"]],
  ["Wings", 50, ["chicken wings", "garlic", "paprika"]],
  ["Fish Pie", 60, ["cod", "potatoes", "peas"]],
  ["Mushroom Risotto", 45, ["rice", "mushrooms", "parmesan"]],
  ["Pasta al Limone", 20, ["pasta", "lemon", "cream"]],
];

const FOODS =
  "rice,pasta,red lentils,chickpeas,flour,sugar,salt,pepper,paprika,cumin,olive oil,vinegar,tomatoes,coconut milk,onions,garlic,potatoes,carrots,honey,oats,tea,coffee,bread,lemons,bananas,eggs,milk,butter,cream,parmesan,feta,yoghurt,spinach,mushrooms,cabbage,peppers,cucumber,lettuce,apples,mustard,mayonnaise,ketchup,soy sauce,tofu,ham,cod,chicken wings,peas,berries,ice cream,tortillas,stock,basil,parsley,ginger,limes,walnuts,raisins,cocoa".split(
    ",",
  );
const PLACES = ["pantry", "fridge", "freezer"] as const;

/** The database id of the n-th dish, as it must never stand in a prompt. */
export function dishId(index: number): string {
  return `10000000-aaaa-4bbb-8ccc-${String(index + 1).padStart(12, "0")}`;
}

/** The dishes as a read at full detail returns them. */
export const DISH_ROWS: readonly EntityRow[] = DISHES.map(
  ([name, minutes, ingredients], index) => ({
    id: dishId(index),
    rowVersion: 1,
    values: {
      name,
      servings: 2,
      prep_minutes: 5,
      cook_minutes: minutes - 5,
      cuisine: null,
      tags: [],
      ingredients: ingredients.map((ingredient) => ({ name: ingredient })),
    },
  }),
);

const FOOD_ROWS: readonly EntityRow[] = FOODS.map((name, index) => ({
  id: `20000000-aaaa-4bbb-8ccc-${String(index + 1).padStart(12, "0")}`,
  rowVersion: 1,
  values: {
    name,
    quantity: 1 + (index % 4),
    unit: null,
    location: PLACES[index % PLACES.length] ?? "pantry",
    expires_on: null,
  },
}));

const refs = (...numbers: readonly number[]): string[] =>
  numbers.map((number) => `recipe_${number}`);
const DISH_REFS = refs(1, 2, 3, 4, 5, 6, 7, 8, 9);
const WITHOUT_COD = refs(3, 4, 5, 6, 8, 9);

const EVENTS: readonly RegistryEvent[] = [
  makeRead("recipe", DISH_ROWS),
  makeRead("inventory", FOOD_ROWS),
  { kind: "listed", turn: 1, refs: DISH_REFS },
  {
    kind: "curated",
    turn: 2,
    curation: makeCuration({
      demote: refs(1, 2, 7).map((ref) => ({ ref, reason: "contain cod" })),
    }),
  },
  {
    kind: "judged",
    turn: 2,
    type: "recipe",
    refs: WITHOUT_COD,
    of: null,
    title: "dinners this week",
    conclusion: "6 recipes fit inventory",
    topic: null,
  },
  { kind: "listed", turn: 2, refs: WITHOUT_COD },
];

function makeRead(type: string, rows: readonly EntityRow[]): RegistryEvent {
  const ids = rows.map(({ id }) => id);
  return { kind: "read", turn: 1, type, ids, rows: [...rows], detail: "full" };
}

/** The thread's entities after turn 2: nine dishes, three of them taken out, and 59 things in the kitchen. */
export const NARROWED_REGISTRY: Registry = foldRegistry(EMPTY_REGISTRY, EVENTS, MEALS_ENTITY_TYPES);

/** Its table as it was shown before anything was taken out: all dishes, and rice that was more then. */
export const TABLE_BEFORE: readonly TableLine[] = renderRegistryTable(
  foldRegistry(EMPTY_REGISTRY, EVENTS.slice(0, 2), MEALS_ENTITY_TYPES),
  { before: [], turn: 1, window: 2, budget: 10_000, countTokens: (text) => text.length / 4 },
).lines.map(({ ref, text, turn }) => ({
  ref,
  text: ref === "inv_1" ? "inv_1 rice: 7, pantry" : text,
  turn,
}));

/** The third message of the conversation in seed 003. */
export const THIRD_MESSAGE = "lets not do the french toast? i also dont feel like doing wings";

const SECOND_RECORD: TurnExecutionSummary = {
  ...codTurn,
  steps: [
    ...codTurn.steps.slice(0, 2),
    {
      description: "Judge which dishes are possible",
      stepType: "analyze",
      subdomain: "recipes",
      outcome: "6 recipes fit inventory",
      note: null,
      entitiesAffected: WITHOUT_COD,
      warnings: [],
    },
  ],
  reasoning: "What holds no cod has to be judged anew.",
};

/** Turn 3 of the conversation after intake, before anything has read the message. */
export function thirdTurn(changes: Partial<TurnState> = {}): TurnState {
  const text = THIRD_MESSAGE;
  return turnState({
    input: { messageId: "m-3", text },
    run: TEST_RUN,
    turn: 3,
    messages: [
      new HumanMessage({
        id: "message-1",
        content: "can you help me plan some meals?",
        additional_kwargs: { turn: 1 },
      }),
      new AIMessage({
        id: "reply_run-1_1",
        content: "Sure! Nine dishes are possible this week.",
        additional_kwargs: { turn: 1 },
      }),
      new HumanMessage({
        id: "message-2",
        content: "lets not do cod this week?",
        additional_kwargs: { turn: 2 },
      }),
      new AIMessage({
        id: "reply_run-2_1",
        content: "Got it, no cod. Six dishes remain.",
        additional_kwargs: { turn: 2 },
      }),
      new HumanMessage({ id: "message-3", content: text, additional_kwargs: { turn: 3 } }),
    ],
    registry: NARROWED_REGISTRY,
    turnExecutionSummaries: [SECOND_RECORD],
    ...changes,
  });
}

const EXCLUDED = makeCuration({
  demote: [
    { ref: "recipe_5", reason: "not wanted" },
    { ref: "recipe_6", reason: "not in the mood" },
  ],
  summary: "Demoted recipe_5 (not wanted), recipe_6 (not in the mood)",
});

/** The same after Understand: French toast and wings are taken out. */
export function thirdTurnUnderstood(changes: Partial<TurnState> = {}): TurnState {
  return thirdTurn({
    understanding: makeUnderstanding({
      curation: EXCLUDED,
      expressed: "Wants to exclude French Toast and Wings",
    }),
    registryEvents: [{ kind: "curated", turn: 3, curation: EXCLUDED }],
    ...changes,
  });
}

/** The turn summaries before the third turn, with other effects. */
export function summariesWith(effects: readonly Effect[]): TurnState["turnExecutionSummaries"] {
  const change = (record: TurnExecutionSummary) => ({ ...record, effects: [...effects] });
  return thirdTurn().turnExecutionSummaries.map(change);
}
