import { fc, test } from "@fast-check/vitest";
import { expect } from "vitest";
import { largest, mean, median, quantile, ratio, sum, tally } from "../../../dev/bench/figures.ts";

test("median() is the value in the middle, the later of two, and refuses none", () => {
  expect(median([3, 1, 2])).toBe(2);
  expect(median([4, 1, 3, 2])).toBe(3);
  expect(() => median([])).toThrow("Cannot take the median of no values");
});

test.prop([fc.array(fc.integer(), { minLength: 1 }), fc.double({ min: 0, max: 1, noNaN: true })])(
  "quantile() is one of the values, with its share of them below it",
  (values, share) => {
    const found = quantile(values, share) ?? Number.NaN;

    expect(values).toContain(found);
    expect(values.filter((value) => value < found).length).toBeLessThanOrEqual(
      share * values.length,
    );
  },
);

test("figures of nothing are null, and their sum is 0", () => {
  expect([quantile([], 0.5), largest([]), mean([]), ratio(1, 0), ratio(null, 2)]).toEqual([
    null,
    null,
    null,
    null,
    null,
  ]);
  expect(sum([])).toBe(0);
});

test("sum(), mean(), largest() and ratio() are what they say", () => {
  expect([sum([1, 2, 6]), mean([1, 2, 6]), largest([1, 6, 2]), ratio(2, 3)]).toEqual([
    9, 3, 6, 0.67,
  ]);
});

test("tally() counts, most often first", () => {
  expect(tally(["a", "b", "c", "b"])).toEqual([
    ["b", 2],
    ["a", 1],
    ["c", 1],
  ]);
});
