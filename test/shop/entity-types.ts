import type { EntityType } from "../../state/entity.ts";
import type { Json } from "../../state/json.ts";

/** Kinds of products. */
export const CATEGORIES = ["keyboards", "lamps", "thermostats", "bottles", "shoes"];
const STATUSES = [
  "pending",
  "processed",
  "delivered",
  "cancelled",
  "return requested",
  "exchange requested",
];

/** A value of a column in words. */
export function show(value: Json | undefined): string {
  return typeof value === "object" || value === undefined ? "" : String(value);
}

/** Shared rows have no version of their own, and a key of the shop's. */
const SHARED = {
  ownership: "shared",
  key: { column: "id", kind: "text" },
  version: "content",
} as const;

/** Everything may be read, and nothing changed but by the shop's own tools. */
export const SHOP_TYPES: readonly EntityType[] = [
  {
    type: "order",
    table: "orders",
    words: { one: "order", many: "orders" },
    columns: [
      { name: "number", kind: "text", nullable: false },
      { name: "status", kind: "choice", values: STATUSES, nullable: false },
      { name: "address", kind: "text", nullable: false },
      { name: "payment_id", kind: "text", references: "payment", nullable: false },
      { name: "cancel_reason", kind: "text" },
    ],
    lists: [{ kind: "entities", name: "items", type: "item", foreignKey: "order_id" }],
    summary: ["number", "status", "payment_id"],
    orderBy: ["created_at"],
    label: ({ number }) => `order ${show(number)}`,
    facts: ({ status }) => show(status),
  },
  {
    type: "item",
    table: "order_items",
    words: { one: "item", many: "items" },
    columns: [
      { name: "order_id", kind: "text", references: "order", nullable: false },
      { name: "position", kind: "integer", nullable: false },
      { name: "variant_id", kind: "text", references: "variant", nullable: false },
      { name: "name", kind: "text", nullable: false },
      { name: "price", kind: "number", nullable: false },
      { name: "returned", kind: "boolean", nullable: false },
    ],
    summary: ["order_id", "position", "variant_id", "name", "price", "returned"],
    orderBy: ["order_id", "position"],
    label: ({ name }) => show(name),
    facts: ({ position, price }) => `line ${show(position)}, ${show(price)}`,
  },
  {
    type: "payment",
    table: "payment_methods",
    words: { one: "payment method", many: "payment methods" },
    columns: [
      { name: "kind", kind: "choice", values: ["card", "gift card", "paypal"], nullable: false },
      { name: "name", kind: "text", nullable: false },
      { name: "balance", kind: "number" },
    ],
    summary: ["kind", "name", "balance"],
    orderBy: ["created_at"],
    label: ({ name }) => show(name),
    facts: ({ balance }) => (balance === null ? "" : `balance ${show(balance)}`),
  },
  {
    type: "product",
    table: "products",
    words: { one: "product", many: "products" },
    ...SHARED,
    columns: [
      { name: "id", kind: "text", nullable: false },
      { name: "name", kind: "text", nullable: false },
      { name: "category", kind: "choice", values: CATEGORIES, nullable: false },
    ],
    summary: ["id", "name", "category"],
    orderBy: ["name"],
    label: ({ name }) => show(name),
  },
  {
    type: "variant",
    table: "variants",
    words: { one: "variant", many: "variants" },
    ...SHARED,
    columns: [
      { name: "id", kind: "text", nullable: false },
      { name: "product_id", kind: "text", references: "product", nullable: false },
      { name: "options", kind: "text", nullable: false },
      { name: "price", kind: "number", nullable: false },
      { name: "available", kind: "boolean", nullable: false },
    ],
    summary: ["id", "product_id", "options", "price", "available"],
    orderBy: ["product_id", "price"],
    label: ({ id, options }) => `${show(id)} (${show(options)})`,
    facts: ({ price }) => show(price),
  },
  {
    type: "handover",
    table: "handovers",
    words: { one: "handover", many: "handovers" },
    columns: [{ name: "summary", kind: "text", nullable: false }],
    summary: ["summary"],
    orderBy: ["created_at"],
    label: () => "handover to a person",
  },
];
