import { expect, test } from "vitest";
import { readRows } from "../../simulated-model/prompt/read-entities.ts";

test("readRows() reads tables of a schema, and columns and lists with digits in their names", () => {
  const rows = [
    "public.customer2: name | address1",
    "customer_1 | Ann Lee | 1 Mill Road",
    "",
    "customer_2",
    "  name: Bob",
    "  address1: 2 Mill Road",
    "  orders2 (3, first 1): order_1 (number 17, price2 4)",
  ];

  expect(readRows(rows.join("\n"))).toEqual([
    {
      ref: "customer_1",
      table: "public.customer2",
      cells: { name: "Ann Lee", address1: "1 Mill Road" },
      lists: {},
    },
    {
      ref: "customer_2",
      table: null,
      cells: { name: "Bob", address1: "2 Mill Road" },
      lists: { orders2: ["17 4"] },
    },
  ]);
});
