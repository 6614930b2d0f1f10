import { expect, test } from "vitest";
import { countLeftOut, readLabel, readRows } from "../../simulated-model/prompt/read-entities.ts";

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

test.each([
  ["Ammonite", { box: "container_9 (Box 1)", designation: "Ammonite", weight: "210.5" }],
  ["Box 1", { box: "container_9 (Box 1)", weight: "210.5" }],
  ["210.5", { weight: "210.5" }],
])("readLabel() calls a row without a name %s", (label, cells) => {
  expect(readLabel({ ref: "specimen_1", table: "specimens", cells, lists: {} })).toBe(label);
});
