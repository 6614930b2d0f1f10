import { amountWords } from "../../meals/amount-words.ts";
import { test as lawTest, fc } from "@fast-check/vitest";
import { convert } from "convert";
import { Fraction } from "fraction.js";
import { describe, expect, test } from "vitest";
import {
  addAmounts,
  convertAmount,
  exactNumber,
  readAmount,
  roundForPeople,
  subtractAmount,
  weighVolume,
  type Amount,
} from "../../meals/amounts.ts";
import { readUnit } from "../../meals/units.ts";

const VOLUMES = ["ml", "cl", "dl", "l", "tsp", "tbsp", "fl oz", "cup", "pint", "quart", "gallon"];
const WEIGHTS = ["mg", "g", "kg", "oz", "lb"];

const anyValue = fc
  .tuple(fc.integer({ min: 0, max: 100_000 }), fc.integer({ min: 1, max: 96 }))
  .map(([numerator, denominator]) => new Fraction(numerator, denominator));

function amountIn(units: readonly string[]): fc.Arbitrary<Amount> {
  return fc.record({
    value: anyValue,
    unit: fc.constantFrom(...units.map((name) => readUnit(name))),
  });
}

const amountPair = fc
  .constantFrom(VOLUMES, WEIGHTS)
  .chain((units) => fc.tuple(amountIn(units), amountIn(units), amountIn(units)));

function toBase({ value, unit }: Amount): string {
  return value.mul(unit.factor).toFraction();
}

describe("units", () => {
  test.each(VOLUMES)("%s is as large as the library says", (name) => {
    expect(readUnit(name).factor.valueOf()).toBeCloseTo(convert(1, name as "l").to("ml"), 6);
  });

  test.each(WEIGHTS)("%s is as heavy as the library says", (name) => {
    expect(readUnit(name).factor.valueOf()).toBeCloseTo(convert(1, name as "kg").to("g"), 9);
  });

  test("three teaspoons are one tablespoon, exactly", () => {
    const amount = { value: new Fraction(3), unit: readUnit("tsp") };

    expect(convertAmount(amount, readUnit("tbsp")).value.toFraction()).toBe("1");
  });

  test.each([
    ["Tablespoons", "tbsp"],
    ["TEASPOON", "tsp"],
    ["lbs", "lb"],
    ["Tins", "can"],
    ["large", null],
    ["pieces", null],
    ["", null],
    ["fl. oz.", "fl oz"],
    ["slices", "slice"],
  ])("%j is read as %j", (text, name) => {
    expect(readUnit(text).name).toBe(name);
  });

  test("things that are counted have a dimension of their own", () => {
    const [slices, cloves] = [readUnit("slices"), readUnit("cloves")].map((unit) => unit.dimension);

    expect(slices).not.toBe(cloves);
    expect(() =>
      convertAmount({ value: new Fraction(1), unit: readUnit("can") }, readUnit("g")),
    ).toThrow(RangeError);
  });

  test("volume and weight do not add up", () => {
    const [cup, gram] = ["cup", "g"].map((name) => ({
      value: new Fraction(1),
      unit: readUnit(name),
    }));

    expect(() => addAmounts(cup as Amount, gram as Amount)).toThrow(RangeError);
  });
});

describe("amounts", () => {
  lawTest.prop([amountPair])("a conversion and its way back change nothing", ([amount, other]) => {
    const back = convertAmount(convertAmount(amount, other.unit), amount.unit);

    expect(back.value.toFraction()).toBe(amount.value.toFraction());
  });

  lawTest.prop([amountPair])("sums do not depend on order or grouping", ([one, two, three]) => {
    const left = addAmounts(addAmounts(one, two), three);
    const right = addAmounts(one, addAmounts(two, three));

    expect(toBase(left)).toBe(toBase(right));
    expect(toBase(addAmounts(one, two))).toBe(toBase(addAmounts(two, one)));
  });

  lawTest.prop([amountPair])(
    "what is taken away and left makes the whole, unless too much is taken",
    ([amount, taken]) => {
      const left = subtractAmount(amount, taken);
      const isEnough =
        amount.value.mul(amount.unit.factor).compare(taken.value.mul(taken.unit.factor)) >= 0;

      expect(isEnough ? toBase(addAmounts(left, taken)) : toBase(left)).toBe(
        isEnough ? toBase(amount) : "0",
      );
    },
  );

  lawTest.prop([amountPair])(
    "rounding for people never gives less, and little more",
    ([amount]) => {
      const rounded = readAmount(roundForPeople(amount));
      const [before, after] = [amount, rounded ?? amount].map((one) =>
        one.value.mul(one.unit.factor),
      );

      expect(after?.compare(before ?? 0)).toBeGreaterThanOrEqual(0);
      expect(after?.sub(before ?? 0).valueOf()).toBeLessThanOrEqual(
        amount.unit.factor.valueOf() < 1 ? 10 : Math.max(10, amount.unit.factor.valueOf() / 4),
      );
    },
  );

  test.each([
    [1 / 3, "1/3"],
    [2 / 3, "2/3"],
    [0.1, "1/10"],
    [1.5, "3/2"],
    [0.125, "1/8"],
    [83.1, "831/10"],
    [250, "250"],
  ])("%d is exactly %s", (number, fraction) => {
    expect(exactNumber(number).toFraction()).toBe(fraction);
  });

  test.each([
    [[85.2, "g"], { quantity: 86, unit: "g" }],
    [[1223.2, "g"], { quantity: 1.23, unit: "kg" }],
    [[1000, "ml"], { quantity: 1, unit: "l" }],
    [[0.6, null], { quantity: 1, unit: null }],
    [[1.2, "can"], { quantity: 2, unit: "cans" }],
    [[1.1, "tbsp"], { quantity: 1.25, unit: "tbsp" }],
    [[0.3, "cups"], { quantity: 0.5, unit: "cup" }],
  ] as const)("%j is bought as %j", ([quantity, unit], stored) => {
    const amount = readAmount({ quantity, unit });

    expect(amount === null ? null : roundForPeople(amount)).toEqual(stored);
  });

  test("a cup of rice weighs what its density says", () => {
    const cup = { value: new Fraction(1), unit: readUnit("cup") };

    expect(weighVolume(cup, 0.8).value.valueOf()).toBeCloseTo(189.2705892, 9);
  });
});

test.each([
  [0.1 + 0.2, "0.3"],
  [1e-9, "1e-9"],
  [1e308, "1e+308"],
  [0, "0"],
])("amountWords() shows no other number than %s", (quantity, words) => {
  expect(amountWords(quantity, null)).toBe(words);
});
