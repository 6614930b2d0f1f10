import { fc, test } from "@fast-check/vitest";
import { describe, expect } from "vitest";
import { findNamedJourneys, selectShownJourneys } from "../../summaries/find-journey.ts";
import { activeLine, journeyLine } from "../support/journey-lines.ts";

const LINES = [
  activeLine(9, { title: "Find a flat in Lyon" }),
  journeyLine(1, { title: "Sleep better", lastTurn: 8 }),
  journeyLine(3, { title: "Sleep better in summer" }),
  journeyLine(4, { title: "How do I ask my boss for a raise?" }),
  journeyLine(5, { title: "改善睡眠" }),
  journeyLine(6, { title: "Move house", lastTurn: 0 }),
  journeyLine(7, { title: "Move horse", lastTurn: 0 }),
];

/** Returns the numbers of the journeys that a name means. */
function find(name: string): readonly number[] {
  const found = findNamedJourneys(name, { shown: selectShownJourneys(LINES), all: LINES });
  if (found.kind === "none") return [];
  const journeys = found.kind === "one" ? [found.journey] : found.journeys;
  return journeys.map(({ openedTurn }) => openedTurn);
}

describe("findNamedJourneys()", () => {
  test.each<[string, readonly number[]]>([
    ["journey_5", [5]],
    // Not shown by its id.
    ["journey_4", []],
    ["sleep better", [1]],
    ["“SLEEP  better!”", [1]],
    ["summer sleep", [3]],
    ["sleep", [1, 3]],
    ["the flat in Lyon", [9]],
    ["the raise thing", [4]],
    ["that sleep thing", [1, 3]],
    ["my thing with the tent", []],
    ["flat in Lyon", [9]],
    ["the question how do I ask my boss for a raise", [4]],
    ["raise", [4]],
    ["睡眠", [5]],
    ["Sleap beter", [1, 3]],
    ["boss, rais", [4]],
    ["mve houses", [6]],
    ["tennis", []],
    ["", []],
    ["…", []],
  ])("%j means %j", (name, numbers) => {
    expect(find(name)).toEqual(numbers);
  });

  const title = fc.string({ unit: "grapheme", minLength: 1, maxLength: 60 });

  test.prop([fc.array(title, { maxLength: 5 }), title])(
    "takes any titles and names, and returns journeys that are there",
    (titles, name) => {
      const all = titles.map((each, index) => journeyLine(index, { title: each }));
      const found = findNamedJourneys(name, { shown: [], all });
      const journeys =
        found.kind === "one" ? [found.journey] : found.kind === "none" ? [] : found.journeys;
      expect(journeys.filter((journey) => !all.includes(journey))).toEqual([]);
      expect(found.kind === "several").toBe(journeys.length > 1);
    },
  );
});

test("selectShownJourneys() selects the newest two that are not active", () => {
  expect(selectShownJourneys(LINES).map(({ openedTurn }) => openedTurn)).toEqual([1, 5]);
  expect(selectShownJourneys([activeLine(1)])).toEqual([]);
});
