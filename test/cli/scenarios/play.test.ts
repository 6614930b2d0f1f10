import { beforeAll, describe, expect, test } from "vitest";
import { checkTurn } from "../../../cli/scenarios/check.ts";
import { playTurns, type PlayedTurn } from "../../../cli/scenarios/play.ts";
import type { Expectation } from "../../../cli/scenarios/schema.ts";
import { findThen } from "../../../cli/scenarios/then.ts";
import { mealsDomain } from "../../../meals/index.ts";
import { testDatabase } from "../../support/database.ts";
import { scriptedModel } from "../../support/scripted-model.ts";
import { narrowingModels, NARROWING_WORDS } from "../../support/narrowing-script.ts";

const database = await testDatabase();
let turns: readonly PlayedTurn[] = [];

beforeAll(async () => {
  const stage = { database, domain: mealsDomain, models: narrowingModels() };
  turns = await playTurns(stage, { words: NARROWING_WORDS });
});

function playedTurn(number: number): PlayedTurn {
  const turn = turns[number - 1];
  if (turn === undefined) throw new Error(`Cannot look at turn ${number}: it was not played`);
  return turn;
}

/** What is wrong with a turn, held against one expectation. */
function problemsOf(number: number, expected: Expectation): readonly string[] {
  return checkTurn(playedTurn(number), expected).flatMap(({ expectation, problem }) =>
    problem === null ? [] : [`${expectation}: ${problem}`],
  );
}

function namesOf(turn: PlayedTurn | undefined) {
  return turn?.before["recipes"]?.map(({ values }) => values["name"]);
}

function idsOf(turn: PlayedTurn | undefined): readonly string[] {
  return turn?.before["recipes"]?.map(({ id }) => id) ?? [];
}

const REMAINING = ["recipe_3", "recipe_4", "recipe_8", "recipe_9"];

describe("checkTurn()", () => {
  test.each<[number, Expectation]>([
    [1, { lane: "task", reads: { recipes: 1, inventory: 1 }, asks: false, quick: false }],
    [1, { effects: {}, suppressed: 0, says: ["CURRY"], never: ["welcome"] }],
    [2, { demoted: ["recipe_7", "recipe_1", "recipe_2"], reads: {} }],
    [3, { demoted: ["recipe_5", "recipe_6"], viable: REMAINING.toReversed() }],
    [
      3,
      { prompt: { think: "**Remaining viable options:** recipe_3, recipe_4, recipe_8, recipe_9" } },
    ],
    [4, { quick: true, reads: { inventory: 1 } }],
    [5, { reads: {}, suppressed: 1 }],
  ])("finds nothing wrong with turn %i and %o", (number, expected) => {
    expect(problemsOf(number, expected)).toEqual([]);
  });

  test.each<[number, Expectation, string]>([
    [1, { lane: "concierge" }, 'lane: expected "concierge", found "task"'],
    [1, { quick: true }, "quick: expected true, found false"],
    [1, { asks: true }, "asks: expected true, found false"],
    [1, { reads: {} }, 'reads: expected {}, found {"inventory":1,"recipes":1}'],
    [1, { suppressed: 1 }, "suppressed: expected at least 1, found 0"],
    [
      1,
      { effects: { tasks: { deleted: "all" } } },
      "effects: tasks deleted: expected all 3, found 0",
    ],
    [
      1,
      { effects: { recipes: { created: "some" } } },
      "effects: recipes created: expected some, found 0",
    ],
    [1, { effects: { recipes: { created: 2 } } }, "effects: recipes created: expected 2, found 0"],
    [1, { effects: { fish: {} } }, 'effects: there is no table "fish"'],
    [
      2,
      { demoted: ["recipe_1"] },
      'demoted: expected ["recipe_1"], found ["recipe_1","recipe_2","recipe_7"]',
    ],
    [
      3,
      { viable: ["recipe_3"] },
      `viable: expected ["recipe_3"], found ${JSON.stringify(REMAINING)}`,
    ],
    [2, { says: ["cod"] }, 'says: the reply does not say "cod": Six dishes are left.'],
    [2, { never: ["SIX"] }, 'never: the reply says "SIX": Six dishes are left.'],
    [
      2,
      { prompt: { think: "no such text" } },
      'prompt: no prompt of "think" contains "no such text"',
    ],
    [4, { prompt: { think: "x" } }, 'prompt: "think" was shown no prompt; understand, act were'],
    [1, { phase: "explorer" }, 'phase: expected "explorer", found "starter"'],
  ])("says what is wrong with turn %i and %o", (number, expected, problem) => {
    expect(problemsOf(number, expected)).toEqual([problem]);
  });

  test("finds a turn that failed", async () => {
    const reply = scriptedModel(new TypeError("Cannot speak: broken"));
    const models = { ...narrowingModels(), reply };

    const [turn] = await playTurns(
      { database, domain: mealsDomain, models },
      { words: NARROWING_WORDS.slice(0, 1) },
    );

    expect(turn === undefined ? [] : checkTurn(turn, {})).toEqual([
      {
        expectation: "ends",
        problem: 'the turn failed with "internal": Cannot speak: broken',
      },
    ]);
  });
});

test("playTurns() gives every play a kitchen of its own", async () => {
  const stage = { database, domain: mealsDomain, models: narrowingModels() };

  const [again] = await playTurns(stage, { words: NARROWING_WORDS.slice(0, 1) });

  expect(namesOf(again)).toEqual(namesOf(turns[0]));
  expect(idsOf(again).filter((id) => idsOf(turns[0]).includes(id))).toEqual([]);
});

describe("the sentences of narrowing", () => {
  test.each([
    [
      2,
      "the three dishes with cod are excluded because of their facts in the registry table, one of them has no cod in its name",
    ],
    [
      3,
      "the reply acknowledges the exclusion, names exactly the four remaining dishes and offers a next step",
    ],
  ])("hold in turn %i", (number, text) => {
    const then = findThen({ scenario: "narrowing", turn: number - 1, text });
    const problems = then?.problems({ turn: playedTurn(number), index: number - 1, turns });
    expect(problems).toEqual([]);
  });

  test("do not hold in other turns", () => {
    const [second, third] = [
      "the three dishes with cod are excluded because of their facts in the registry table, one of them has no cod in its name",
      "the reply acknowledges the exclusion, names exactly the four remaining dishes and offers a next step",
    ].map((text, index) => findThen({ scenario: "narrowing", turn: index + 1, text }));
    const facts = { turn: playedTurn(1), index: 0, turns };

    expect(second?.problems(facts)).toEqual([
      "not all of recipe_1, recipe_2, recipe_7 are excluded",
      "Understand was not shown the cod of each of them",
    ]);
    expect(third?.problems(facts)).toEqual([
      "the reply says nothing of the exclusion",
      expect.stringContaining("the reply names"),
      "the reply offers no next step",
    ]);
  });

  test("are not found for another text, turn or scenario", () => {
    expect(findThen({ scenario: "narrowing", turn: 1, text: "something else" })).toBeNull();
  });
});
