import { expect, test } from "vitest";
import { holdsFact, rowLines } from "../../../dev/bench/conversation/find-fact.ts";
import {
  FACT_KINDS,
  NEVER_SAID,
  PLANTED_FACTS,
  PLANTING,
} from "../../../dev/bench/conversation/planted-facts.ts";

test("fifty facts are planted, of every kind", () => {
  expect(PLANTED_FACTS).toHaveLength(50);
  expect(new Set(PLANTED_FACTS.map(({ kind }) => kind))).toEqual(new Set(FACT_KINDS));
});

test("a message that says its fact holds it, and holds no fact that was never said", () => {
  const told = PLANTING.flatMap(({ say, facts }) =>
    facts
      .filter(({ kind }) => kind === "an exclusion" || kind === "a number that was asked for")
      .map((fact) => holdsFact(say, fact)),
  );

  expect(told).toEqual(Array.from({ length: 20 }, () => true));
  expect(PLANTING.flatMap(({ say }) => NEVER_SAID.filter((fact) => holdsFact(say, fact)))).toEqual(
    [],
  );
});

test("holdsFact() wants all of a fact in one line", () => {
  const fact = { holds: [/avocados/iu, /\b3\b/u] };

  expect(holdsFact("- Avocados (3)", fact)).toBe(true);
  expect(holdsFact("- Avocados (13)", fact)).toBe(false);
  expect(holdsFact("- Limes (3)", fact)).toBe(false);
});

test("rowLines() names what rows point at", () => {
  const recipe = "00000000-0000-4000-8000-000000000001";

  expect(
    rowLines({
      recipes: [{ id: recipe, rowVersion: 1, values: { name: "Goulash" } }],
      meal_plans: [
        {
          id: "00000000-0000-4000-8000-000000000002",
          rowVersion: 1,
          values: { date: "2026-01-15", recipe_id: recipe },
        },
      ],
    }),
  ).toEqual([
    'recipes {"name":"Goulash"}',
    'meal_plans {"date":"2026-01-15","recipe_id":"Goulash"}',
  ]);
});
