import { fc, test as law } from "@fast-check/vitest";
import { describe, expect, test } from "vitest";
import {
  buildExpertQuestion,
  type AskedExperts,
} from "../../nodes/concierge/build-expert-question.ts";
import { renderExpertQuestion } from "../../prompts/expert-question.ts";
import type { Constraint } from "../../state/constraint.ts";
import { DEFAULT_LIMITS } from "../../state/limits.ts";
import { countRoughly } from "../support/arbitraries.ts";
import { makeLedgerLine, makeRecord, turnState } from "../support/turn-state.ts";

const OPTIONS = { limits: DEFAULT_LIMITS, countTokens: countRoughly };

const ASKED: AskedExperts = {
  purpose: "workflow",
  text: "Plan five weeknights.",
  person: "Household of 2.",
  run: { today: "2026-11-23", timeZone: "Europe/Berlin" },
};

function constraint(text: string, changes: Partial<Constraint> = {}): Constraint {
  return {
    text,
    kind: "soft",
    count: null,
    until: null,
    scope: "conversation",
    turn: 1,
    ...changes,
  };
}

const STATE = turnState({
  turn: 9,
  input: { messageId: "m-9", text: "ok, give me the plan" },
  unansweredMessages: ["are you there?"],
  constraints: [
    constraint("no nuts", { kind: "hard", scope: "person" }),
    constraint("nothing fried", { until: "2026-11-30" }),
  ],
  journeys: [
    {
      id: "journey_4",
      title: "Cook at home",
      status: "active",
      reason: null,
      phase: "explorer",
      progress: null,
      planVersion: null,
      openedTurn: 4,
      lastTurn: 8,
    },
  ],
  ledger: [
    makeLedgerLine(3, { stated: "we moved in May" }),
    makeLedgerLine(5, { stated: "we get home at seven" }),
    makeLedgerLine(6, { asked: "put milk on the list" }),
  ],
  turnExecutionSummaries: [
    makeRecord(7, {
      userMessage: "what is in my pantry?",
      responseSummary: "Listed oats",
      decision: "plan",
    }),
    makeRecord(8, {
      userMessage: "Sundays are free",
      responseSummary: "“Then Sunday it is”",
      decision: null,
    }),
  ],
});

describe("buildExpertQuestion()", () => {
  test("tells a concierge's experts what holds, what the domain lets them know, and what was said in the journey", () => {
    expect(buildExpertQuestion(STATE, ASKED, OPTIONS)).toEqual({
      text: "Plan five weeknights.",
      unanswered: [],
      constraints: [
        "no nuts (must hold, in every conversation)",
        "nothing fried (until 2026-11-30)",
      ],
      person: "Household of 2.",
      earlier: [
        "They said: “we get home at seven”",
        "They said: “Sundays are free” They were told: “Then Sunday it is”",
        "They have just said: “ok, give me the plan”",
      ],
      date: "Monday, 2026-11-23, Europe/Berlin",
    });
  });

  test("asks a question that opens a journey without anything of the one before", () => {
    const asked: AskedExperts = { ...ASKED, purpose: "opening", text: "How do I ask for a raise?" };

    const question = buildExpertQuestion(STATE, asked, OPTIONS);

    expect(question).toMatchObject({
      text: "How do I ask for a raise?",
      unanswered: ["are you there?"],
      earlier: [],
    });
  });

  const sizes = fc.record({
    tokens: fc.integer({ min: 60, max: 600 }),
    said: fc.array(fc.string({ minLength: 1, maxLength: 300 }), { maxLength: 6 }),
    person: fc.string({ maxLength: 600 }),
    rule: fc.string({ minLength: 1, maxLength: 60, unit: "grapheme-ascii" }),
  });

  law.prop([sizes])(
    "gives up the oldest that was said first, then the person, never question and rules",
    ({ tokens, said, person, rule }) => {
      const state = {
        ...STATE,
        constraints: [constraint(`no ${rule}`, { kind: "hard" })],
        ledger: said.map((words, index) => makeLedgerLine(4 + index, { stated: words })),
      };
      const asked = { ...ASKED, person };
      const limits = { ...DEFAULT_LIMITS, expertQuestionTokens: tokens };

      const whole = buildExpertQuestion(state, asked, OPTIONS);
      const fitted = buildExpertQuestion(state, asked, { ...OPTIONS, limits });

      expect({ ...fitted, earlier: [], person: "" }).toEqual({ ...whole, earlier: [], person: "" });
      expect(whole.earlier.slice(whole.earlier.length - fitted.earlier.length)).toEqual(
        fitted.earlier,
      );
      if (fitted.earlier.length > 0) expect(fitted.person).toBe(whole.person);
      const isBare = fitted.earlier.length === 0 && fitted.person === "";
      if (!isBare) expect(countRoughly(renderExpertQuestion(fitted))).toBeLessThanOrEqual(tokens);
    },
  );
});
