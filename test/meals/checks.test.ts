import { describe, expect, test } from "vitest";
import { z } from "zod";
import { runChecks } from "../../domain/changes/run-checks.ts";
import { mealsEntityType } from "../../meals/entity-types.ts";
import type { Change, ChangeOrigin, CheckContext } from "../../state/change.ts";
import { avoidedIn, findAvoidedFood } from "../../meals/checks/allergens.ts";
import { gapsIn } from "../../meals/checks/check-gaps.ts";
import { MEALS_CHECKS } from "../../meals/checks/checks.ts";
import type { Constraint } from "../../state/constraint.ts";
import type { JsonObject } from "../../state/json.ts";
import { renderMealsSentence } from "../../meals/sentences.ts";
import { readYaml } from "../support/read-yaml.ts";

const CASES = readYaml(
  new URL("checks.yaml", import.meta.url),
  z.array(z.object({ text: z.string(), avoided: z.string(), found: z.string().nullable() })),
);

const TODAY = "2026-01-12";
const HOUSEHOLD = {
  household_size: 2,
  members: [
    { id: "a", name: "Anna", allergies: ["peanuts"] },
    { id: "b", name: "Ben", diet: ["vegetarian"], dislikes: ["olives", "capers"] },
    { id: "t", name: "Tom", allergies: ["eggs"], until: "2026-01-14" },
  ],
};

function content(type: string, values: JsonObject, ref: string | null = null): Change {
  return {
    action: "create",
    type,
    id: "",
    ref,
    label: mealsEntityType(type).label(values),
    before: null,
    after: values,
    version: null,
    changed: Object.keys(values),
    cause: "named",
  };
}

/** Runs the checks over contents, and returns rule and reason of each verdict. */
function judge(origin: ChangeOrigin) {
  return (changes: readonly Change[], facts: Omit<CheckContext, "origin" | "linked">) =>
    runChecks(changes, {
      checks: MEALS_CHECKS,
      context: { ...facts, origin },
      links: () => [],
      onFailure: (_check, error) => expect.fail(String(error)),
    }).map(({ rule, reason }) => ({ rule, reason }));
}
const judgeWrites = judge("tool");
const judgeDrafts = judge("draft");

function meal(date: string, slot: string, more: JsonObject = {}): Change {
  return content("meal", { date, slot, title: "Soup", servings: 2, ...more });
}

function wish(text: string, more: Partial<Constraint> = {}): Constraint {
  return { text, kind: "soft", count: null, until: null, scope: "conversation", turn: 1, ...more };
}

function factsWith(...constraints: Constraint[]) {
  return { constraints, profile: HOUSEHOLD, today: TODAY, turn: 1 };
}

describe("findAvoidedFood()", () => {
  test.each(CASES)("$text for someone who avoids $avoided: $found", ({ text, avoided, found }) => {
    expect(findAvoidedFood(text, avoided)).toBe(found);
  });
});

describe("avoidedIn()", () => {
  test.each([
    ["no shellfish or nuts", ["shellfish", "nut"]],
    ["I'm allergic to sesame seeds and kiwi", ["sesame seed", "kiwi"]],
    ["strictly vegetarian", ["vegetarian"]],
    ["my daughter has an egg allergy", ["egg"]],
    ["gluten-free please", ["gluten"]],
    ["dinner at seven", []],
  ])("%j rules out %j", (text, foods) => {
    for (const food of foods) expect(avoidedIn(text).join(" ")).toContain(food);
    expect(avoidedIn(text).length > 0).toBe(foods.length > 0);
  });
});

const peanuts = (content: string, food = "peanut") => ({
  rule: renderMealsSentence("allergy", { person: "Anna", food: "peanuts" }),
  reason: renderMealsSentence("hasFoodAgainst", { content, food, person: "Anna" }),
});

