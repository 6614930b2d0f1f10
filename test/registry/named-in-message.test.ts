import { expect, test } from "vitest";
import { listNamedInMessage } from "../../registry/named-in-message.ts";

const ENTRIES = [
  { ref: "recipe_1", label: "Crème Brûlée", facts: "40 min" },
  { ref: "order_2", label: "order #W9389413", facts: "pending" },
  { ref: "item_3", label: "Keyboard", facts: "1151293680, 272.33" },
  { ref: "thing_4", label: "A", facts: "" },
];

test.each([
  ["is the creme brulee quick?", ["recipe_1"]],
  ["what about W9389413?", ["order_2"]],
  ["exchange 1151293680, please", ["item_3"]],
  ["a keyboard", ["item_3"]],
  ["40 keyboards for 2026", []],
  ["", []],
])("listNamedInMessage() finds what %j names", (message, refs) => {
  expect(listNamedInMessage({ entries: ENTRIES }, message)).toEqual(refs);
});
