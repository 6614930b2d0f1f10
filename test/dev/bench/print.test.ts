import { expect, test } from "vitest";
import { renderCell, renderTable } from "../../../dev/bench/print.ts";

test.each([
  [null, "–"],
  ["as it is", "as it is"],
  [0, "0"],
  [12, "12"],
  [1234567, "1,234,567"],
  [-1234, "-1,234"],
  [1234.5, "1,235"],
  [123.4, "123"],
  [12.34, "12.3"],
  [1.234, "1.23"],
  [0.01234, "0.012"],
  [Number.NaN, "NaN"],
])("renderCell(%j) is %s", (cell, text) => {
  expect(renderCell(cell)).toBe(text);
});

test("renderTable() puts figures to the right, texts to the left and notes below", () => {
  const table = {
    title: "A step",
    columns: ["checkpointer", "ms", "of stock's"],
    rows: [
      ["ours", 1.5, 0.61],
      ["stock", 1234, null],
    ],
    notes: ["medians"],
  };
  expect(renderTable(table)).toBe(
    [
      "A step",
      "",
      "checkpointer     ms  of stock's",
      "------------  -----  ----------",
      "ours           1.50       0.610",
      "stock         1,234           –",
      "  * medians",
      "",
    ].join("\n"),
  );
});

test("renderTable() of no rows still says what would be there", () => {
  const table = { title: "Nothing", columns: ["a", "b"], rows: [], notes: [] };
  expect(renderTable(table)).toBe("Nothing\n\na  b\n-  -\n");
});
