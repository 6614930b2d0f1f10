import { expect, test } from "vitest";
import { readYesNo } from "../../nodes/budget/read-yes-no.ts";

test.each([
  ["yes", "yes"],
  [" Yes, please! ", "yes"],
  ["OK.", "yes"],
  ["go on", "yes"],
  ["No, thank you", "no"],
  ["don't", "no"],
  ["yes, but only the curry", null],
  ["no fish", null],
  ["what?", null],
  ["", null],
])("readYesNo() reads %j as %j", (message, expected) => {
  expect(readYesNo(message)).toBe(expected);
});
