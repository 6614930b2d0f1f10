import { fc, test } from "@fast-check/vitest";
import { describe, expect } from "vitest";
import { EMPTY_HISTORY, type History, type LedgerLine } from "../../state/turn-summary.ts";
import { foldIntoHistory, renderHistory } from "../../summaries/history.ts";
import { countRoughly, nastyText } from "../support/arbitraries.ts";
import { makeLedgerLine } from "../support/turn-state.ts";

const BEGIN = makeLedgerLine(1, { goal: "Show what could be cooked" });
const PLANNED = makeLedgerLine(3, {
  goal: "Plan two dinners",
  stored: [{ action: "created", refs: "meal_1, meal_2" }],
});
const CANCELLED = makeLedgerLine(5, {
  goal: "Cancel one",
  stored: [{ action: "deleted", refs: "meal_2, meal_9" }],
});
const LEFT_OUT = makeLedgerLine(6, { goal: "No wings", decided: "Demoted recipe_6 (no wings)" });

function fold(
  historyTokens: number,
  lines = [BEGIN, PLANNED, makeLedgerLine(4), CANCELLED, LEFT_OUT],
) {
  return foldIntoHistory(EMPTY_HISTORY, lines, {
    limits: { historyTokens, messagesHeld: 200 },
    countTokens: countRoughly,
  });
}

test("foldIntoHistory() keeps what the person told as a fact, in their words", () => {
  const stated = makeLedgerLine(4, { goal: "Wants to tell", stated: "Greta comes on Saturday" });
  const history = fold(400, [BEGIN, makeLedgerLine(2), stated]);
  expect(renderHistory(history)).toBe(
    "Began with: Show what could be cooked (turn 1; nothing stored)\nTold:\n- turn 4: Greta comes on Saturday",
  );
});

describe("renderHistory()", () => {
  test("groups turns by what became of them; what was made and deleted again was tried", () => {
    expect(renderHistory({ lines: [BEGIN, PLANNED, CANCELLED, LEFT_OUT] })).toBe(
      [
        "Began with: Show what could be cooked (turn 1; nothing stored)",
        "Stored:",
        "- turn 3 (wanted: Plan two dinners): created meal_1",
        "- turn 5 (wanted: Cancel one): deleted meal_9",
        "Tried and removed: meal_2",
        "Decided:",
        "- turn 6 (wanted: No wings): Demoted recipe_6 (no wings)",
      ].join("\n"),
    );
    expect(renderHistory(EMPTY_HISTORY)).toBe("");
  });
});

describe("foldIntoHistory()", () => {
  test("keeps the beginning and what was done, and leaves out what was only looked up", () => {
    expect(fold(600)).toEqual({
      lines: [BEGIN, PLANNED, CANCELLED, LEFT_OUT],
      messages: [],
      throughTurn: 6,
    });
  });

  test("lets the oldest lines after the first go where there is no room", () => {
    expect(fold(32)).toEqual({ lines: [BEGIN, LEFT_OUT], messages: [], throughTurn: 6 });
  });

  test.prop([fc.array(nastyText, { minLength: 1 }), fc.integer({ min: 1, max: 60 })])(
    "never exceeds its budget, and covers every turn",
    (texts, historyTokens) => {
      const lines = texts.map((text, index) =>
        makeLedgerLine(index + 1, { goal: text, decided: text }),
      );
      const folded = fold(historyTokens, lines);
      expect(countRoughly(renderHistory(folded))).toBeLessThanOrEqual(historyTokens);
      expect(folded.throughTurn).toBe(texts.length);
    },
  );

  test.prop([
    fc.array(fc.array(fc.option(nastyText, { nil: undefined }), { minLength: 1 })),
    fc.integer({ min: 1, max: 60 }),
  ])("keeps the words of every message, oldest first", (folds, historyTokens) => {
    const ledgers = folds.map((texts, fold) =>
      texts.map((asked, index) => makeLedgerLine(fold * 100 + index + 1, { asked })),
    );
    const limits = { historyTokens, messagesHeld: 9_999 };
    const history = ledgers.reduce(
      (before, lines) => foldIntoHistory(before, lines, { limits, countTokens: countRoughly }),
      EMPTY_HISTORY,
    );
    const kept = [...history.messages, ...history.lines.flatMap(readMessage)];
    expect(new Set(kept.map(({ words }) => words))).toEqual(
      new Set(
        ledgers
          .flat()
          .flatMap(readMessage)
          .map(({ words }) => words),
      ),
    );
    expect(history.messages).toEqual(history.messages.toSorted(byTurn));
  });
});

function readMessage({ turn, asked }: LedgerLine): History["messages"] {
  return asked === undefined ? [] : [{ turn, words: asked }];
}

function byTurn(one: { readonly turn: number }, other: { readonly turn: number }): number {
  return one.turn - other.turn;
}
