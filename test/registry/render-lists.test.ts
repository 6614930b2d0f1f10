import { expect, test } from "vitest";
import { foldRegistry } from "../../registry/apply-event.ts";
import { EMPTY_REGISTRY } from "../../registry/entries.ts";
import { toRegistryEvents } from "../../registry/outcome-events.ts";
import { renderRows } from "../../registry/render-rows.ts";
import type { EntityRow, EntityType } from "../../state/entity.ts";
import type { Json, JsonObject } from "../../state/json.ts";
import { countRoughly } from "../support/arbitraries.ts";
import { toolRead } from "../support/registry-events.ts";
import { toolOutcome } from "../support/tool-outcome.ts";

const ORDER: EntityType = {
  type: "order",
  table: "orders",
  words: { one: "order", many: "orders" },
  columns: [
    { name: "number", kind: "text" },
    { name: "options", kind: "json" },
  ],
  lists: [
    { kind: "entities", name: "items", type: "item", foreignKey: "order_id" },
    {
      kind: "inline",
      name: "payments",
      table: "payments",
      foreignKey: "order_id",
      orderBy: "position",
      columns: [
        { name: "kind", kind: "text" },
        { name: "amount", kind: "number" },
        { name: "settled", kind: "boolean" },
      ],
    },
  ],
  summary: ["number"],
  orderBy: ["number"],
  label: () => "order",
};

const ITEM: EntityType = {
  type: "item",
  table: "order_items",
  words: { one: "item", many: "items" },
  columns: [
    { name: "order_id", kind: "text", references: "order" },
    { name: "name", kind: "text" },
    { name: "number", kind: "text" },
    { name: "price", kind: "number" },
  ],
  summary: ["order_id", "name", "number", "price"],
  orderBy: ["name"],
  label: ({ name }) => (typeof name === "string" ? name : ""),
};

const TYPES = [ORDER, ITEM];

const ITEMS = [
  toRow("a", { order_id: "o", name: "Keyboard", number: "1151293680", price: 272.33 }),
  toRow("b", { order_id: "o", name: "Lamp", number: null, price: 20 }),
];

function toRow(id: string, values: JsonObject): EntityRow {
  return { id, rowVersion: 1, values };
}

/** Renders an order whose lists hold those values, after its items were shown whole, or by their labels alone. */
function render(lists: Readonly<Record<string, Json>>, shown: "listed" | "linked"): string {
  const order = toRow("o", { number: "#W1", ...lists });
  const outcome = toolOutcome({
    reads: [{ ...toolRead("order", [order]), detail: "full" }],
    [shown]: [{ type: "item", rows: ITEMS }],
  });
  const registry = foldRegistry(EMPTY_REGISTRY, toRegistryEvents(outcome, { turn: 1 }), TYPES);
  return renderRows(registry, {
    refs: ["order_1"],
    types: TYPES,
    budget: 1_000,
    countTokens: countRoughly,
    findReader: (type) => `read_${type}s`,
  }).text;
}

test("renderLists() names values, leaves out nulls, and says how to read the rest", () => {
  const payments = [
    { kind: "card", amount: 272.33, settled: true },
    { kind: "gift card", amount: null, settled: false },
  ];

  expect(render({ items: { total: 305, ids: ["a", "b"] }, payments }, "listed")).toBe(
    [
      "order_1",
      "  number: #W1",
      "  payments (2): kind card, amount 272.33, settled; kind gift card",
      "  items (305, first 2): item_1 (name Keyboard, number 1151293680, price 272.33); item_2 (name Lamp, price 20)",
      "    303 more items of order_1: read_items, after item_2",
    ].join("\n"),
  );
});

test("renderRows() shows nested values with their keys", () => {
  const options = { colour: "blue", fit: { size: 41, wide: null }, extras: ["laces", "box"] };

  expect(render({ options }, "listed")).toContain(
    "colour: blue, fit: size: 41, extras: laces, box",
  );
});

test("renderLists() shows counts and labels in a table", () => {
  expect(render({ items: { total: 305, ids: [] }, payments: 2 }, "linked")).toBe(
    "orders: number | items | payments\norder_1 | #W1 | 305 | 2",
  );
  expect(render({ items: { total: 2, ids: ["a", "b"] }, payments: ["card"] }, "linked")).toBe(
    "orders: number | items | payments\norder_1 | #W1 | item_1 (Keyboard); item_2 (Lamp) | card",
  );
});
