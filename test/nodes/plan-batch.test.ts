import { test } from "@fast-check/vitest";
import * as fc from "fast-check";
import { describe, expect } from "vitest";
import { planBatch, type BatchFacts, type ExpertPace } from "../../nodes/concierge/plan-batch.ts";

const pace = (seconds: number | null, slots = 1): ExpertPace => ({
  endpoint: "http://localhost/v1",
  slots,
  callMs: seconds === null ? null : seconds * 1_000,
  tier: "full",
});
const facts = (one: ExpertPace, changes: Partial<BatchFacts> = {}): BatchFacts => ({
  experts: [one, one, one, one],
  mapper: one,
  quorum: 2,
  batchSeconds: 75,
  expertSeconds: 45,
  mapperSeconds: 25,
  secondsLeft: 3_600,
  ...changes,
});

describe("planBatch()", () => {
  test.each<[string, BatchFacts, object]>([
    [
      "keeps its limits where nothing is known",
      facts(null),
      {
        count: 4,
        combined: false,
        seconds: 75,
        expertSeconds: 45,
        mapperSeconds: 25,
        expected: null,
      },
    ],
    [
      "asks all side by side where there is room",
      facts(pace(5, 8)),
      {
        count: 4,
        combined: false,
        seconds: 75,
        expertSeconds: 45,
        mapperSeconds: 25,
        expected: 10,
      },
    ],
    [
      "asks all one after the other where they fit",
      facts(pace(10)),
      {
        count: 4,
        combined: false,
        seconds: 75,
        expertSeconds: 45,
        mapperSeconds: 25,
        expected: 50,
      },
    ],
    [
      "asks as many as fit into the batch",
      facts(pace(15)),
      {
        count: 2,
        combined: false,
        seconds: 75,
        expertSeconds: 45,
        mapperSeconds: 25,
        expected: 45,
      },
    ],
    [
      "asks two all the same where none fit, and gives them time",
      facts(pace(60)),
      {
        count: 2,
        combined: false,
        seconds: 270,
        expertSeconds: 90,
        mapperSeconds: 90,
        expected: 180,
      },
    ],
    [
      "asks for all views in one call where the turn has no time for two",
      facts(pace(60), { secondsLeft: 200 }),
      {
        count: 2,
        combined: true,
        seconds: 180,
        expertSeconds: 90,
        mapperSeconds: 90,
        expected: 120,
      },
    ],
  ])("%s", (_, given, plan) => {
    expect(planBatch(given)).toEqual(plan);
  });

  test("asks two views of a small model", () => {
    const small = { endpoint: null, slots: 4, callMs: 1_000, tier: "small" } as const;

    expect(planBatch(facts(small)).count).toBe(2);
  });

  const anyPace = fc.oneof(
    fc.constant(null),
    fc.record({
      endpoint: fc.constantFrom("a", "b"),
      slots: fc.integer({ min: 1, max: 8 }),
      callMs: fc.option(fc.integer({ min: 1, max: 600_000 })),
      tier: fc.constantFrom("full" as const, "small" as const),
    }),
  );

  test.prop([
    fc.array(anyPace, { minLength: 2, maxLength: 16 }),
    anyPace,
    fc.integer({ min: 1, max: 3_600 }),
  ])(
    "asks a quorum at least, within the turn, and never less than its limits allow",
    (experts, mapper, secondsLeft) => {
      const plan = planBatch(facts(null, { experts, mapper, secondsLeft }));

      expect(plan.count).toBeGreaterThanOrEqual(2);
      expect(plan.count).toBeLessThanOrEqual(experts.length);
      expect(plan.seconds).toBeLessThanOrEqual(Math.max(secondsLeft, 75));
      expect(plan.expertSeconds).toBeGreaterThanOrEqual(45);
      expect(plan.mapperSeconds).toBeLessThanOrEqual(plan.seconds / 2);
    },
  );
});
