import { expect, test } from "vitest";
import { selectFields } from "../../../server/protocol/select-fields.ts";

const STATE = { values: { turn: 1, messages: ["a"], plan: null }, next: ["act"], tasks: [] };

test.each([
  [undefined, STATE],
  [null, STATE],
  [[], STATE],
  [["next"], { next: ["act"] }],
  [["values.turn"], { values: { turn: 1 } }],
  [["values.turn", "values.plan", "tasks"], { values: { turn: 1, plan: null }, tasks: [] }],
  [["values", "values.turn"], { values: STATE.values }],
  [["nothing", "values.nothing"], { values: {} }],
  [["__proto__", "constructor", "values.toString", "next.0.x"], { values: {} }],
])("selectFields() chooses %j", (select, chosen) => {
  expect(selectFields(STATE, select)).toEqual(chosen);
});
