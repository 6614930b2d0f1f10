import { fc, test } from "@fast-check/vitest";
import { expect } from "vitest";
import { ExecutionHandoverSchema, IntentHandoverSchema } from "../../state/handover.ts";
import { boundExecutionHandover, boundIntentHandover } from "../../summaries/bound-handover.ts";
import { EXECUTION, INTENT } from "../support/concierge-documents.ts";

const LONGEST = 2_000;
const texts = fc.oneof(fc.string(), fc.constant("word ".repeat(2_000)));
const lists = fc.array(texts, { maxLength: 60 });

test("a handover of ordinary length stays as it is", () => {
  expect(boundIntentHandover(INTENT)).toEqual(INTENT);
  expect(boundExecutionHandover(EXECUTION)).toEqual(EXECUTION);
});

test.prop([
  fc.record({
    shape: texts,
    keyFindings: lists,
    tensions: lists,
    gaps: lists,
    userQuery: texts,
    starterResponse: texts,
    userReply: texts,
    impliedGoal: texts,
    revealedConstraints: lists,
    acceptedFraming: texts,
    resistedFraming: fc.option(texts, { nil: null }),
    unpromptedReveals: lists,
    stillUnclear: lists,
    effectiveStance: fc.constantFrom("explore" as const, "decide" as const, "challenge" as const),
  }),
])("whatever an intent handover holds, it fits a prompt", (handover) => {
  expectBounded(IntentHandoverSchema.parse(boundIntentHandover(handover)));
});

test.prop([
  fc.record({
    goal: texts,
    problemSummary: texts,
    situation: texts,
    constraints: lists,
    priorities: lists,
    decisionsMade: lists,
    openQuestions: lists,
    explorationHighlights: lists,
  }),
])("whatever an execution handover holds, it fits a prompt", (handover) => {
  expectBounded(ExecutionHandoverSchema.parse(boundExecutionHandover(handover)));
});

function expectBounded(handover: object): void {
  for (const value of Object.values(handover)) {
    if (Array.isArray(value)) {
      expect(value.length).toBeLessThanOrEqual(24);
      for (const entry of value) expect(String(entry).length).toBeLessThanOrEqual(400);
    } else if (typeof value === "string") {
      expect(Array.from(value).length).toBeLessThanOrEqual(LONGEST);
    }
  }
}
