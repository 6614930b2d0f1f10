import { fc, test as property } from "@fast-check/vitest";
import { describe, expect, test } from "vitest";
import { countTokens } from "../../models/tokens.ts";
import type { TurnExecutionSummary } from "../../state/turn-summary.ts";
import {
  hasJustFolded,
  ledgerLine,
  renderLedger,
  renderLedgerLine,
  rollUp,
} from "../../summaries/ledger.ts";
import { nastyText } from "../support/arbitraries.ts";
import { codTurn } from "../support/seed-turns.ts";
import { createEffect, makeLedgerLine, makeRecord } from "../support/turn-state.ts";

const effect = createEffect({ ref: "meal_7" });

function turn(turnNumber: number): TurnExecutionSummary {
  return { ...codTurn, turnNumber };
}

describe("ledgerLine() of a turn in which nothing was done", () => {
  const stated = "Greta, my mother in law, comes on Saturday, she is deaf";

  test.each([
    [stated, stated],
    [
      `${stated} and ${"very ".repeat(40)}kind`,
      `${`${stated} and ${"very ".repeat(40)}`.slice(0, 159).trimEnd()}…`,
    ],
    ["who is coming on Saturday?", undefined],
    ["thanks a lot", undefined],
    ["Schwiegermutterbesuchsankündigung steht", "Schwiegermutterbesuchsankündigung steht"],
  ])("keeps the person's words: %s", (userMessage, words) => {
    expect(ledgerLine(makeRecord(2, { userMessage, goal: "" })).stated).toBe(words);
  });

  test("keeps the words apart where something was stored, planned or asked", () => {
    const lines = [
      makeRecord(2, { userMessage: stated, effects: [effect] }),
      makeRecord(2, { userMessage: stated, decision: "clarify" }),
      makeRecord(2, { userMessage: "who is coming for dinner on Saturday?" }),
      makeRecord(2, { userMessage: "thanks a lot" }),
    ].map(ledgerLine);
    expect(lines.map((line) => [line.stated, line.asked])).toEqual([
      [undefined, stated],
      [undefined, stated],
      [undefined, undefined],
      [undefined, undefined],
    ]);
  });

  test("is no line of the prompt where it says nothing", () => {
    const lines = [makeLedgerLine(1, { goal: "" }), makeLedgerLine(2, { goal: "Wants", stated })];
    expect(renderLedger(lines)).toBe(`- Turn 2: Told: “${stated}”`);
  });
});

describe("ledgerLine()", () => {
  test("keeps goal, effects, drafts and exclusions, with refs", () => {
    const drafts = ["gen_recipe_1", "gen_recipe_2", "gen_recipe_3"];
    const draft = {
      description: "Draft three dishes",
      stepType: "generate" as const,
      subdomain: "recipes",
      outcome: "Drafted 3 recipes",
      note: null,
      entitiesAffected: drafts,
      warnings: [],
    };
    const line = ledgerLine({
      ...codTurn,
      steps: [draft],
      effects: [effect, { ...effect, ref: "meal_8" }],
    });
    expect(line).toEqual({
      turn: 2,
      goal: "Show recipe options for the week (excluding cod)",
      stored: [{ action: "created", refs: "meal_7, meal_8" }],
      storedNothing: false,
      drafted: "gen_recipe_1 through gen_recipe_3",
      decided: "Demoted recipe_1, recipe_2, recipe_7 (contain cod)",
      blocked: "",
    });
    const text = renderLedgerLine(line);
    expect(text).toBe(
      "wanted: Show recipe options for the week (excluding cod); created meal_7, meal_8; drafted gen_recipe_1 through gen_recipe_3; Demoted recipe_1, recipe_2, recipe_7 (contain cod)",
    );
    expect(countTokens(text)).toBeLessThanOrEqual(55);
  });

  property.prop([nastyText, nastyText, fc.nat({ max: 90 })])(
    "stays short and on its line",
    (goal, reason, count) => {
      const effects = Array.from({ length: count }, (_, index) => ({
        ...effect,
        ref: `meal_${index * 2 + 1}`,
      }));
      const record = { ...codTurn, goal: goal.repeat(9), blockedReason: reason.repeat(9), effects };
      const text = renderLedgerLine(ledgerLine(record));
      expect(Array.from(text).length).toBeLessThanOrEqual(180);
      expect(text).not.toMatch(/\n|<<</);
    },
  );
});

test("renderLedger() gives one line a turn, older first", () => {
  const ledger = [
    makeLedgerLine(1, { goal: "Show what can be cooked" }),
    makeLedgerLine(2, { goal: "Leave out cod" }),
  ];
  expect(renderLedger(ledger)).toBe(
    "- Turn 1: wanted: Show what can be cooked; nothing stored\n- Turn 2: wanted: Leave out cod; nothing stored",
  );
  expect(renderLedger([])).toBe("");
});

const BEFORE = makeLedgerLine(1, { goal: "Before" });

describe("rollUp()", () => {
  const limits = { recordTurns: 2, ledgerLines: 3 };

  test("turns the record that leaves into a line, and hands over a full ledger", () => {
    const start = { summaries: [turn(1), turn(2)], ledger: [BEFORE] };
    const third = rollUp(start, turn(3), limits);
    expect(third).toEqual({
      summaries: [turn(2), turn(3)],
      ledger: [BEFORE, ledgerLine(turn(1))],
      fold: null,
    });
    expect(rollUp(third, turn(4), limits)).toEqual({
      summaries: [turn(3), turn(4)],
      ledger: [],
      fold: [BEFORE, ledgerLine(turn(1)), ledgerLine(turn(2))],
    });
  });

  test("a turn summarised again takes the place of its record", () => {
    const start = { summaries: [turn(1), turn(2)], ledger: [] };
    const again = { ...turn(2), goal: "Another goal" };
    expect(rollUp(start, again, limits)).toEqual({
      summaries: [turn(1), again],
      ledger: [],
      fold: null,
    });
  });

  property.prop([
    fc.integer({ min: 1, max: 60 }),
    fc.integer({ min: 1, max: 5 }),
    fc.integer({ min: 1, max: 12 }),
  ])(
    "loses no turn: each is in summaries, ledger or a fold, once, in order",
    (turns, recordTurns, ledgerLines) => {
      let state: ReturnType<typeof rollUp> = { summaries: [], ledger: [], fold: null };
      const folded: number[] = [];
      for (let number = 1; number <= turns; number += 1) {
        state = rollUp(state, turn(number), { recordTurns, ledgerLines });
        folded.push(...(state.fold ?? []).map((line) => line.turn));
        expect(state.summaries.length).toBeLessThanOrEqual(recordTurns);
        expect(state.ledger.length).toBeLessThan(ledgerLines);
        const all = [
          ...folded,
          ...state.ledger.map((line) => line.turn),
          ...state.summaries.map((record) => record.turnNumber),
        ];
        expect(all).toEqual(Array.from({ length: number }, (_, index) => index + 1));
      }
    },
  );
});

test.each([
  ["nothing was ever folded", [], 0, false],
  ["the ledger has lines again", [makeLedgerLine(11)], 10, false],
  ["all its lines have just gone", [], 10, true],
])("hasJustFolded() knows when %s", (_, ledger, throughTurn, folded) => {
  expect(hasJustFolded({ ledger, history: { lines: [], messages: [], throughTurn } })).toBe(folded);
});
