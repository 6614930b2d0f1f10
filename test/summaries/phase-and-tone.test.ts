import { describe, expect, test } from "vitest";
import { computePhase, computeTone } from "../../summaries/phase-and-tone.ts";
import { NO_CURATION } from "../../state/registry.ts";
import type { StepType } from "../../state/plan.ts";
import type { TurnExecutionSummary } from "../../state/turn-summary.ts";
import {
  codTurn,
  makeFacts,
  makePlan,
  makeResult,
  makeUnderstanding,
} from "../support/seed-turns.ts";
import { createEffect, makeStep } from "../support/turn-state.ts";

const effect = createEffect({ ref: "gen_recipe_1", label: "Pesto", facts: "15 min" });
const excluding = makeUnderstanding({
  curation: { ...NO_CURATION, demote: [{ ref: "recipe_6", reason: "no wings" }] },
});
const asking = makeUnderstanding({
  references: [{ text: "the soup", ref: "recipe_8" }],
});
const accepting = makeUnderstanding({ answersPending: "accept" });
const answered = makePlan({ decision: "answer" });
const stored: TurnExecutionSummary = { ...codTurn, effects: [effect] };

const planned = (stepType: StepType) =>
  makeFacts({ plan: makePlan({ steps: [makeStep({ stepType })] }) });
const returning = makeFacts({
  userMessage: "back to the dinners",
  understanding: makeUnderstanding({ needs: "talk", route: "talk" }),
  namesChoice: true,
});
const remark = makeFacts({
  userMessage: "good morning",
  understanding: makeUnderstanding({ needs: "talk", route: "talk" }),
});

describe("computePhase()", () => {
  test.each([
    ["something was stored", makeFacts({ effects: [effect] }), null, "executing"],
    ["a write did not succeed", planned("write"), codTurn, "executing"],
    [
      "a plan is proposed",
      makeFacts({
        understanding: excluding,
        plan: makePlan({ decision: "propose", steps: [makeStep({ stepType: "write" })] }),
        asksForYes: true,
      }),
      null,
      "confirming",
    ],
    [
      "a check refuses what a plan proposes",
      makeFacts({
        understanding: excluding,
        plan: makePlan({ decision: "propose", steps: [makeStep({ stepType: "write" })] }),
      }),
      null,
      "executing",
    ],
    [
      "an answer was given",
      makeFacts({ understanding: accepting, plan: answered }),
      null,
      "confirming",
    ],
    ["a draft was made", planned("generate"), codTurn, "confirming"],
    ["a question is put again", makeFacts({ asksForYes: true }), codTurn, "confirming"],
    ["a draft is named", makeFacts({ plan: answered, namesDraft: true }), codTurn, "confirming"],
    ["something was excluded", makeFacts({ understanding: excluding }), null, "narrowing"],
    ["options were judged", planned("analyze"), null, "narrowing"],
    [
      "an option is named",
      makeFacts({ understanding: asking, plan: answered, namesChoice: true }),
      null,
      "narrowing",
    ],
    ["something was read after a narrowing", planned("read"), codTurn, "exploring"],
    ["somebody says good morning after a narrowing", remark, codTurn, "exploring"],
    ["somebody says thanks after changes", remark, stored, "reflecting"],
    [
      "it is asked how something is known",
      makeFacts({ understanding: makeUnderstanding({ route: "meta" }) }),
      codTurn,
      "reflecting",
    ],
    ["nothing is known", makeFacts({}), codTurn, "exploring"],
  ] as const)("when %s", (_, facts, previous, phase) => {
    expect(computePhase(facts, previous)).toBe(phase);
  });
});

describe("computeTone()", () => {
  const informative: TurnExecutionSummary = { ...codTurn, tone: "informative" };
  const solving: TurnExecutionSummary = { ...codTurn, tone: "problem_solving" };

  test.each([
    [
      "trouble",
      makeFacts({ stepResults: [makeResult({ status: "blocked" })] }),
      codTurn,
      "problem_solving",
    ],
    [
      "no plan",
      makeFacts({ plan: makePlan({ failure: "no answer" }) }),
      codTurn,
      "problem_solving",
    ],
    [
      "a question",
      makeFacts({ stepResults: [makeResult({ status: "asked", question: "Which?" })] }),
      codTurn,
      "clarifying",
    ],
    ["a look-up", planned("read"), codTurn, "informative"],
    [
      "an answer about facts",
      makeFacts({ plan: answered, understanding: asking }),
      codTurn,
      "informative",
    ],
    ["a judgement", planned("analyze"), informative, "collaborative"],
    ["small talk", remark, informative, "informative"],
    ["a return to a choice is no small talk", returning, solving, "informative"],
    ["small talk after trouble", remark, solving, "collaborative"],
    ["nothing known", makeFacts({}), null, "collaborative"],
  ] as const)("with %s", (_, facts, previous, tone) => {
    expect(computeTone(facts, previous)).toBe(tone);
  });
});
