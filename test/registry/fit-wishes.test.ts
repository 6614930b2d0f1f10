import { describe, expect, test } from "vitest";
import { checkWishes, fitWishes } from "../../registry/fit-wishes.ts";
import type { Constraint } from "../../state/constraint.ts";
import type { UnderstandAnswer } from "../../state/understanding.ts";

type Stated = UnderstandAnswer["constraints"][number];

const HOLDING = {
  constraints: ["never coriander", "no lamb", "little salt; 8 meals"].map(hold),
  today: "2026-01-12",
};

function hold(text: string): Constraint {
  return { text, kind: "hard", count: null, until: null, scope: "person", turn: 1 };
}

function state(changes: Partial<Stated>): Stated {
  const plain = { text: "coriander is fine", kind: "hard", count: null, scope: "person" } as const;
  return { ...plain, until: null, replaces: null, ...changes };
}

describe("checkWishes()", () => {
  test.each<[string, Partial<Stated>]>([
    ["nothing beside the text", {}],
    ["the words of a wish", { replaces: "Never coriander." }],
    ["the words of one of those that share a line", { replaces: "8 meals" }],
    ["the words of the same answer", { replaces: "coriander is fine" }],
    ["a day to come in any spelling", { until: "27.11.2026" }],
    ["a day that is past, for a wish that holds", { text: "no lamb", until: "2026-01-11" }],
    ["a day that is past, for the one that its words mean", { text: "lamb", until: "2026-01-11" }],
  ])("accepts %s", (_, changes) => {
    expect(checkWishes([state(changes)], HOLDING)).toEqual([]);
  });

  test("sends back words that no wish has, with those that there are", () => {
    expect(checkWishes([state({}), state({ replaces: "I never eat coriander" })], HOLDING)).toEqual(
      [
        'constraints.1.replaces: "I never eat coriander" is no wish that holds; copy the words of one: "never coriander", "no lamb", "little salt", "8 meals"',
      ],
    );
    expect(checkWishes([state({ replaces: "x" })], { ...HOLDING, constraints: [] })).toEqual([
      'constraints.0.replaces: "x" is no wish that holds; there is none: leave it null',
    ]);
  });

  test.each(["Freitag", "5/6/2026", "2026-01-11"])("sends back the end %s", (until) => {
    expect(checkWishes([state({ text: "no pork", until })], HOLDING)).toEqual([
      `constraints.0.until: "${until}" is no day to come as YYYY-MM-DD`,
    ]);
  });
});

describe("fitWishes()", () => {
  const ANSWER = { ...HOLDING, message: null };

  test.each([
    ["I never eat coriander", "never coriander"],
    ["my coriander rule", "never coriander"],
    ["the lamb thing", "no lamb"],
    ["eating lamb", "no lamb"],
    ["never pork", null],
    ["coriander and lamb", null],
    ["salt", "little salt"],
  ])("finds the one wish that %j can only mean", (replaces, found) => {
    const { updates, doubts } = fitWishes([state({ replaces })], ANSWER);
    expect(updates).toEqual([state({ replaces: found })]);
    expect(doubts).toEqual(found === null ? [{ kind: "unknown", wish: replaces }] : []);
  });

  test("makes a day of an end, and of one that cannot be read a wish that holds", () => {
    const given = [state({ until: "Friday" }), state({ text: "no pork", until: "Freitag" })];
    expect(fitWishes(given, ANSWER)).toEqual({
      updates: [state({ until: "2026-01-16" }), state({ text: "no pork" })],
      doubts: [{ kind: "end", wish: "no pork", until: "Freitag" }],
    });
  });

  test("forgets a wish that is over, whatever its words; one that nobody knew holds", () => {
    const over = { until: "2026-01-11" };
    const given = [state({ text: "eat no lamb", ...over }), state({ text: "no pork", ...over })];
    expect(fitWishes(given, ANSWER)).toEqual({
      updates: [state({ text: "", replaces: "no lamb" }), state({ text: "no pork" })],
      doubts: [{ kind: "end", wish: "no pork", until: "2026-01-11" }],
    });
  });

  const FORGET = state({ text: "", replaces: "no lamb" });
  const REPLACE = state({ text: "anything goes", replaces: "no lamb" });
  const LEAVE = state({ text: "anything goes" });
  const PAST = state({ text: "no lamb", until: "2026-01-11" });

  test.each([
    ["is not forgotten", FORGET, [state({ text: "" })]],
    ["is not replaced", REPLACE, [LEAVE]],
    ["does not end", PAST, []],
    ["is given no end", state({ text: "no lamb", until: "2026-03-01" }), []],
  ])("a rule that the message does not speak of %s", (_, given, updates) => {
    expect(fitWishes([given], { ...HOLDING, message: "nice" })).toEqual({
      updates,
      doubts: [{ kind: "kept", wish: "no lamb" }],
    });
  });

  test.each([
    ["lambs are fine by now", HOLDING.constraints],
    ["nice", HOLDING.constraints.map((one) => ({ ...one, kind: "soft" as const }))],
  ])("a wish is replaced by %j where it is soft, or spoken of", (message, constraints) => {
    expect(fitWishes([REPLACE], { ...HOLDING, constraints, message })).toEqual({
      updates: [REPLACE],
      doubts: [],
    });
  });
});
