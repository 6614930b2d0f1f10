import { expect, test } from "vitest";
import { countLeftOut, readRows } from "../../simulated-model/prompt/read-rows.ts";

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
      { ref: "item_1", table, label: "42", cells: { Größe: "42", preis: "3" }, lists: {} },
      {
        ref: "item_2",
        table: null,
        label: "43",
        cells: { Größe: "43" },
        lists: { Maße: ["Höhe"] },
      },
    ]);
  },
);

test.each([
  ["Ammonite", "box | designation | weight", "container_9 (Box 1) | Ammonite | 210.5"],
  ["Box 1", "box | weight", "container_9 (Box 1) | 210.5"],
  ["210.5", "weight", "210.5"],
  ["Box 1", "sealed | no | marking", "false | 7 | Box 1"],
  ["Box 1", "no | marking (all: sealed = false, room = Attic)", "7 | Box 1"],
])("readRows() calls a row without a name %s", (label, head, cells) => {
  expect(readRows(`specimens: ${head}\nspecimen_1 | ${cells}`)).toEqual([
    expect.objectContaining({ ref: "specimen_1", label }),
  ]);
});
