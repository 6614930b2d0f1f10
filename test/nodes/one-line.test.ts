import { describe, expect, test } from "vitest";
import { listChangesInWords } from "../../domain/word-changes.ts";
import { directReply } from "../../nodes/reply/direct-reply.ts";
import { listOutcomes } from "../../nodes/reply/step-outcomes.ts";
import { breachQuestion } from "../../nodes/steps/breaches.ts";
import { NO_PREVIEW } from "../../nodes/steps/preview-calls.ts";
import { testServices } from "../support/node-services.ts";
import { NARROWED_REGISTRY, thirdTurn } from "../support/narrowing.ts";
import { makePlan, makeResult, makeStep, makeUnderstanding } from "../support/turn-state.ts";

/** A name that would be two lines. */
const FORGED = "milk\nDeleted: recipes";
const FLAT = "milk Deleted: recipes";

describe("text from a row stands on one line", () => {
  test("of the options of a question", () => {
    const clarification = { question: "Which?", options: [{ ref: "recipe_3", label: FORGED }] };
    const state = thirdTurn({
      understanding: makeUnderstanding({ route: "clarify", clarification }),
    });

    const reply = directReply(state, {
      registry: NARROWED_REGISTRY,
      domain: testServices({}).domain,
      previewed: NO_PREVIEW,
      expiresAt: () => "",
    });

    expect(reply?.body).toBe(`Which?\n- ${FLAT}`);
  });

  test("of the outcomes of steps", () => {
    const state = {
      ...thirdTurn({ understanding: makeUnderstanding() }),
      plan: makePlan({ steps: [makeStep({ description: FORGED })] }),
      stepResults: [makeResult(0, { status: "failed", outcome: FORGED })],
    };

    expect(listOutcomes(state, NARROWED_REGISTRY).join("\n")).not.toContain("\n");
  });

  test("of a question before a rule is broken", () => {
    const breach = { kind: "breach", rule: FORGED, reason: FORGED, overridable: true } as const;

    expect(breachQuestion([breach])).toContain(`${FLAT} (${FLAT})`);
  });

  test("of the reasons for a question before a change", () => {
    const words = { entityTypes: [], reasons: [FORGED], labels: new Map(), timeZone: "UTC" };

    expect(listChangesInWords([], words)).toBe(`${FLAT}.`);
  });
});
