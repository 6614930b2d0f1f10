import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { mealsDomain } from "../../meals/index.ts";
import { placeCalls } from "../../nodes/steps/place-calls.ts";
import type { GivenRowCall } from "../../state/row-call.ts";
import { makeRowCall, makeStep, setRow, thinkAnswer } from "../support/turn-state.ts";

const own = (changes: Partial<GivenRowCall> = {}): GivenRowCall => ({
  ...makeRowCall(),
  step: null,
  ...changes,
});

const JUDGE = makeStep({ description: "Judge", stepType: "analyze", writes: [] });

describe("placeCalls()", () => {
  test("makes a step of the calls of one type that read, and one of those that change, before the listed ones", () => {
    const calls = [
      own({ find: { all: false, where: [{ column: "cuisine", op: "=", value: "thai" }] } }),
      own({ type: "inventory" }),
      own({ do: "create", type: "shopping", set: setRow({ name: "figs", quantity: 2 }) }),
      own({ do: "create", type: "shopping", set: setRow({ name: "nuts" }) }),
      own({ do: "delete", type: "shopping", refs: ["shop_1", "shop_2"] }),
      own({ type: "meal", step: 0 }),
    ];

    const { steps, calls: placed } = placeCalls(
      { ...thinkAnswer(), steps: [JUDGE], calls },
      mealsDomain,
    );

    expect(steps).toEqual([
      makeStep({ description: "Show recipes (cuisine = thai)" }),
      makeStep({ description: "Show inventory items", subdomain: "inventory" }),
      makeStep({
        description:
          "Add shopping list lines (name figs, quantity 2; name nuts); Delete shopping list lines (shop_1, shop_2)",
        stepType: "write",
        subdomain: "shopping",
        group: 2,
        refs: ["shop_1", "shop_2"],
        writes: [],
      }),
      { ...JUDGE, group: 3 },
    ]);
    expect(placed.map(({ step }) => step)).toEqual([0, 1, 2, 2, 2, 3]);
  });

  test("names the type in place of a part that the domain does not have", () => {
    const { steps } = placeCalls(
      { ...thinkAnswer(), steps: [], calls: [own({ type: "car" })] },
      mealsDomain,
    );

    expect(steps).toEqual([makeStep({ description: "Show car", subdomain: "car" })]);
  });

  test("keeps every call and listed step, in order, and runs no listed step before a call of its own", () => {
    const call = fc
      .record({
        do: fc.constantFrom("read" as const, "update" as const),
        type: fc.constantFrom("recipe", "inventory", "meal"),
        step: fc.option(fc.nat(2)),
      })
      .map(own);
    fc.assert(
      fc.property(fc.array(call, { maxLength: 8 }), (calls) => {
        const listed = [1, 1, 2].map((group) => Object.assign({}, JUDGE, { group }));
        const placed = placeCalls({ ...thinkAnswer(), steps: listed, calls }, mealsDomain);
        const made = placed.steps.length - listed.length;
        const withSteps = calls.map((given, index) => {
          const step = placed.calls[index]?.step ?? Number.NaN;
          return Object.assign({}, given, { step: given.step === null ? step : given.step + made });
        });

        expect(placed.calls).toEqual(withSteps);
        const groups = placed.steps.map(({ group }) => group);
        expect(groups).toEqual(groups.toSorted((one, other) => one - other));
        expect(groups.slice(made).map((group) => group - (groups[made - 1] ?? 0))).toEqual([
          1, 1, 2,
        ]);
      }),
    );
  });
});
