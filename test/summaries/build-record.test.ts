import { fc, test as property } from "@fast-check/vitest";
import { describe, expect, test } from "vitest";
import { countTokens } from "../../models/tokens.ts";
import { TurnExecutionSummarySchema, type Narrative } from "../../state/turn-summary.ts";
import { buildRecord, fitRecord } from "../../summaries/build-record.ts";
import { summarizeCuration } from "../../summaries/curation-summary.ts";
import { renderLastTurnSummary } from "../../summaries/last-turn-summary.ts";
import { testTypes } from "../support/entity-types.ts";
import { NO_CURATION } from "../support/registry-events.ts";
import {
  codTurn,
  makeFacts,
  makePlan,
  makeResult,
  makeUnderstanding,
} from "../support/seed-turns.ts";
import { callResult, createEffect, makeStep } from "../support/turn-state.ts";

const narrative: Narrative = {
  analysisConclusions: "6 recipes fit inventory",
  responseSummary: "Listed 6 cod-free options",
  conversationPhase: "narrowing",
  tone: "collaborative",
  whatUserExpressed: "Wanted to exclude cod from options",
  whatWeAcknowledged: "Confirmed exclusion, presented 6 remaining options warmly",
  naturalNext: "User refines further or picks final options",
};

const cod = ["recipe_1", "recipe_2", "recipe_7"].map((ref) => ({ ref, reason: "contain cod" }));

describe("buildRecord()", () => {
  test("copies refs, outcomes, curation and the why: the seed's record from its facts", () => {
    const facts = makeFacts({
      turn: 2,
      userMessage: codTurn.userMessage,
      goal: codTurn.goal,
      plan: makePlan({
        reasoning: "Cod is out, so the options have to be judged again",
        steps: codTurn.steps.map(({ description, stepType, subdomain }) => ({
          description,
          stepType,
          subdomain,
          group: 1,
          refs: [],
          writes: [],
        })),
      }),
      understanding: makeUnderstanding({ curation: { ...NO_CURATION, demote: cod } }),
      stepResults: codTurn.steps.map((step, index) =>
        makeResult({
          step: index,
          outcome: step.outcome,
          note: step.note,
          refs: step.entitiesAffected,
        }),
      ),
    });
    expect(buildRecord(facts, narrative)).toEqual(codTurn);
  });

  test("says how steps ended, and which rows were not written", () => {
    const step = makeStep({ description: "Do it" });
    const plan = makePlan({
      steps: [
        { ...step, stepType: "write" },
        { ...step, stepType: "generate" },
        { ...step, stepType: "analyze" },
        { ...step, stepType: "read" },
        { ...step, stepType: "read" },
        { ...step, stepType: "read" },
      ],
    });
    const failures = [{ label: "Ragù", ref: "gen_recipe_2", reason: "the name is taken" }];
    const stepResults = [
      makeResult({
        step: 0,
        outcome: "Created 1 recipe",
        refs: ["gen_recipe_1"],
        calls: [callResult({ failures })],
      }),
      makeResult({
        step: 1,
        status: "failed",
        outcome: "no model answered",
        artifacts: ["gen_recipe_3"],
      }),
      makeResult({ step: 2, status: "asked", outcome: "2 would do", question: "For how many?" }),
      makeResult({
        step: 3,
        status: "blocked",
        blocked: { reason: "no page", tried: "the web", suggestion: "stop" },
      }),
      makeResult({ step: 4, status: "skipped" }),
      makeResult({ step: 5, status: "open" }),
    ];
    const record = buildRecord(makeFacts({ plan, stepResults }), narrative);
    expect(record.steps.map((one) => [one.outcome, one.entitiesAffected])).toEqual([
      ["Created 1 recipe; not done: Ragù (the name is taken)", ["gen_recipe_1"]],
      ["Failed: no model answered", ["gen_recipe_3"]],
      ["Asked: For how many?; 2 would do", []],
      ["Blocked: no page", []],
      ["Not reached", []],
      ["Not finished", []],
    ]);
    expect(record.blockedReason).toBe("no page");
  });

  test("has no decision where a yes decided, and copies effects and notices", () => {
    const effects = [createEffect()];
    const notices = [{ node: "act", code: "repair", text: "asked again" }];
    const record = buildRecord(
      makeFacts({ plan: makePlan({ origin: "confirmation" }), effects, notices }),
      narrative,
    );
    expect(record).toMatchObject({ decision: null, reasoning: null, effects, notices });
    expect(TurnExecutionSummarySchema.parse(record)).toEqual(record);
  });

  test("keeps the beginning of a very long message", () => {
    const record = buildRecord(makeFacts({ userMessage: "very long ".repeat(3_200) }), narrative);
    expect(Array.from(record.userMessage)).toHaveLength(1_000);
  });
});

describe("curationSummaryOf()", () => {
  test.each([
    [{ demote: [{ ref: "recipe_5", reason: "" }] }, "Demoted recipe_5 (French Toast)"],
    [{ drop: ["gen_recipe_1"] }, "Dropped gen_recipe_1"],
    [{ clearAll: true }, "Cleared everything"],
    [{}, null],
    [
      {
        demote: [
          { ref: "recipe_1", reason: "cod" },
          { ref: "recipe_5", reason: "too sweet" },
          { ref: "recipe_2", reason: " cod " },
        ],
        restore: [{ ref: "recipe_6", reason: "fine after all" }],
        retain: [{ ref: "recipe_3", reason: "for sunday" }],
      },
      "Demoted recipe_1, recipe_2 (cod); Demoted recipe_5 (too sweet); Restored recipe_6 (fine after all); Retained recipe_3 (for sunday)",
    ],
  ])("says on one line what was decided: %j", (given, summary) => {
    const labels = { recipe_5: "French Toast" };
    expect(summarizeCuration({ ...NO_CURATION, ...given }, labels)).toBe(summary);
  });

  test("is null where there was no curation", () => {
    expect(summarizeCuration(null, {})).toBeNull();
  });
});

describe("fitRecord()", () => {
  const options = { countTokens, types: testTypes };

  test("leaves a record that fits as it is", () => {
    expect(fitRecord(codTurn, { ...options, limits: { recordTokens: 350 } })).toEqual(codTurn);
  });

  const long = fc.integer({ min: 0, max: 400 }).map((count) => "many words ".repeat(count));
  property.prop([long, long, long])(
    "brings any texts within the budget and touches nothing else",
    (goal, outcome, expressed) => {
      const [first, ...rest] = codTurn.steps;
      const steps = first === undefined ? [] : [{ ...first, outcome }, ...rest];
      const record = { ...codTurn, goal, steps, whatUserExpressed: expressed };
      const fitted = fitRecord(record, { ...options, limits: { recordTokens: 350 } });
      const shown = renderLastTurnSummary({ records: [fitted], current: null, types: testTypes });
      const flow = [fitted.whatUserExpressed, fitted.whatWeAcknowledged, fitted.naturalNext];
      expect(countTokens([shown, ...flow].join("\n"))).toBeLessThanOrEqual(350);
      expect({ ...fitted, goal, steps, whatUserExpressed: expressed }).toMatchObject({
        demotedRefs: codTurn.demotedRefs,
        curationSummary: codTurn.curationSummary,
        effects: codTurn.effects,
      });
      expect(fitted.steps.map((one) => one.entitiesAffected)).toEqual(
        record.steps.map((one) => one.entitiesAffected),
      );
    },
  );
});
