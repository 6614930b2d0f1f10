import { fc, test } from "@fast-check/vitest";
import { expect } from "vitest";
import {
  dayIn,
  describeTime,
  isDay,
  localeNamed,
  timeZoneNamed,
  wordMoments,
} from "../../state/calendar.ts";

const moment = fc.date({
  min: new Date("0001-01-01T00:00:00Z"),
  max: new Date("9999-12-31T23:59:59Z"),
  noInvalidDate: true,
});

test.prop([moment])("isDay() knows every day of the calendar, as dayIn() writes it", (date) => {
  const day = dayIn("UTC", date);
  // The Gregorian calendar that people use begins where the proleptic one does not differ.
  fc.pre(date.getUTCFullYear() > 1583);

  expect(day).toBe(date.toISOString().slice(0, 10));
  expect(isDay(day)).toBe(true);
});

test.each([
  "2026-02-29",
  "2026-13-01",
  "2026-00-10",
  "2026-01-32",
  "0000-01-01",
  "2026-1-1",
  " 2026-01-01",
  "2026-01-01T00:00",
  "",
])("isDay() refuses %j", (text) => {
  expect(isDay(text)).toBe(false);
});

test.each([
  ["Pacific/Kiritimati", "2026-01-13"],
  ["Europe/Berlin", "2026-01-13"],
  ["UTC", "2026-01-12"],
  ["America/New_York", "2026-01-12"],
])("dayIn() %s is the day it is there", (timeZone, day) => {
  expect(dayIn(timeZone, new Date("2026-01-12T23:30:00Z"))).toBe(day);
});

test("timeZoneNamed() knows names and no offsets", () => {
  expect(timeZoneNamed("europe/berlin")).toBe("Europe/Berlin");
  expect(timeZoneNamed("UTC")).toBe("UTC");
  expect(["Europe/Nowhere", "+02:00", "", "Etc/Unknown"].map(timeZoneNamed)).toEqual([
    null,
    null,
    null,
    null,
  ]);
});

test("localeNamed() brings tags into their canonical form", () => {
  expect(localeNamed("DE-at")).toBe("de-AT");
  expect(localeNamed("en-US-u-va-posix")).toBe("en-US");
  expect(localeNamed("no_NO")).toBe(null);
});

test.each([
  ["2026-01-13T17:00:00+00:00", "Tue 13 Jan 2026, 18:00"],
  ["2026-07-13T22:30:00.123456Z", "Tue 14 Jul 2026, 00:30"],
  ["2026-01-13T17:00:00", "Tue 13 Jan 2026, 18:00"],
  ["infinity", "infinity"],
])("describeTime() words %s as it is in Berlin", (text, words) => {
  expect(describeTime(text, "Europe/Berlin")).toBe(words);
});

test("wordMoments() words the moments of a text, and leaves days and addresses", () => {
  const text = "Sold 2026-01-13T17:00:00.000Z (at 2026-07-13T22:30Z), due 2026-01-14: x/?at=";
  expect(wordMoments(`${text}2026-01-13T17:00:00Z`, "Europe/Berlin")).toBe(
    "Sold Tue 13 Jan 2026, 18:00 (at Tue 14 Jul 2026, 00:30), due 2026-01-14: x/?at=2026-01-13T17:00:00Z",
  );
});
