import { expect, test } from "vitest";
import { readEndDay } from "../../registry/read-end-day.ts";

/** A Monday. */
const TODAY = "2026-01-12";

test.each([
  ["2026-01-18", "2026-01-18"],
  ["2026-01-11", "2026-01-11"],
  ["Friday", "2026-01-16"],
  ["until Friday", "2026-01-16"],
  ["tomorrow", "2026-01-13"],
  ["27.11.2026", "2026-11-27"],
  ["5.6.2026", "2026-06-05"],
  ["11/27/2026", "2026-11-27"],
  ["27/11/2026", "2026-11-27"],
  ["January 20", "2026-01-20"],
  ["20 March 2026", "2026-03-20"],
])("readEndDay() reads %s", (text, day) => {
  expect(readEndDay(text, TODAY)).toBe(day);
});

test.each([
  ["2026-02-30", "no day of the calendar"],
  ["31.2.2026", "no day of the calendar"],
  ["5/6/2026", "either of two days"],
  ["Monday", "today, or in a week"],
  ["next Friday", "the coming one, or the one after"],
  ["Friday or Saturday", "two days"],
  ["this month", "no day"],
  ["Freitag", "a language that is not read"],
  ["when the guests have left", "no day"],
  ["", "nothing"],
])("readEndDay() does not guess at %j: %s", (text) => {
  expect(readEndDay(text, TODAY)).toBeNull();
});
