import { describe, expect, test } from "vitest";
import {
  formatAmount,
  formatMoney,
  formatSpent,
  measureUse,
  multiplyAmount,
  sumCalls,
} from "../../state/budget.ts";

const USAGE = { input: 900, cached: 400, output: 100 };

test("sumCalls() counts input and output, and a call without a price as tokens alone", () => {
  expect(
    sumCalls([
      { node: "think", usage: USAGE, costMicros: 7 },
      { node: "act", usage: USAGE, costMicros: null },
      { node: "reply", usage: USAGE },
    ]),
  ).toEqual({ tokens: 3_000, micros: 7 });
});

test("measureUse() is the used part in the unit of the amount", () => {
  const spent = { tokens: 45_000, micros: 500_000 };

  expect(measureUse(spent, { tokens: 60_000 })).toBe(0.75);
  expect(measureUse(spent, { micros: 250_000 })).toBe(2);
  expect(measureUse(spent, null)).toBe(0);
});

test("multiplyAmount() keeps the unit", () => {
  expect(multiplyAmount({ tokens: 5 }, 3)).toEqual({ tokens: 15 });
  expect(multiplyAmount({ micros: 5 }, 2)).toEqual({ micros: 10 });
});

describe("amounts", () => {
  test.each([
    [0, "$0.00"],
    [1, "< $0.0001"],
    [420, "$0.0004"],
    [9_999, "$0.0100"],
    [10_000, "$0.01"],
    [1_034_000, "$1.03"],
  ])("formatMoney(%i) is %s", (micros, text) => {
    expect(formatMoney(micros)).toBe(text);
  });

  test("formatSpent() and formatAmount() use the unit of the budget", () => {
    const spent = { tokens: 61_200, micros: 1_034_000 };

    expect(formatSpent(spent, { tokens: 60_000 })).toBe("61,200 tokens");
    expect(formatSpent(spent, { micros: 1_000_000 })).toBe("$1.03");
    expect(formatAmount({ tokens: 60_000 })).toBe("60,000 tokens");
    expect(formatAmount({ micros: 1_000_000 })).toBe("$1.00");
  });
});
