import { expect, test } from "vitest";
import { countLeftOut } from "../../simulated-model/prompt/read-entities.ts";

test("countLeftOut() counts whole rows, and no items of one", () => {
  const rows = [
    "bookings: name",
    "booking_1 | Tundra tour",
    "3 more extras of booking_1: read_extras, after extra_2",
    "389 more bookings: read_bookings, after booking_1",
    "64 more bikes",
  ];

  expect(countLeftOut(rows.join("\n"))).toBe(453);
  expect(countLeftOut(rows.slice(0, 3).join("\n"))).toBe(0);
});
