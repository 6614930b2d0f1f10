import { join } from "node:path";
import type { Domain } from "../../state/domain.ts";
import type { Queryable } from "../../state/store.ts";
import { CATEGORIES, SHOP_TYPES } from "./entity-types.ts";
import { SHOP_TOOLS } from "./tools.ts";

/** The customer of the big order. */
export const BIG_BUYER = "customer_30";
/** Customers of the shop, each a user. */
export const CUSTOMERS: readonly string[] = Array.from(
  { length: 30 },
  (_, at) => `customer_${at + 1}`,
);

/** Customer service of a shop: what meals is not. Nothing is written but by its own tools. */
export const shopDomain: Domain = {
  name: "shop",
  persona: "the customer service of a shop",
  activity: "customer service",
  rules: [
    "One payment method an order.",
    "A delivered order can be returned or exchanged once; a pending one cancelled or changed.",
  ],
  entityTypes: SHOP_TYPES,
  subdomains: [
    {
      name: "orders",
      type: "order",
      reads: ["item", "payment", "variant"],
      about: "what the customer has ordered",
    },
    { name: "items", type: "item", about: "the lines of an order" },
    { name: "payments", type: "payment", about: "how the customer pays" },
    { name: "products", type: "product", reads: ["variant"], about: "what the shop sells" },
    { name: "variants", type: "variant", about: "a product's sizes, colours, prices" },
    { name: "handovers", type: "handover", about: "cases for a person" },
  ],
  tools: SHOP_TOOLS,
  checks: [],
  loadProfile: async () => ({ text: "", facts: {} }),
  loadSnapshot: async (db) => {
    const { rows } = await db.query(
      "select count(*)::int as orders, count(*) filter (where status = 'pending')::int as pending from orders",
    );
    return `${String(rows[0]?.["orders"])} orders, ${String(rows[0]?.["pending"])} of them pending.`;
  },
  formatQuick: () => null,
  emptyText: () => "There is nothing of the kind.",
  migrations: join(import.meta.dirname, "migrations"),
  demo: CUSTOMERS.map((userId) => ({ userId, seed: seedCustomer })),
};

/** Fills the shared catalogue: five products with four variants each, the last one sold out. */
async function seedCatalogue(tx: Queryable): Promise<void> {
  await tx.query(
    `insert into products (id, name, category)
     select 'P' || n, initcap(trim(trailing 's' from name)), name
       from unnest($1::text[]) with ordinality as product (name, n) on conflict do nothing`,
    [CATEGORIES],
  );
  await tx.query(
    `insert into variants (id, product_id, options, price, available)
     select (product * 1000 + variant)::text, 'P' || product, 'size ' || variant, product * 20 + variant * 5.25, variant < 4
       from generate_series(1, $1::int) as product, generate_series(1, 4) as variant on conflict do nothing`,
    [CATEGORIES.length],
  );
}

/** The products of an order, by their numbers: a lamp, a thermostat and a bottle. */
const ORDERED = [2, 3, 4];
/** Lamps, bottles and shoes, with a keyboard as the seventh and a thermostat as the 300th of 305 items. */
const MANY_ORDERED = Array.from({ length: 305 }, (_, at) =>
  at === 6 ? 1 : at === 299 ? 3 : ([2, 4, 5][at % 3] ?? 2),
);

/** Three orders a customer: pending, delivered, cancelled; the last customer's first has 305 items. */
async function seedCustomer(tx: Queryable, { userId }: { readonly userId: string }): Promise<void> {
  await seedCatalogue(tx);
  for (const table of ["handovers", "order_items", "orders", "payment_methods"]) {
    await tx.query(`delete from ${table} where user_id = $1`, [userId]);
  }
  await tx.query(
    "insert into payment_methods (kind, name, balance) values ('gift card', 'gift card 41', 100), ('card', 'card 77', null)",
  );
  await tx.query(
    `insert into orders (number, status, address, payment_id)
     select '#W' || (1000 + n), status, n || ' Mill Lane', (select id from payment_methods where kind = paid)
       from (values (1, 'pending', 'gift card'), (2, 'delivered', 'card'), (3, 'cancelled', 'card')) as o (n, status, paid)`,
  );
  await tx.query(
    `insert into order_items (order_id, position, variant_id, name, price)
     select orders.id, n, variants.id, products.name, variants.price
       from orders, unnest(case when status = 'pending' then $1::int[] else $2 end) with ordinality as ordered (product, n)
       join variants on variants.id = (product * 1000 + 1)::text
       join products on products.id = product_id`,
    [userId === BIG_BUYER ? MANY_ORDERED : ORDERED, ORDERED],
  );
}
