import { expect, test } from "vitest";
import { fitUndo, fitUndoToLast, splitUndo } from "../../nodes/undo-wishes.ts";
import type { Constraint } from "../../state/constraint.ts";
import { changePlan, planAction, tripPlan } from "../support/journey-plans.ts";
import { createEffect, makeRecord, makeUnderstanding } from "../support/turn-state.ts";

function hold(text: string): Constraint {
  return { text, kind: "hard", count: null, until: null, scope: "person", turn: 1 };
}

const NOTED = { before: [], after: [hold("no cod")] };
const ROW = makeRecord(1, { effects: [createEffect({ ref: "shop_1" })] });
const WISH = makeRecord(2, { wishes: NOTED });
const BOTH = makeRecord(3, { effects: [createEffect({ ref: "shop_2" })], wishes: NOTED });
const TALK = makeRecord(4);
const HELD = [hold("no cod"), hold("no lamb")];

test.each([
  ["rows alone where the last turn wrote only these", [WISH, ROW], [], [], false],
  ["the wish alone where it noted only that", [ROW, WISH, TALK], [], null, true],
  ["both where it did both", [WISH, BOTH], [], [], true],
  ["rows where none of the turns changed anything", [TALK], [], [], false],
  ["the named row and no wish", [BOTH], ["e7"], ["e7"], false],
  ["the named wish and no row", [ROW, BOTH], ["w3"], null, true],
  ["what is named of both", [ROW, BOTH], ["e7", "w3"], ["e7"], true],
])("splitUndo() takes back %s", (_, summaries, effects, rows, hasWish) => {
  const split = splitUndo({ effects }, summaries, HELD);
  expect(split.rows).toEqual(rows === null ? null : { effects: rows });
  expect(split.wishes).toEqual(hasWish ? NOTED : null);
  expect(split.constraints).toEqual(hasWish ? [hold("no lamb")] : HELD);
  // What is taken back is not taken back again.
  const left = split.summaries.filter(({ wishes }) => wishes !== null).length;
  const before = summaries.filter(({ wishes }) => wishes !== null).length;
  expect(left).toBe(hasWish ? before - 1 : before);
});

const MILK = makeRecord(1, { effects: [createEffect({ effectId: 5, label: "milk" })] });
const TEA = makeRecord(2, { effects: [createEffect({ effectId: 7, label: "tea" })] });

test.each([
  ["undo the tea", [], { effects: [] }],
  ["undo the milk", ["e5"], { effects: ["e5"] }],
  ["undo the milk", ["e7"], { effects: ["e7"], ask: true }],
  ["undo the milk", [], { effects: [], ask: true }],
  ["undo the soup", ["e7"], { effects: ["e7"] }],
  ["do not undo the tea", ["e7"], { effects: ["e7"], ask: true }],
  ["no, undo that", ["e7"], { effects: ["e7"] }],
  ["who is tea", ["e7"], { effects: ["e7"], ask: true }],
  ["could I undo the tea later?", ["e7"], { effects: ["e7"], ask: true }],
  ["can you undo the tea?", ["e7"], { effects: ["e7"] }],
])(
  "fitUndo() asks first where %j asks for no undo, or of another change than %j",
  (message, effects, rows) => {
    const facts = { message, summaries: [MILK, TEA], constraints: [] };

    expect(fitUndo({ effects }, facts).rows).toEqual(rows);
  },
);

test("fitUndo() asks first where more is meant than the message names, or a row whose change is older", () => {
  const facts = { summaries: [MILK, TEA], constraints: [], known: ["rice"] };
  const fit = (message: string, effects: string[]) =>
    fitUndo({ effects }, { ...facts, message }).rows;

  expect(fit("undo the milk", ["e5", "e7"])).toEqual({ effects: ["e5", "e7"], ask: true });
  expect(fit("undo the milk and the tea", ["e5", "e7"])).toEqual({ effects: ["e5", "e7"] });
  expect(fit("undo the change of the rice", [])).toEqual({ effects: [], ask: true });
});

test.each([
  ["undo that", [BOTH], { effects: [] }, NOTED],
  ["thanks", [BOTH], { effects: [], ask: true }, null],
  ["thanks", [ROW, WISH], null, null],
  ["undo the undo", [BOTH], { effects: [], redo: true }, null],
])("fitUndo() reads what %j asks for", (message, summaries, rows, wishes) => {
  const fitted = fitUndo({ effects: [] }, { message, summaries, constraints: HELD });

  expect([fitted.rows, fitted.wishes]).toEqual([rows, wishes]);
  expect(fitted.constraints).toEqual(wishes === null ? HELD : [hold("no lamb")]);
});

/** Changed in turn 7. */
const CHANGED = changePlan(tripPlan(), planAction({ kind: "remove", target: "step_2" }));
const DATES = { effects: [createEffect({ effectId: 9, label: "dates" })] };

test.each<[string, number, boolean, boolean, boolean]>([
  ["undo that", 5, false, false, true],
  ["undo that", 5, true, false, true],
  ["undo that", 7, false, true, true],
  ["undo that", 8, true, true, false],
  ["undo that", 8, false, true, false],
  ["undo the dates", 5, false, true, false],
  ["thanks", 5, false, true, false],
])(
  "fitUndoToLast() reads %j after data of turn %j (plan asked: %j) as data: %j, plan: %j",
  (text, turn, isAsked, isData, isPlan) => {
    const asked = { kind: "undo", step: null, after: null, text: null, words: text } as const;
    const planActions = isAsked ? [asked] : [];
    const answer = makeUnderstanding({ lane: "task", undo: { effects: [] }, planActions });

    const fitted = fitUndoToLast(answer, {
      journeyPlan: CHANGED,
      turnExecutionSummaries: [makeRecord(turn, DATES)],
      input: { messageId: "m-9", text },
      language: "en",
    });

    expect([fitted.undo !== null, fitted.planActions]).toEqual([isData, isPlan ? [asked] : []]);
  },
);

test.each([
  ["undo that", 8, true],
  ["undo that", 6, false],
  ["put the room back", 8, false],
])(
  "fitUndoToLast() reads %j, asked of the plan alone, after data of turn %j as data: %j",
  (text, turn, isData) => {
    const asked = { kind: "undo", step: null, after: null, text: null, words: text } as const;
    const answer = makeUnderstanding({ lane: "concierge", planActions: [asked] });

    const fitted = fitUndoToLast(answer, {
      journeyPlan: CHANGED,
      turnExecutionSummaries: [makeRecord(turn, DATES)],
      input: { messageId: "m-9", text },
      language: "en",
    });

    const data = { lane: "task", undo: { effects: [] }, planActions: [] };
    expect(fitted).toEqual(isData ? { ...answer, ...data } : answer);
  },
);
