import { fc, test } from "@fast-check/vitest";
import { expect } from "vitest";
import { DEFAULT_LIMITS, type LimitName } from "../../state/limits.ts";
import {
  LanesChoiceSchema,
  narrowed,
  narrowedLanes,
  RUN_LIMITS,
  type TurnBounds,
} from "../../state/turn-context.ts";

const bounds: fc.Arbitrary<TurnBounds> = fc.record({
  lanes: fc.constantFrom(...LanesChoiceSchema.options),
  limits: fc
    .uniqueArray(fc.tuple(fc.constantFrom(...RUN_LIMITS), fc.integer({ min: 1, max: 100_000 })), {
      selector: ([name]) => name,
    })
    .map((pairs) => Object.fromEntries(pairs)),
});
const lanes = fc.constantFrom(
  { task: true, concierge: true },
  { task: true, concierge: false },
  { task: false, concierge: true },
);

test.prop([bounds, lanes])(
  "narrowed() never allows more, and always leaves a lane",
  (bounds, lanes) => {
    const settings = { lanes, limits: DEFAULT_LIMITS, other: "kept" };

    const result = narrowed(settings, bounds);

    expect(result.other).toBe("kept");
    expect(result.lanes.task || result.lanes.concierge).toBe(true);
    expect(result.lanes.task && !lanes.task).toBe(false);
    expect(result.lanes.concierge && !lanes.concierge).toBe(false);
    for (const [name, value] of Object.entries(result.limits)) {
      expect(value).toBeLessThanOrEqual(DEFAULT_LIMITS[name as LimitName]);
    }
  },
);

test("narrowed() takes what is less and leaves the rest", () => {
  const settings = { lanes: { task: true, concierge: true }, limits: DEFAULT_LIMITS };

  const result = narrowed(settings, {
    lanes: "concierge",
    limits: { tokensPerTurn: 10, batchSeconds: 100_000 },
  });

  expect(result).toEqual({
    lanes: { task: false, concierge: true },
    limits: { ...DEFAULT_LIMITS, tokensPerTurn: 10 },
  });
});

test("narrowedLanes() is null where a choice leaves no lane", () => {
  expect(narrowedLanes({ task: false, concierge: true }, "task")).toBeNull();
});