describe("allergies, diets and hard wishes", () => {
  test.each([
    [content("shopping", { name: "peanuts" }), '"peanuts"', "peanut"],
    [
      content(
        "recipe",
        { name: "Noodles", ingredients: [{ name: "satay sauce" }] },
        "gen_recipe_1",
      ),
      '"Noodles"',
      "satay",
    ],
    [content("recipe", { name: "Cake", ingredients: ["flour", "peanuts"] }), '"Cake"', "peanut"],
    [content("recipe", { name: "Salad", instructions: "Top with peanuts." }), '"Salad"', "peanut"],
    [
      meal("2026-01-13", "lunch", { title: "Peanut soup" }),
      '"Peanut soup, Tue 13 Jan lunch"',
      "peanut",
    ],
  ])("%j is a breach before it is drafted or written", (item, dish, food) => {
    expect(judgeWrites([item], factsWith())).toEqual([peanuts(dish, food)]);
    expect(judgeDrafts([item], factsWith())).toEqual([peanuts(dish, food)]);
  });

  test("rows of the kitchen may name allergens, and tasks are no food", () => {
    const items = [
      content("inventory", { name: "peanuts" }),
      content("task", { title: "Give the peanuts away" }),
    ];

    expect(judgeWrites(items, factsWith())).toEqual([]);
  });

  test.each<[string, JsonObject, readonly string[]]>([
    ["Bacon roll", {}, ["Ben's diet: vegetarian"]],
    ["Vegetarian chili", {}, []],
    ["Bacon roll", { eaters: [{ member_id: "a" }] }, []],
    ["Omelette", {}, ["Tom's allergy: eggs"]],
    ["Omelette", { date: "2026-01-15" }, []],
    ["Omelette", { eaters: [{ member_id: "a" }, { member_id: "b" }] }, []],
    ["Omelette", { date: "2026-01-15", eaters: [{ member_id: "t" }] }, []],
  ])("only those who eat %j %j count: %j", (title, more, rules) => {
    const found = judgeWrites([meal("2026-01-13", "lunch", { title, ...more })], factsWith());

    expect(found.map(({ rule }) => rule)).toEqual(rules);
  });

  test("hard wishes count as allergies until their last day, soft ones do not", () => {
    const soup = meal("2026-01-18", "dinner", { title: "Prawn soup", eaters: ["a"] });
    const judgeWith = (more: Partial<Constraint>) =>
      judgeDrafts([soup], factsWith(wish("no shellfish", more)));

    const breach = { rule: "no shellfish", reason: '"Prawn soup, Sun 18 Jan dinner" has prawn' };
    expect(judgeWith({ kind: "hard" })).toEqual([breach]);
    expect(judgeWith({ kind: "hard", until: "2026-01-17" })).toEqual([]);
    expect(judgeWith({})).toEqual([]);
  });

  test("a value that the row already has is no news", () => {
    const before = { name: "peanuts", purchased: false };
    const bought = { ...content("shopping", { ...before, purchased: true }), before };
    const roll = { date: "2026-01-13", slot: "lunch", title: "Bacon roll" };
    const moved = {
      ...content("meal", { ...roll, date: "2026-01-14" }),
      before: roll,
      changed: ["date"],
    };

    expect(judgeWrites([{ ...bought, changed: ["purchased"] }, moved], factsWith())).toEqual([]);
  });

  test("an undo may bring back what was eaten on a day that is over, and nothing against a rule after it", () => {
    const satay = { title: "Satay with olives", eaters: ["a", "b"] };
    const past = meal("2026-01-07", "dinner", satay);
    const facts = factsWith(wish("leave wednesday dinner empty"));

    expect(judge("undo")([past], facts)).toEqual([]);
    expect(judgeWrites([past], facts).length).toBeGreaterThan(1);
    const coming = meal("2026-01-14", "dinner", satay);
    expect(judge("undo")([coming], facts)).toEqual(judgeWrites([coming], facts));
  });

  test("dislikes are warnings, one line a meal", () => {
    const pizza = meal("2026-01-13", "dinner", { title: "Pizza with olives and capers" });

    expect(judgeWrites([pizza], factsWith())).toEqual([
      {
        rule: renderMealsSentence("dislikesRule"),
        reason:
          '"Pizza with olives and capers, Tue 13 Jan dinner" has olive (Ben dislikes olives), caper (Ben dislikes capers)',
      },
    ]);
  });

  test("a forbidden food is named by the ingredient before a word of the title", () => {
    const stew = content("recipe", {
      name: "Fisherman's Stew",
      ingredients: [{ name: "potatoes" }, { name: "cod fillet" }],
    });
    const profile = {
      household_size: 1,
      members: [{ id: "f", name: "Finn", allergies: ["fish"] }],
    };

    expect(judgeWrites([stew], { ...factsWith(), profile }).map(({ reason }) => reason)).toEqual([
      '"Fisherman\'s Stew" has cod, which Finn must not eat',
    ]);
  });

  test("a disliked food is named as the dish lists it", () => {
    const salad = meal("2026-01-13", "dinner", { title: "Olive salad", notes: "olive oil" });
    const soup = meal("2026-01-13", "lunch", { notes: "olive oil" });

    expect(judgeWrites([salad, soup], factsWith()).map(({ reason }) => reason)).toEqual([
      '"Olive salad, Tue 13 Jan dinner" has olive (Ben dislikes olives)',
      '"Soup, Tue 13 Jan lunch" has olive oil (Ben dislikes olives)',
    ]);
  });

  test("content of any shape is looked at without a stumble", () => {
    const odd = content("recipe", { name: 3, ingredients: { a: [null] }, instructions: [] });

    expect(judgeDrafts([odd, content("meal", { eaters: 3 })], factsWith())).toEqual([]);
  });
});

