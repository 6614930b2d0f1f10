import { describe, expect, test } from "vitest";
import { NarrativeSchema } from "../../state/turn-summary.ts";
import { fallbackNarrative } from "../../summaries/narrative.ts";
import { NO_CURATION } from "../support/registry-events.ts";
import {
  codTurn,
  makeFacts,
  makePlan,
  makeResult,
  makeUnderstanding,
} from "../support/seed-turns.ts";
import { createEffect, makeStep } from "../support/turn-state.ts";

const step = makeStep({ description: "Do it" });
const effect = createEffect({ ref: "gen_recipe_1", label: "Pesto", facts: "15 min" });
const excluding = makeUnderstanding({
  expressed: "Wants to exclude wings",
  curation: { ...NO_CURATION, demote: [{ ref: "recipe_6", reason: "no wings" }] },
});
describe("fallbackNarrative()", () => {
  test("says what happened in a turn that excluded something", () => {
    const facts = makeFacts({
      understanding: excluding,
      plan: makePlan({ steps: [{ ...step, stepType: "analyze" }] }),
      stepResults: [makeResult({ outcome: "4 recipes are left", refs: ["recipe_3"] })],
      replies: ["Got it! Four are left."],
    });
    expect(fallbackNarrative(facts, codTurn)).toEqual({
      analysisConclusions: "4 recipes are left",
      responseSummary: "4 recipes are left; nothing stored",
      conversationPhase: "narrowing",
      tone: "collaborative",
      whatUserExpressed: "Wants to exclude wings",
      whatWeAcknowledged: "Demoted recipe_6 (no wings)",
      naturalNext: "User refines further or picks final options",
    });
  });

  test("says what was stored and what was not", () => {
    const facts = makeFacts({
      plan: makePlan({ steps: [{ ...step, stepType: "write" }] }),
      stepResults: [makeResult({ status: "failed", outcome: "the name is taken" })],
      effects: [effect],
      userMessage: "save both",
    });
    expect(fallbackNarrative(facts, null)).toEqual({
      analysisConclusions: null,
      responseSummary: "Failed: the name is taken",
      conversationPhase: "executing",
      tone: "problem_solving",
      whatUserExpressed: 'Said "save both"',
      whatWeAcknowledged: "Confirmed: created gen_recipe_1 (Pesto: 15 min); Said what was not done",
      naturalNext: "User checks the result or goes on to the next thing",
    });
  });

  test("falls back on what was said, and waits for an answer to a question", () => {
    const facts = makeFacts({
      understanding: makeUnderstanding({ route: "clarify", expressed: "Wants the curry" }),
      replies: ["Which curry do you mean?"],
    });
    expect(fallbackNarrative(facts, null)).toEqual({
      analysisConclusions: null,
      responseSummary: 'Said "Which curry do you mean?"; nothing stored',
      conversationPhase: "exploring",
      tone: "clarifying",
      whatUserExpressed: "Wants the curry",
      whatWeAcknowledged: "Asked back",
      naturalNext: "User answers the question",
    });
  });

  test("fits the schema for a turn of which nothing is known, and is the same every time", () => {
    const narrative = fallbackNarrative(makeFacts({}), null);
    expect(NarrativeSchema.parse(narrative)).toEqual(narrative);
    expect(fallbackNarrative(makeFacts({}), null)).toEqual(narrative);
  });
});
