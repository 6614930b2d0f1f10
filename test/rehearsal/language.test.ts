import { fc, test as lawTest } from "@fast-check/vitest";
import { describe, expect, test } from "vitest";
import { datesIn, endIn, spanIn } from "../../models/rehearsal/language/calendar.ts";
import { createSpeller } from "../../models/rehearsal/language/spelling.ts";
import { plainText } from "../../models/rehearsal/language/words.ts";

const MONDAY = { today: "2026-01-12" };

describe("createSpeller()", () => {
  const spell = createSpeller({
    likely: ["wings", "shopping", "chickpeas", "freezer", "tasks"],
    common: ["the", "and", "not", "wine", "talks", "takes", "week", "save", "stop"],
  });

  test.each([
    ["wigns", "wings"],
    ["wngs", "wings"],
    ["shoping", "shopping"],
    ["chikpeas", "chickpeas"],
    ["freezr", "freezer"],
    ["taks", "tasks"],
    ["nto", "not"],
    ["adn", "and"],
    ["wek", "week"],
    ["svae", "save"],
  ])("mends %s to %s", (slip, word) => {
    expect(spell(slip)).toBe(word);
  });

  test.each(["wine", "wing", "sake", "stopped", "saves", "Zucchini", "recipe_3", "12", "xq"])(
    "leaves %s as it is",
    (word) => {
      expect(spell(word)).toBe(word);
    },
  );

  lawTest.prop([fc.string()])("gives back a word for every word", (word) => {
    expect(spell(spell(word))).toBe(spell(word));
  });
});

describe("plainText()", () => {
  test.each([
    ["Don't!", "do not ."],
    ["lets not", "let us not"],
    ["I’d rather you didn’t", "i would rather you did not"],
    ["a dozen eggs & two cans", "12 eggs and 2 cans"],
    ["tue-sat, #1 + nr. 3", "tuesday to saturday , number 1 and number 3"],
    ["1.5 l, half an hour", "1.5 l , 30 minutes"],
    ["the missing one", "the missing one"],
  ])("writes %s out as %s", (text, written) => {
    expect(plainText(text, (word) => word).trim()).toBe(written);
  });
});

describe("datesIn()", () => {
  test.each([
    ["dinner tomorrow and wednesday", ["2026-01-13", "2026-01-14"]],
    ["on monday", ["2026-01-19"]],
    ["today", ["2026-01-12"]],
    ["from tuesday to friday", ["2026-01-13", "2026-01-14", "2026-01-15", "2026-01-16"]],
    ["between friday and sunday", ["2026-01-16", "2026-01-17", "2026-01-18"]],
    ["at the weekend", ["2026-01-17", "2026-01-18"]],
    ["the next 3 days", ["2026-01-13", "2026-01-14", "2026-01-15"]],
    ["on 2026-02-01", ["2026-02-01"]],
    ["some time", []],
  ])("reads %s", (text, dates) => {
    expect(datesIn(text, MONDAY)).toEqual(dates);
  });

  test("knows no day without a calendar", () => {
    expect(datesIn("dinner tomorrow and wednesday", null)).toEqual([]);
  });
});

test("spanIn() reads this week from today on, and the whole of the next", () => {
  expect(spanIn("this week", { today: "2026-01-16" })).toEqual([
    "2026-01-16",
    "2026-01-17",
    "2026-01-18",
  ]);
  expect(spanIn("next week", MONDAY)?.at(0)).toBe("2026-01-19");
  expect(spanIn("next week", MONDAY)?.length).toBe(7);
});

test("endIn() is the last day something holds", () => {
  expect(endIn("no cod this week", MONDAY)).toBe("2026-01-18");
  expect(endIn("no cod until friday", MONDAY)).toBe("2026-01-16");
  expect(endIn("no cod", MONDAY)).toBeNull();
});
