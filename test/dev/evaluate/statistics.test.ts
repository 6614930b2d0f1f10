import { fc, test as property } from "@fast-check/vitest";
import { expect, test } from "vitest";
import { computeMcNemar, computeWilson, findPercentile } from "../../../dev/evaluate/statistics.ts";

test.each([
  // Newcombe (1998), table I, method 3.
  [81, 263, 0.2553, 0.3662],
  [15, 148, 0.0624, 0.1605],
  [0, 20, 0, 0.1611],
  [1, 29, 0.0061, 0.1718],
])("computeWilson(%i, %i) is the published interval", (right, total, low, high) => {
  const share = computeWilson(right, total);

  expect(share.low).toBeCloseTo(low, 4);
  expect(share.high).toBeCloseTo(high, 4);
});

test("computeWilson() knows nothing of no items", () => {
  expect(computeWilson(0, 0)).toEqual({ right: 0, total: 0, low: 0, high: 1 });
});

property.prop([fc.nat({ max: 500 }), fc.nat({ max: 500 })])(
  "computeWilson() holds the share, and mirrors the interval of the rest",
  (right, wrong) => {
    const { low, high, total } = computeWilson(right, right + wrong);
    const rest = computeWilson(wrong, right + wrong);
    const share = total === 0 ? 0 : right / total;

    expect(0 <= low && low <= share && share <= high && high <= 1).toBe(true);
    expect(rest.low).toBeCloseTo(1 - high, 9);
    expect(rest.high).toBeCloseTo(1 - low, 9);
  },
);

test.each([
  [0, 0, 1],
  [1, 1, 1],
  // 2 × (1 + 10) / 2^10
  [1, 9, 0.021_484_375],
  [0, 6, 0.031_25],
  [0, 5, 0.0625],
  // 2 × (1 + 12 + 66) / 2^12
  [10, 2, 0.038_574_218_75],
])("computeMcNemar() of %i better and %i worse is %d", (better, worse, chance) => {
  expect(computeMcNemar({ better, worse })).toBeCloseTo(chance, 12);
});

property.prop([fc.nat({ max: 2_000 }), fc.nat({ max: 2_000 })])(
  "computeMcNemar() is a probability, and the same both ways",
  (better, worse) => {
    const chance = computeMcNemar({ better, worse });

    expect(chance).toBe(computeMcNemar({ better: worse, worse: better }));
    expect(0 <= chance && chance <= 1).toBe(true);
  },
);

test.each([
  [[], 0.5, null],
  [[3], 0.95, 3],
  [[4, 1, 3, 2], 0.5, 2],
  [Array.from({ length: 100 }, (_, index) => index + 1), 0.95, 95],
])("findPercentile() takes a value that is there: case %#", (values, share, expected) => {
  expect(findPercentile(values, share)).toBe(expected);
});
