import { fc, test } from "@fast-check/vitest";
import { expect } from "vitest";
import { computeCost, findPrice, KNOWN_PRICES, type Price } from "../../models/prices.ts";

const OWN: readonly Price[] = [
  { model: "gpt-4.1-mini", input: 9, cached: 9, output: 9 },
  { model: "qwen*", input: 1, cached: 1, output: 1 },
  { model: "qwen3:*", input: 2, cached: 2, output: 2 },
];

test.each([
  ["gpt-4.1-mini", "gpt-4.1-mini"],
  ["GPT-4.1-Mini", "gpt-4.1-mini"],
  ["gpt-4.1-mini-2025-04-14", "gpt-4.1-mini"],
  ["openai/gpt-4.1-mini", "gpt-4.1-mini"],
  ["claude-haiku-4-5-20251001", "claude-haiku-4-5*"],
  ["gpt-4.1-mini-turbo", null],
  ["my-gpt-4.1", null],
  ["gpt-4x1", null],
])("findPrice() finds the known price of %s", (model, expected) => {
  expect(findPrice({ model, local: false }, [])?.model ?? null).toBe(expected);
});

test("findPrice() prefers a person's own price, the longest name first", () => {
  const found = ["gpt-4.1-mini", "qwen2", "qwen3:4b", "gpt-4.1"].map((model) =>
    findPrice({ model, local: false }, OWN),
  );

  expect(found.map((price) => price?.input)).toEqual([9, 1, 2, 2]);
});

test("findPrice() takes nothing for a model on this machine, unless a person's list has it", () => {
  expect(findPrice({ model: "gpt-4.1", local: true }, [])).toEqual({
    model: "gpt-4.1",
    input: 0,
    cached: 0,
    output: 0,
  });
  expect(findPrice({ model: "qwen3:4b", local: true }, OWN)?.input).toBe(2);
});

test("KNOWN_PRICES has each model once, and no cached token dearer than a fresh one", () => {
  const { prices } = KNOWN_PRICES;

  expect(new Set(prices.map(({ model }) => model)).size).toBe(prices.length);
  expect(prices.filter(({ cached, input, output }) => cached > input || input > output)).toEqual(
    [],
  );
});

const tokens = fc.nat({ max: 2_000_000 });
const usage = fc
  .record({ input: tokens, output: tokens, part: fc.double({ min: 0, max: 1, noNaN: true }) })
  .map(({ input, output, part }) => ({ input, output, cached: Math.floor(input * part) }));

test.prop([fc.constantFrom(...KNOWN_PRICES.prices), usage])(
  "computeCost() is a whole number of micros, at most one more than the exact price",
  (price, used) => {
    const exact =
      (used.input - used.cached) * price.input +
      used.cached * price.cached +
      used.output * price.output;

    const cost = computeCost(used, price);

    expect(Number.isInteger(cost)).toBe(true);
    expect(cost).toBeGreaterThanOrEqual(exact - 1e-6);
    expect(cost).toBeLessThan(exact + 1);
  },
);
