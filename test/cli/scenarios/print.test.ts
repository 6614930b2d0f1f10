import { expect, test } from "vitest";
import type { PlayReport } from "../../../cli/scenarios/judge.ts";
import { isWhole, paintFor, renderPlay, renderSummary } from "../../../cli/scenarios/print.ts";

const whole: PlayReport = {
  scenario: "narrowing",
  reports: [
    { said: "hello", findings: [{ expectation: "ends", problem: null }] },
    { said: "bye", findings: [{ expectation: "ends", problem: null }] },
  ],
  turns: [],
};
const broken: PlayReport = {
  scenario: "quick-look",
  reports: [
    {
      said: "what's in my fridge?",
      findings: [
        { expectation: "ends", problem: null },
        { expectation: "quick", problem: "expected true, found false" },
      ],
    },
  ],
  turns: [],
};
const plain = paintFor(false);

test("renderPlay() gives each turn a cell", () => {
  expect(renderPlay(whole, { wording: null, paint: plain })).toBe(
    "narrowing               as written  1/1  1/1",
  );
});

test("renderPlay() says below what does not hold", () => {
  expect(renderPlay(broken, { wording: 2, paint: plain })).toBe(
    [
      "quick-look              wording 2   1/2",
      `    turn 1 "what's in my fridge?"`,
      "      quick: expected true, found false",
    ].join("\n"),
  );
});

test("renderSummary() counts expectations and plays", () => {
  expect(renderSummary([whole, broken], plain)).toBe(
    "3 of 4 expectations hold; 1 of 2 plays hold whole",
  );
  expect([whole, broken].map(isWhole)).toEqual([true, false]);
});

test("paintFor() colours only where it may", () => {
  expect([paintFor(true)("red", "no"), plain("red", "no")]).toEqual([
    "\u001B[31mno\u001B[39m",
    "no",
  ]);
});