describe("counts", () => {
  const days = ["2026-01-13", "2026-01-14", "2026-01-15", "2026-01-16"];
  const meals = days.flatMap((date) => [meal(date, "lunch"), meal(date, "dinner")]);
  const eight = wish("8 meals from tuesday to saturday", { count: 8 });

  test("as many meals as were asked for are no breach, two dishes of one dinner are one meal", () => {
    const side = meal("2026-01-13", "dinner", { title: "Salad" });

    expect(judgeDrafts([...meals, side], factsWith(eight))).toEqual([]);
  });

  test("fewer or more are", () => {
    const nine = [...meals, meal("2026-01-17", "lunch")];
    const reasons = [meals.slice(1), nine].map((drafts) =>
      judgeDrafts(drafts, factsWith(eight)).map(({ reason }) => reason),
    );

    expect(reasons).toEqual([
      [renderMealsSentence("wrongMealCount", { found: 7, wanted: 8 })],
      [renderMealsSentence("wrongMealCount", { found: 9, wanted: 8 })],
    ]);
  });

  test("recipes are counted where dishes were asked for", () => {
    const three = wish("three quick pasta dishes", { count: 3 });
    const drafts = ["Linguine", "Penne"].map((name) => content("recipe", { name }));

    expect(judgeDrafts(drafts, factsWith(three))).toEqual([
      {
        rule: three.text,
        reason: renderMealsSentence("wrongRecipeCount", { found: 2, wanted: 3 }),
      },
    ]);
  });

  test("a number of an earlier turn is not held against this one, nor against other drafts", () => {
    const later = { ...factsWith(eight), turn: 5 };
    const recipe = content("recipe", { name: "Soup" });

    expect(judgeDrafts([meal("2026-01-18", "dinner")], later)).toEqual([]);
    expect(judgeDrafts([recipe], factsWith(eight))).toEqual([]);
  });
});

describe("gaps", () => {
  test.each([
    [
      "leave wednesday dinner and friday lunch empty for takeout",
      ["wednesday dinner", "friday lunch"],
    ],
    ["no cooking on Thursday's dinner", ["thursday dinner"]],
    ["keep 2026-01-14 dinner free", ["2026-01-14 dinner"]],
    ["nothing for lunch on friday", ["friday lunch"]],
    ["wednesday dinner should be quick", []],
  ])("%j leaves %j empty", (text, gaps) => {
    expect(gapsIn(text).map(({ day, slot }) => `${day} ${slot}`)).toEqual(gaps);
  });

  const gap = wish("leave wednesday dinner empty", { until: "2026-01-18" });

  test("a meal in a gap is a breach for drafts and writes", () => {
    const breach = {
      rule: gap.text,
      reason: renderMealsSentence("slotToStayEmpty", {
        day: "Wed 14 Jan",
        slot: "dinner",
        meal: "Soup",
      }),
    };

    expect(judgeDrafts([meal("2026-01-14", "dinner")], factsWith(gap))).toEqual([breach]);
    expect(judgeWrites([meal("2026-01-14", "dinner")], factsWith(gap))).toEqual([breach]);
  });

  test("other meals, and the same weekday after the wish has ended, are none", () => {
    const meals = [
      meal("2026-01-14", "lunch"),
      meal("2026-01-15", "dinner"),
      meal("2026-01-21", "dinner"),
    ];

    expect(judgeDrafts(meals, factsWith(gap))).toEqual([]);
  });
});

function cook(date: string, slot: string, servings: number): Change {
  return meal(date, slot, { title: "Chili", recipe_id: "recipe_9", servings });
}

function leftovers(date: string, slot: string, servings = 2): Change {
  return meal(date, slot, { title: "Chili", recipe_id: "recipe_9", servings, leftovers: true });
}

const chiliLunch = (day: string) => ({ meal: "Chili", day, slot: "lunch" });

describe("leftovers", () => {
  const rule = renderMealsSentence("leftoversRule");

  test("four portions for two people make one meal of leftovers", () => {
    const meals = [leftovers("2026-01-15", "lunch"), cook("2026-01-14", "dinner", 4)];

    expect(judgeDrafts(meals, factsWith())).toEqual([]);
  });

  test.each([
    [
      "before the cook",
      [cook("2026-01-15", "dinner", 4), leftovers("2026-01-15", "lunch")],
      renderMealsSentence("leftoversTooEarly", chiliLunch("Thu 15 Jan")),
    ],
    [
      "more than is left",
      [cook("2026-01-13", "dinner", 3), leftovers("2026-01-14", "lunch")],
      renderMealsSentence("leftoversTooMany", { ...chiliLunch("Wed 14 Jan"), needed: 2, left: 1 }),
    ],
    [
      "eaten twice",
      [
        cook("2026-01-13", "dinner", 4),
        leftovers("2026-01-14", "lunch"),
        leftovers("2026-01-15", "lunch"),
      ],
      renderMealsSentence("leftoversTooMany", { ...chiliLunch("Thu 15 Jan"), needed: 2, left: 0 }),
    ],
  ])("%s is a breach", (_what, meals, reason) => {
    expect(judgeDrafts(meals, factsWith())).toEqual([{ rule: rule, reason }]);
  });

  test("leftovers of what was cooked earlier are taken at their word", () => {
    expect(judgeWrites([leftovers("2026-01-13", "lunch")], factsWith())).toEqual([]);
  });
});

test("a meal planned for a day that is over is a breach of a draft", () => {
  expect(judgeDrafts([meal("2026-01-11", "dinner")], factsWith())).toEqual([
    {
      rule: renderMealsSentence("dateRule"),
      reason: renderMealsSentence("mealInThePast", {
        meal: "Soup",
        date: "2026-01-11",
        today: "2026-01-12",
      }),
    },
  ]);
});
