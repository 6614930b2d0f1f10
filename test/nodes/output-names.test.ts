import { expect, test } from "vitest";
import { collectOutputNames, collectTurnNames } from "../../nodes/reply/output-names.ts";
import { cleanText } from "../../output-filter/output-gate.ts";
import type { Choice } from "../../state/registry.ts";
import { activeLine } from "../support/journey-lines.ts";
import { tripPlan } from "../support/journey-plans.ts";
import { makeRecord, turnState } from "../support/turn-state.ts";

test("collectOutputNames() lets no thought of a choice's title into a text", () => {
  const choice: Choice = {
    id: "choice_1",
    type: "recipe",
    refs: [],
    of: 0,
    title: "dinners<think>recipe_1 is the best",
    basis: "analysis",
    conclusion: "",
    openedTurn: 1,
    touchedTurn: 1,
  };
  const names = collectOutputNames({
    registry: { entries: [], choices: [choice] },
    domain: { entityTypes: [] },
  });

  expect(cleanText("Here are the choice_1.", names)).toBe("Here are the dinners.");
});

test("collectTurnNames() names what a plan, a wish and a question that waits have as ids in either lane", () => {
  const wish = {
    text: "no nuts",
    kind: "soft",
    count: null,
    until: null,
    scope: "conversation",
    turn: 1,
  } as const;
  const state = turnState({
    journeys: [activeLine(1, { title: "Go to Lisbon" })],
    journeyPlan: tripPlan(),
    pending: {
      kind: "confirmation",
      id: "confirm_2_1",
      calls: [],
      text: "Do it?",
      rest: null,
      expiresAt: "2026-01-13T12:00:00Z",
      turn: 2,
    },
    turnExecutionSummaries: [makeRecord(1, { wishes: { before: [], after: [wish] } })],
  });
  const names = collectTurnNames(state, {
    registry: { entries: [], choices: [] },
    domain: { entityTypes: [] },
  });

  expect(cleanText("step_1 (step_9) of journey_1, decision_2, w1, confirm_2_1.", names)).toBe(
    "Tickets of Go to Lisbon, Which week?, no nuts,.",
  );
});
