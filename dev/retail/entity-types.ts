import type { Column, ColumnKind, EntityType, JsonObject } from "../../packaging/domain.ts";

/** The columns of an address. */
export const ADDRESS_PARTS = ["address1", "address2", "city", "state", "country", "zip"];

/** A value of a column in words. */
export function show(values: JsonObject, name: string): string {
  const value = values[name] ?? "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function columns(kind: ColumnKind, names: string, rest: Partial<Column> = {}): readonly Column[] {
  return names.split(" ").map((name) => Object.assign({ name, kind }, rest));
}

const NEEDED = { nullable: false } as const;
const ADDRESS = columns("text", ADDRESS_PARTS.join(" "), NEEDED);
/** The key is what customers know a row by; the tables have no versions. */
const OWN = { key: { column: "id", kind: "text" }, version: "content" } as const;
const SHARED = { ownership: "shared", ...OWN } as const;

/** Everything may be read, and nothing changed but by the domain's own tools. */
export const RETAIL_TYPES: readonly EntityType[] = [
  {
    type: "customer",
    table: "customers",
    words: { one: "customer", many: "customers", also: ["address", "profile"] },
    ...OWN,
    columns: [...columns("text", "id first_name last_name email", NEEDED), ...ADDRESS],
    lists: [
      { kind: "entities", name: "payment_methods", type: "payment", foreignKey: "customer_id" },
    ],
    summary: ["id", "email"],
    orderBy: ["last_name"],
    label: (values) => `${show(values, "first_name")} ${show(values, "last_name")}`,
  },
  {
    type: "payment",
    table: "payment_methods",
    words: { one: "payment method", many: "payment methods" },
    ...OWN,
    columns: [
      ...columns("text", "id", NEEDED),
      ...columns("text", "customer_id", { references: "customer", nullable: false }),
      ...columns("choice", "source", { values: ["credit_card", "gift_card", "paypal"], ...NEEDED }),
      ...columns("text", "brand last_four"),
      ...columns("number", "balance"),
    ],
    summary: ["id", "source", "balance"],
    orderBy: ["id"],
    label: (values) => show(values, "id"),
  },
  {
    type: "order",
    table: "orders",
    words: { one: "order", many: "orders" },
    ...OWN,
    columns: [
      ...columns("text", "id status", NEEDED),
      ...columns("integer", "position", { visible: false, ...NEEDED }),
      ...ADDRESS,
      ...columns("text", "cancel_reason"),
      ...columns("tags", "exchange_items exchange_new_items return_items"),
      ...columns("number", "exchange_price_difference"),
      ...columns("text", "exchange_payment_method_id return_payment_method_id", {
        references: "payment",
      }),
    ],
    lists: [
      { kind: "entities", name: "items", type: "item", foreignKey: "order_id" },
      {
        kind: "inline",
        name: "payment_history",
        table: "order_payments",
        foreignKey: "order_id",
        orderBy: "position",
        columns: [
          ...columns("choice", "transaction_type", { values: ["payment", "refund"], ...NEEDED }),
          ...columns("number", "amount", NEEDED),
          ...columns("text", "payment_method_id", NEEDED),
        ],
      },
      {
        kind: "inline",
        name: "fulfillments",
        table: "order_fulfilments",
        foreignKey: "order_id",
        orderBy: "position",
        columns: columns("tags", "tracking_ids item_ids", NEEDED),
      },
    ],
    summary: ["id", "status"],
    orderBy: ["position"],
    label: (values) => `order ${show(values, "id")}`,
    facts: (values) => show(values, "status"),
  },
  {
    type: "item",
    table: "order_items",
    words: { one: "item", many: "items" },
    version: "content",
    columns: [
      ...columns("text", "order_id", { references: "order", ...NEEDED }),
      ...columns("integer", "position", NEEDED),
      ...columns("text", "variant_id", { references: "variant", ...NEEDED }),
      ...columns("text", "name", NEEDED),
      ...columns("number", "price", NEEDED),
    ],
    summary: ["order_id", "variant_id", "name", "price"],
    orderBy: ["order_id", "position"],
    label: (values) => show(values, "name"),
    facts: (values) => show(values, "price"),
  },
  {
    type: "product",
    table: "products",
    words: { one: "product", many: "products" },
    ...SHARED,
    columns: columns("text", "id name", NEEDED),
    lists: [{ kind: "entities", name: "variants", type: "variant", foreignKey: "product_id" }],
    summary: ["id", "name"],
    orderBy: ["name"],
    label: (values) => show(values, "name"),
  },
  {
    type: "variant",
    table: "variants",
    words: { one: "variant", many: "variants" },
    ...SHARED,
    columns: [
      ...columns("text", "id", NEEDED),
      ...columns("text", "product_id", { references: "product", ...NEEDED }),
      ...columns("json", "options", NEEDED),
      ...columns("number", "price", NEEDED),
      ...columns("boolean", "available", NEEDED),
    ],
    summary: ["id", "product_id", "price", "available"],
    orderBy: ["product_id", "price"],
    label: (values) => show(values, "id"),
    facts: (values) => show(values, "options"),
  },
];
