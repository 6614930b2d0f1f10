import { expect, test } from "vitest";
import { countLeftOut, readRows } from "../../simulated-model/prompt/read-entities.ts";

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

test.each(["lager.größen", "Verleih.Kunde", "Öle"])(
  "readRows() reads the rows of the table %s",
  (table) => {
    const rows = readRows(
      `${table}: Größe | preis\nitem_1 | 42 | 3\nitem_2\n  Größe: 43\n  Maße (1): name Höhe`,
    );

    expect(rows).toEqual([
      { ref: "item_1", table, cells: { Größe: "42", preis: "3" }, lists: {} },
      { ref: "item_2", table: null, cells: { Größe: "43" }, lists: { Maße: ["Höhe"] } },
    ]);
  },
);
