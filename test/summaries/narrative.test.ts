import { describe, expect, test } from "vitest";
import { NarrativeSchema, type TurnExecutionSummary } from "../../state/turn-summary.ts";
import { keepTone, derivePhase, fallbackNarrative } from "../../summaries/narrative.ts";
import type { TurnFacts } from "../../summaries/turn-facts.ts";
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
const executing: TurnExecutionSummary = { ...codTurn, conversationPhase: "executing" };

function planned(stepType: "read" | "analyze" | "generate" | "write"): TurnFacts {
  return makeFacts({ plan: makePlan({ steps: [{ ...step, stepType }] }) });
}

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
      responseSummary: "4 recipes are left",
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
      responseSummary: "Which curry do you mean?",
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

describe("derivePhase()", () => {
  test.each([
    ["something was stored", makeFacts({ effects: [effect] }), null, "executing"],
    [
      "a plan is proposed",
      makeFacts({ plan: makePlan({ decision: "propose" }) }),
      null,
      "confirming",
    ],
    [
      "a plan is proposed and something was excluded",
      makeFacts({ understanding: excluding, plan: makePlan({ decision: "propose" }) }),
      null,
      "confirming",
    ],
    ["something was excluded", makeFacts({ understanding: excluding }), null, "narrowing"],
    ["a write did not succeed", planned("write"), codTurn, "executing"],
    ["a draft was made", planned("generate"), codTurn, "confirming"],
    ["options were judged", planned("analyze"), null, "narrowing"],
    ["something was read", planned("read"), codTurn, "exploring"],
    ["nothing was done", makeFacts({}), null, "exploring"],
    ["nothing was done", makeFacts({}), codTurn, "narrowing"],
    ["nothing was done after doing", makeFacts({}), executing, "reflecting"],
  ])("when %s", (_, facts, previous, phase) => {
    expect(derivePhase(facts, previous)).toBe(phase);
  });
});

describe("keepTone()", () => {
  const trouble = makeFacts({ stepResults: [makeResult({ status: "blocked" })] });
  const unplanned = makeFacts({ plan: makePlan({ failure: "no answer" }) });
  const question = makeFacts({
    stepResults: [makeResult({ status: "asked", question: "Which?" })],
  });
  const quick = makeFacts({ plan: makePlan({ origin: "quick" }) });
  const informative: TurnExecutionSummary = { ...codTurn, tone: "informative" };
  const solving: TurnExecutionSummary = { ...codTurn, tone: "problem_solving" };

  test.each([
    ["trouble", trouble, codTurn, "problem_solving"],
    ["no plan", unplanned, codTurn, "problem_solving"],
    ["a question", question, codTurn, "clarifying"],
    ["nothing new", makeFacts({}), informative, "informative"],
    ["nothing new", makeFacts({}), codTurn, "collaborative"],
    ["trouble that is over", makeFacts({}), solving, "collaborative"],
    ["a first quick look", quick, null, "informative"],
    ["a first turn", makeFacts({}), null, "collaborative"],
  ] as const)("with %s", (_, facts, previous, tone) => {
    expect(keepTone(facts, previous)).toBe(tone);
  });
});
