import { Pool } from "pg";
import { SEARCH_PATH } from "../../storage/postgres/app-role.ts";
import { columnTypes } from "../../storage/postgres/column-types.ts";
import type { Database } from "../../storage/postgres/database.ts";
import type { JsonObject } from "../../packaging/domain.ts";
import { ADDRESS_PARTS } from "./entity-types.ts";

/** A database with the domain's tables, and its address as a user who may do everything in it. */
export type RetailDatabase = Pick<Database, "pool" | "userData"> & { readonly url: string };

/** Rows of the benchmark in its own form: objects by their ids. */
export type BenchmarkRows = Readonly<Record<string, JsonObject>>;

/** The tables of the benchmark. */
export interface BenchmarkData {
  readonly users: BenchmarkRows;
  readonly orders: BenchmarkRows;
  readonly products: BenchmarkRows;
}

/** The rows in the database, read and written past the program. */
export interface StoredData {
  /** Puts the data in place of all rows. */
  load(data: BenchmarkData): Promise<void>;
  /** Returns all rows in the form of the benchmark. */
  read(): Promise<BenchmarkData>;
  /** Returns how many changes of values the journal has. */
  countChanges(): Promise<number>;
  close(): Promise<void>;
}

const ADDRESS_READ = ADDRESS_PARTS.map((part) => `'${part}', ${part}`).join(", ");
const ADDRESS_VALUES = ADDRESS_PARTS.map((part) => `value->'address'->>'${part}'`).join(", ");

/** One statement a table, each with all of the data. Amounts are rounded to cents. */
const LOAD = [
  "insert into products (id, name) select key, value->>'name' from jsonb_each($1::jsonb->'products')",
  `insert into variants (id, product_id, options, price, available)
   select variant.key, product.key, variant.value->'options', (variant.value->>'price')::numeric, (variant.value->>'available')::boolean
     from jsonb_each($1::jsonb->'products') as product, jsonb_each(product.value->'variants') as variant`,
  `insert into customers (id, user_id, first_name, last_name, email, ${ADDRESS_PARTS.join(", ")})
   select key, key, value->'name'->>'first_name', value->'name'->>'last_name', value->>'email', ${ADDRESS_VALUES}
     from jsonb_each($1::jsonb->'users')`,
  `insert into payment_methods (id, user_id, customer_id, source, brand, last_four, balance)
   select method.key, owner.key, owner.key, method.value->>'source', method.value->>'brand', method.value->>'last_four', round((method.value->>'balance')::numeric, 2)
     from jsonb_each($1::jsonb->'users') as owner, jsonb_each(owner.value->'payment_methods') as method`,
  `insert into orders (id, user_id, position, status, ${ADDRESS_PARTS.join(", ")})
   select own.id, owner.key, own.position, placed.value->>'status', ${ADDRESS_VALUES.replaceAll("value", "placed.value")}
     from jsonb_each($1::jsonb->'users') as owner, jsonb_array_elements_text(owner.value->'orders') with ordinality as own (id, position)
     join jsonb_each($1::jsonb->'orders') as placed on placed.key = own.id`,
  `insert into order_items (user_id, order_id, position, variant_id, name, price)
   select placed.value->>'user_id', placed.key, position, line->>'item_id', line->>'name', (line->>'price')::numeric
     from jsonb_each($1::jsonb->'orders') as placed, jsonb_array_elements(placed.value->'items') with ordinality as own (line, position)`,
  `insert into order_payments (user_id, order_id, position, transaction_type, amount, payment_method_id)
   select placed.value->>'user_id', placed.key, position, line->>'transaction_type', round((line->>'amount')::numeric, 2), line->>'payment_method_id'
     from jsonb_each($1::jsonb->'orders') as placed, jsonb_array_elements(placed.value->'payment_history') with ordinality as own (line, position)`,
  `insert into order_fulfilments (user_id, order_id, position, tracking_ids, item_ids)
   select placed.value->>'user_id', placed.key, position, array(select jsonb_array_elements_text(line->'tracking_id')), array(select jsonb_array_elements_text(line->'item_ids'))
     from jsonb_each($1::jsonb->'orders') as placed, jsonb_array_elements(placed.value->'fulfillments') with ordinality as own (line, position)`,
];

const READ = `select
  (select jsonb_object_agg(id, jsonb_strip_nulls(jsonb_build_object(
      'name', jsonb_build_object('first_name', first_name, 'last_name', last_name), 'email', email,
      'address', jsonb_build_object(${ADDRESS_READ}),
      'payment_methods', (select jsonb_object_agg(own.id, jsonb_build_object('id', own.id, 'source', source, 'brand', brand, 'last_four', last_four, 'balance', balance))
                            from payment_methods as own where (own.user_id, customer_id) = (customers.user_id, customers.id)),
      'orders', (select coalesce(jsonb_agg(id order by position), '[]') from orders where user_id = customers.user_id))))
     from customers) as users,
  (select jsonb_object_agg(id, jsonb_strip_nulls(jsonb_build_object(
      'order_id', id, 'user_id', user_id, 'status', status, 'address', jsonb_build_object(${ADDRESS_READ}),
      'items', (select jsonb_agg(jsonb_build_object('name', name, 'item_id', variant_id, 'price', own.price, 'product_id', product_id, 'options', options) order by position)
                  from order_items as own join variants on variants.id = variant_id where (own.user_id, order_id) = (orders.user_id, orders.id)),
      'payment_history', (select jsonb_agg(jsonb_build_object('transaction_type', transaction_type, 'amount', amount, 'payment_method_id', payment_method_id) order by position)
                            from order_payments as own where (own.user_id, order_id) = (orders.user_id, orders.id)),
      'fulfillments', (select coalesce(jsonb_agg(jsonb_build_object('tracking_id', tracking_ids, 'item_ids', item_ids) order by position), '[]')
                         from order_fulfilments as own where (own.user_id, order_id) = (orders.user_id, orders.id)),
      'cancel_reason', cancel_reason, 'exchange_items', exchange_items, 'exchange_new_items', exchange_new_items,
      'exchange_payment_method_id', exchange_payment_method_id, 'exchange_price_difference', exchange_price_difference,
      'return_items', return_items, 'return_payment_method_id', return_payment_method_id)))
     from orders) as orders,
  (select jsonb_object_agg(id, jsonb_build_object('product_id', id, 'name', name,
      'variants', (select jsonb_object_agg(id, jsonb_build_object('item_id', id, 'options', options, 'price', price, 'available', available))
                     from variants where product_id = products.id)))
     from products) as products`;

/** Opens the rows of a database, as its owner. */
export function openStoredData({ url }: Pick<RetailDatabase, "url">): StoredData {
  const options = `-c search_path=${SEARCH_PATH}`;
  const owner = new Pool({ connectionString: url, options, types: columnTypes, max: 1 });
  owner.on("error", () => undefined);
  return {
    async load(data) {
      await owner.query("truncate products, customers, orders cascade");
      for (const sql of LOAD) await owner.query(sql, [JSON.stringify(data)]);
    },
    async read() {
      const { rows } = await owner.query<BenchmarkData>(READ);
      return rows[0] ?? { users: {}, orders: {}, products: {} };
    },
    async countChanges() {
      const { rows } = await owner.query<{ changes: number }>(
        "select count(*)::int as changes from journal where action <> 'touch'",
      );
      return rows[0]?.changes ?? 0;
    },
    close: () => owner.end(),
  };
}
