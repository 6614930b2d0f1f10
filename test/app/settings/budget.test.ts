import { fc, test } from "@fast-check/vitest";
import { expect } from "vitest";
import { budget } from "../../../app/settings/budget.ts";

const NONE = { turn: null, thread: null };

test.each([
  [undefined, NONE],
  [" ", NONE],
  ["turn=60000t", { ...NONE, turn: { tokens: 60_000 } }],
  ["turn=60000t, thread=$5.25", { turn: { tokens: 60_000 }, thread: { micros: 5_250_000 } }],
  ["thread = $0.000001,", { ...NONE, thread: { micros: 1 } }],
])("budget reads %j", (text, expected) => {
  expect(budget.parse(text)).toEqual(expected);
});

const FORM = "write amounts as in turn=60000t, thread=$1 (t: tokens)";

test.each([
  ["day=$5", `names no budget with "day"; ${FORM}`],
  ["constructor=$5", `names no budget with "constructor"; ${FORM}`],
  ["turn=$1,turn=5t", `names "turn" twice; ${FORM}`],
  ["turn=60000", `must give "turn" an amount, not "60000"; ${FORM}`],
  ["turn=0t", `must give "turn" an amount, not "0t"; ${FORM}`],
  ["thread=$0.00", `must give "thread" an amount, not "$0.00"; ${FORM}`],
  ["thread=€1", `must give "thread" an amount, not "€1"; ${FORM}`],
  ["thread=-$1", `must give "thread" an amount, not "-$1"; ${FORM}`],
  ["thread", `must give "thread" an amount, not ""; ${FORM}`],
])("budget refuses %s", (text, message) => {
  expect(budget.safeParse(text).error?.issues.map((issue) => issue.message)).toEqual([message]);
});

test.prop([fc.integer({ min: 1, max: 999_999_999_999 })])(
  "budget reads every amount of money exactly",
  (micros) => {
    const decimals = String(micros % 1_000_000).padStart(6, "0");
    const text = `thread=$${Math.floor(micros / 1_000_000)}.${decimals}`;

    expect(budget.parse(text)).toEqual({ ...NONE, thread: { micros } });
  },
);
